/** The prompt cache of the last request is kept warm, as far as the user wants that and it pays. */
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { type ModelRequest, openModel } from "../../model/index.js";
import { infoOf, PROTOCOLS, says as spoken } from "../../model/wire-protocols.test-support.js";
import { wireServer } from "../../model/wire-server.test-support.js";
import { DEFAULT_SETTINGS } from "../../project/index.js";
import { harness, hooksOf } from "../agent-harness.test-support.js";
import type { AgentSession } from "../agent-session.js";
import { scriptedModel } from "../scripted-model.test-support.js";
import type { Sleep } from "./sleep.js";

const MINUTE = 60_000;
const open: AgentSession[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((agent) => agent.dispose()));
});

/** A model whose answers cost what a long conversation with Claude costs. */
function warmed(mode: "off" | "streaming" | "idle" | undefined, options: Partial<Parameters<typeof harness>[0]> = {}) {
  const requests: ModelRequest[] = [];
  let time = Date.UTC(2026, 0, 1);
  /** Waits of the warmer; each ends when the test says so. */
  const waits: { readonly ms: number; readonly end: () => Promise<void> }[] = [];
  const sleep: Sleep = (ms, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve());
      const end = async () => {
        time += ms;
        resolve();
        for (let n = 0; n < 50; n++) await Promise.resolve();
      };
      waits.push({ ms, end });
    });
  const usage = { input: 0, output: 10, cacheRead: 200_000, cacheWrite: 0 };
  const scripted = scriptedModel(["one", "two", "three", "four", "five", "six"].map((text) => ({ text, usage })));
  const info = {
    ...scripted.info,
    api: "anthropic-messages" as const,
    contextWindow: 1_000_000,
    prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  };
  const model = {
    ...scripted,
    info,
    stream: (request: ModelRequest, given: Parameters<typeof scripted.stream>[1]) => {
      requests.push(request);
      return scripted.stream(request, given);
    },
  };
  const settings = { ...DEFAULT_SETTINGS, cacheWarming: mode };
  const made = harness({ model, settings, sleep, now: () => new Date(time), ...options });
  open.push(made.agent);
  const pass = (ms: number) => {
    time += ms;
  };
  const spent = () => made.session.getEntries().flatMap((entry) => (entry.type === "usage" ? [entry.kind] : []));
  return { ...made, requests, waits, pass, spent };
}

test("on the wire, only the length of the answer differs", async () => {
  const server = await wireServer();
  onTestFinished(() => server.close());
  const protocol = PROTOCOLS[0] as (typeof PROTOCOLS)[number];
  const reply = spoken(protocol, { parts: [{ text: "hi" }], stop: "stop" });
  server.reply(reply, reply);
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  const model = openModel({ info: { ...infoOf(protocol, server.origin), prices }, apiKey: () => "key" });
  const hooks = hooksOf({ cache_warming_decision: () => ({ action: "warm" }) } as never);
  const { agent, waits, spent } = warmed("idle", { model, hooks });
  await agent.prompt("hello");
  await waits[0]?.end();
  await server.asked(2);
  await expect.poll(spent).toEqual(["cache_warm"]);
  const [real, repeated] = server.requests.map(({ body }) => body as Record<string, unknown>);
  expect(repeated).toEqual({ ...real, max_tokens: 16 });
});

describe("a prompt cache", () => {
  test("is kept warm between prompts by repeating the request with a short answer, which is counted and not remembered", async () => {
    const { agent, requests, waits, spent } = warmed("idle");
    await agent.prompt("hello");
    expect(waits.map(({ ms }) => ms)).toEqual([4.5 * MINUTE]);
    await waits[0]?.end();
    const [real, repeated] = requests;
    expect(repeated).toEqual({ ...real, maxOutput: 16 });
    expect([spent(), waits.length]).toEqual([["cache_warm"], 2]);
    await agent.prompt("and then?");
    // Nothing of it is in the conversation.
    expect(JSON.stringify(requests[2]?.messages)).not.toContain("two");
    expect(waits).toHaveLength(3);
    // The wait for the first prompt has ended.
    await waits[1]?.end();
    expect(requests).toHaveLength(3);
  });

  test("is given up when another request becomes unlikely, and after half an hour", async () => {
    const { agent, requests, waits, pass } = warmed("idle");
    await agent.prompt("hello");
    for (let at = 0; at < waits.length; at++) await waits[at]?.end();
    expect(requests.length).toBeGreaterThan(2);
    expect(requests.length).toBeLessThan(6);
    pass(31 * MINUTE);
    await agent.prompt("again");
    pass(31 * MINUTE);
    const before = requests.length;
    await waits.at(-1)?.end();
    expect(requests).toHaveLength(before);
  });

  test.each([
    ["by default", undefined, {}],
    ["if it is off", "off", {}],
    ["after a run, if only runs are meant", "streaming", {}],
    ["of a model that thinks", "idle", { thinkingLevel: "high" }],
  ] as const)("is not kept warm %s", async (_what, mode, options) => {
    const { agent, requests, waits } = warmed(mode, options);
    await agent.prompt("hello");
    for (const { end } of waits) await end();
    expect(requests).toHaveLength(1);
  });

  test("is not kept warm after a move, with another model, or when the machine was asleep", async () => {
    const { agent, session, requests, waits, pass } = warmed("idle");
    await agent.prompt("hello");
    await agent.navigateTree(
      session.getEntries().find(({ type }) => type === "message")?.id as never,
      {
        summarize: false,
      } as never,
    );
    for (const { end } of waits) await end();
    await agent.prompt("hello again");
    agent.setThinkingLevel("low");
    for (const { end } of waits) await end();
    expect(requests).toHaveLength(2);
    agent.setThinkingLevel("off");
    await agent.prompt("once more");
    pass(10 * MINUTE);
    await waits.at(-1)?.end();
    expect(requests).toHaveLength(3);
  });

  test("extensions are asked, with what it costs, and the last answer counts", async () => {
    const events: unknown[] = [];
    const { agent, requests, waits } = warmed("idle", {
      hooks: hooksOf({
        cache_warming_decision: (event: unknown) => {
          events.push(event);
          return { action: events.length === 1 ? ("warm" as const) : ("stop" as const) };
        },
      } as never),
    });
    await agent.prompt("hello");
    await waits[0]?.end();
    await waits[1]?.end();
    expect(requests).toHaveLength(2);
    expect(events[0]).toEqual({
      type: "cache_warming_decision",
      warmCost: expect.closeTo(0.06),
      missCost: expect.closeTo(0.69),
      continuationProbability: 0.5,
      action: "warm",
    });
  });
});
