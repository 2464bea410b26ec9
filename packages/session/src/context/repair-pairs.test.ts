import { expect, it } from "vitest";
import type { AgentMessage } from "../entry/index.js";
import { INTERRUPTED_RESULT, repairPairs } from "./index.js";
import { answer, call, result, user } from "./tree-notation.test-support.js";

const interrupted = (id: string, name = "read"): AgentMessage => ({
  role: "toolResult",
  toolCallId: id,
  toolName: name,
  content: [{ type: "text", text: INTERRUPTED_RESULT }],
  isError: true,
  timestamp: 7,
});

it("leaves paired messages as the very same objects", () => {
  const messages = [user("a"), answer("ok", call("1"), call("2")), result("1"), result("2"), answer("done")];
  const repaired = repairPairs(messages);
  expect(repaired.map((message, i) => message === messages[i])).toEqual([true, true, true, true, true]);
  expect(repaired).toHaveLength(messages.length);
});

it("gives a call without a result one that says it was interrupted", () => {
  const messages = [answer(call("1"), call("2", "bash")), result("1"), user("next")];
  expect(repairPairs(messages)).toEqual([
    answer(call("1"), call("2", "bash")),
    result("1"),
    interrupted("2", "bash"),
    user("next"),
  ]);
});

it("leaves out a result whose call is missing or comes later", () => {
  expect(repairPairs([result("0"), user("a"), result("1"), answer(call("1"))])).toEqual([
    user("a"),
    answer(call("1")),
    interrupted("1"),
  ]);
});

it("moves late results to their call, in the order of the calls", () => {
  const messages = [answer(call("1"), call("2")), user("meanwhile"), result("2"), answer("hm"), result("1")];
  expect(repairPairs(messages)).toEqual([
    answer(call("1"), call("2")),
    result("1"),
    result("2"),
    user("meanwhile"),
    answer("hm"),
  ]);
});

it("takes the first of several results for one call", () => {
  expect(repairPairs([answer(call("1")), result("1", "first"), result("1", "second")])).toEqual([
    answer(call("1")),
    result("1", "first"),
  ]);
});

it("gives results to the nearest call where an id occurs in several answers", () => {
  const messages = [answer(call("1")), result("1", "x"), answer(call("1")), result("1", "y"), answer(call("1"))];
  expect(repairPairs(messages)).toEqual([...messages, interrupted("1")]);
});

it("pairs each position of a message object that is in the list twice", () => {
  const same = answer(call("1"));
  expect(repairPairs([same, result("1", "x"), same])).toEqual([same, result("1", "x"), same, interrupted("1")]);
});

it("keeps one of several calls with one id in one answer", () => {
  expect(repairPairs([answer(call("1"), "and", call("1", "bash")), result("1")])).toEqual([
    answer(call("1"), "and"),
    result("1"),
  ]);
});

it("pairs calls of answers that failed or were aborted like any other", () => {
  const aborted = { ...answer(call("1")), stopReason: "aborted" as const };
  const failed = { ...answer(call("2")), stopReason: "error" as const };
  expect(repairPairs([aborted, failed, result("2")])).toEqual([aborted, interrupted("1"), failed, result("2")]);
});
