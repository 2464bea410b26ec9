import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { testHost } from "../host/host.test-support.js";
import { PathUse } from "./path-use.js";
import { SessionCost } from "./session-cost.js";

function answer(totalTokens: number, dollars: number | undefined) {
  const cost =
    dollars === undefined ? {} : { cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: dollars } };
  return {
    role: "assistant",
    content: [{ type: "text", text: "done" }],
    api: "test",
    provider: "test",
    model: "test",
    usage: { input: totalTokens, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens, ...cost },
    stopReason: "stop",
    timestamp: 1,
  } as unknown as Parameters<SessionManager["appendMessage"]>[0];
}

/** A session that counts how many entries are read. */
function counting(session: SessionManager): { readonly session: SessionManager; read: number } {
  const seen = { session, read: 0 };
  const original = session.getSource.bind(session);
  session.getSource = () => {
    const source = original();
    return new Proxy(source, {
      get: (target, name) =>
        name === "entryAt"
          ? (n: number) => {
              seen.read += 1;
              return target.entryAt(n);
            }
          : Reflect.get(target, name),
    });
  };
  return seen;
}

function finish(host: ReturnType<typeof testHost>): void {
  while (host.runSlice());
}

test("what all branches cost is counted too, each entry once", () => {
  const session = SessionManager.inMemory();
  const host = testHost({ slices: "manual" });
  const seen = counting(session);
  const cost = new SessionCost(host);
  const first = session.appendMessage({ role: "user", content: "one", timestamp: 1 });
  session.appendMessage(answer(100, 0.25));
  session.branch(first);
  session.appendMessage(answer(100, 0.5));
  cost.look(session);
  finish(host);
  expect(cost.facts).toEqual({ dollars: 0.75, complete: true });
  session.appendMessage(answer(100, undefined));
  cost.look(session);
  finish(host);
  expect([cost.facts, seen.read]).toEqual([{ dollars: 0.75, complete: false }, session.getSource().tree.count]);
  cost.look(SessionManager.inMemory());
  finish(host);
  expect(cost.facts).toEqual({ dollars: 0, complete: true });
});

describe("what a path takes and costs", () => {
  test("is the last count of a provider, and the sum of what is on the path", () => {
    const session = SessionManager.inMemory();
    const host = testHost({ slices: "manual" });
    const use = new PathUse(host);
    session.appendMessage({ role: "user", content: "one", timestamp: 1 });
    session.appendMessage(answer(100, 0.25));
    session.appendMessage({ role: "user", content: "two", timestamp: 1 });
    session.appendMessage(answer(260, 0.5));
    use.look(session);
    expect(use.facts).toEqual({ tokens: undefined, cost: undefined });
    finish(host);
    expect(use.facts).toEqual({ tokens: 260, cost: { dollars: 0.75, complete: true } });
  });

  test("a call without a price makes the sum incomplete", () => {
    const session = SessionManager.inMemory();
    const host = testHost({ slices: "manual" });
    const use = new PathUse(host);
    session.appendMessage(answer(100, undefined));
    use.look(session);
    finish(host);
    expect(use.facts.cost).toEqual({ dollars: 0, complete: false });
  });

  test("after an answer only what is new is read", () => {
    const counted = counting(SessionManager.inMemory());
    const { session } = counted;
    const host = testHost({ slices: "manual" });
    const use = new PathUse(host);
    for (let turn = 0; turn < 500; turn++) session.appendMessage(answer(10, 0.01));
    use.look(session);
    finish(host);
    const first = counted.read;
    session.appendMessage({ role: "user", content: "more", timestamp: 1 });
    session.appendMessage(answer(20, 0.01));
    use.look(session);
    finish(host);
    expect([first, counted.read - first, use.facts.tokens]).toEqual([500, 2, 20]);
    expect(use.facts.cost?.dollars).toBeCloseTo(5.01);
  });

  test("a path without any count is estimated while it is short, and unknown when it is long", () => {
    const host = testHost({ slices: "manual" });
    const short = SessionManager.inMemory();
    short.appendMessage({ role: "user", content: "x".repeat(400), timestamp: 1 });
    const use = new PathUse(host);
    use.look(short);
    finish(host);
    expect(use.facts.tokens).toBeGreaterThan(90);
    const long = SessionManager.inMemory();
    for (let turn = 0; turn < 4100; turn++) long.appendMessage({ role: "user", content: "x", timestamp: 1 });
    use.look(long);
    finish(host);
    expect(use.facts.tokens).toBeUndefined();
  });
});
