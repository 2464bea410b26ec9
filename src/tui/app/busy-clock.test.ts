import { expect, test } from "vitest";
import { testHost } from "../host/host.test-support.js";
import { BusyClock } from "./busy-clock.js";

test("A2: the footer says that the agent is stopping, with and without motion", () => {
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
    ["⠴ 3 s", "⠴ stopping 3 s"],
    ["working 3 s", "stopping 3 s"],
  ]);
});
