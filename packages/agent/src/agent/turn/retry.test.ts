import { expect, test } from "vitest";
import type { ModelFailure } from "../../model/index.js";
import { harness, lines } from "../agent-harness.test-support.js";
import { SCRIPTED_USAGE, scriptedModel } from "../scripted-model.test-support.js";
import { planRetry } from "./plan-retry.js";

const overloaded: ModelFailure = { kind: "overloaded", message: "Try later", retryable: true };
const settings = { maxRetries: 3, baseDelayMs: 100, maxDelayMs: 350 };

test("waits grow by half, end at the longest wait, and end after the last try", () => {
  expect([1, 2, 3, 4].map((attempt) => planRetry(overloaded, attempt, settings))).toEqual([
    { kind: "wait", delayMs: 100 },
    { kind: "wait", delayMs: 200 },
    { kind: "wait", delayMs: 350 },
    { kind: "give-up" },
  ]);
});

test("what the provider asks for is what is waited, unless it is too long", () => {
  const asks = (retryAfterMs: number) => planRetry({ ...overloaded, retryAfterMs }, 1, settings);
  expect([asks(0), asks(350), asks(351)]).toEqual([
    { kind: "wait", delayMs: 0 },
    { kind: "wait", delayMs: 350 },
    { kind: "give-up" },
  ]);
});

test("a failure that would come again is not tried again", () => {
  expect(planRetry({ ...overloaded, retryable: false }, 1, settings)).toEqual({ kind: "give-up" });
});

test("a step is tried again, only the answer that came of it is in the conversation, and what it cost counts", async () => {
  const rateLimit = { kind: "rate-limit", message: "Slow down", retryable: true, retryAfterMs: 1234 } as const;
  const model = scriptedModel([
    { text: "par", failure: rateLimit },
    { failure: overloaded, usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
    "done",
  ]);
  const { agent, session, events, sleeps } = harness({ model });
  expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
  expect(lines(session)).toEqual(["model_change", "user: go", "usage", "assistant(stop): done"]);
  expect(session.getBranch()[2]).toMatchObject({ kind: "failed-step", provider: "scripted", usage: SCRIPTED_USAGE });
  expect(sleeps).toEqual([1234, 4000]);
  expect(events.filter((event) => event.type === "retry")).toEqual([
    { type: "retry", attempt: 1, delayMs: 1234, failure: rateLimit },
    { type: "retry", attempt: 2, delayMs: 4000, failure: overloaded },
  ]);
  // The same request, to the byte.
  expect(new Set(model.requests.map((request) => JSON.stringify(request))).size).toBe(1);
});

test("after the last retry, the failure is the outcome and is in the session", async () => {
  const model = scriptedModel(Array.from({ length: 5 }, () => ({ failure: overloaded })));
  const { agent, session } = harness({ model });
  expect(await agent.prompt("go")).toEqual({ kind: "failed", failure: overloaded });
  expect(model.requests).toHaveLength(4);
  expect(session.getLeafEntry()).toMatchObject({ message: { stopReason: "error", errorMessage: "Try later" } });
});
