import type { AgentEvent } from "@bough/agent/agent/index.js";
import { expect, test } from "vitest";
import type { Working } from "../extension/extension-screen.js";
import { testHost } from "../host/host.test-support.js";
import { BusyClock } from "./busy-clock.js";

test("the footer says that the agent is stopping, with and without motion", () => {
  const shown = [false, true].map((still) => {
    const host = testHost();
    const agent = { operation: "run" as const, isStopping: false };
    const clock = new BusyClock({ host, agent, still, now: host.now });
    clock.look();
    host.advance(3000);
    const before = clock.text;
    agent.isStopping = true;
    const after = clock.text;
    clock.stop();
    return [before, after];
  });
  expect(shown).toEqual([
    ["⠴ Working 3 s", "⠴ Stopping 3 s"],
    ["Working 3 s", "Stopping 3 s"],
  ]);
});

test("extensions choose the text shown while the agent works, except that a stop is always shown", () => {
  const host = testHost();
  const agent = { operation: "run" as const, isStopping: false };
  let working: Working = {
    message: "counting",
    visible: true,
    indicator: { frames: ["a", "b\x1b[2J"], intervalMs: 100 },
  };
  const clock = new BusyClock({ host, agent, still: false, now: host.now, working: () => working });
  clock.look();
  host.advance(3100);
  const shown = [clock.text];
  working = { ...working, message: undefined, indicator: { frames: [] } };
  shown.push(clock.text);
  working = { ...working, visible: false };
  shown.push(clock.text);
  agent.isStopping = true;
  shown.push(clock.text);
  clock.stop();
  expect(shown).toEqual(["b counting 3 s", "Working 3 s", undefined, "Stopping 3 s"]);
});

test("the footer says how long a model has been silent, and stops when it says something", () => {
  const host = testHost();
  const agent = { operation: "run" as const, isStopping: false };
  const clock = new BusyClock({ host, agent, still: true, now: host.now });
  clock.look();
  clock.hear({ type: "message_start", role: "assistant" });
  const shown: (string | undefined)[] = [];
  const after = (milliseconds: number) => {
    host.advance(milliseconds);
    shown.push(clock.text);
  };
  after(9000);
  after(36_000);
  clock.hear({ type: "message_update", part: "text", delta: "a" });
  after(1000);
  after(11_000);
  clock.hear({ type: "turn_end", turn: 1 });
  clock.hear({ type: "message_end" } as AgentEvent);
  after(20_000);
  clock.stop();
  expect(shown).toEqual([
    "Working 9 s",
    "Waiting for the model, 45 s",
    "Working 46 s",
    "Waiting for the model, 12 s",
    "Working 77 s",
  ]);
});
