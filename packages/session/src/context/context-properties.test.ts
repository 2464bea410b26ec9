import fc from "fast-check";
import { expect, it } from "vitest";
import { sampledRuns } from "../../../../test/support/sampled.js";
import type { AgentMessage, FileEntry } from "../entry/index.js";
import { buildSessionContext, repairPairs, toModelInput } from "./index.js";
import { assertSameContext } from "./same-context.test-support.js";
import { answer, call, result, user } from "./tree-notation.test-support.js";

const callId = fc.constantFrom("1", "2", "3", "4");
const anyId = fc.nat(12).map((n) => `e${n}`);

const message = fc.oneof(
  fc.string().map(user),
  fc.array(callId, { maxLength: 3 }).map((ids) => answer("text", ...ids.map((id) => call(id)))),
  fc
    .tuple(callId, fc.constantFrom("error", "aborted"))
    .map(([id, stopReason]) => ({ ...answer(call(id)), stopReason })),
  callId.map((id) => result(id)),
  fc.jsonValue(),
);

const content = fc.oneof(
  { weight: 6, arbitrary: message.map((m) => ({ type: "message", message: m })) },
  anyId.map((id) => ({ type: "compaction", summary: "S", firstKeptEntryId: id, tokensBefore: 1 })),
  fc
    .tuple(anyId, fc.oneof(fc.constant(null), fc.string(), fc.array(fc.jsonValue())))
    .map(([targetId, replacement]) => ({ type: "context_edit", targetId, replacement })),
  fc.string().map((summary) => ({ type: "branch_summary", fromId: "x", summary })),
  fc.jsonValue().map((data) => ({ type: "custom_message", customType: "x", content: data, display: true })),
);

/** Entries e0, e1, … with arbitrary parents: missing ones, later ones, cycles. */
const entries = fc
  .array(fc.tuple(content, fc.oneof(anyId, fc.constant(null))), { maxLength: 12 })
  .map((drawn) =>
    drawn.map(([fields, parentId], n) => ({ id: `e${n}`, parentId, timestamp: "", ...fields }) as unknown as FileEntry),
  );

/** Mostly chains, so that paths are long. */
const chain = entries.map((list) =>
  list.map((entry, n) => ({ ...entry, parentId: n === 0 ? null : `e${n - 1}` }) as unknown as FileEntry),
);

const session = fc.tuple(fc.oneof(entries, chain), fc.option(anyId, { nil: undefined }));

/** Calls without the results that must follow immediately, and results in a wrong position. */
function unpaired(messages: readonly { readonly role: string }[]): string[] {
  const wrong: string[] = [];
  let expected: string[] = [];
  for (const [index, entry] of messages.entries()) {
    const message = entry as AgentMessage;
    if (message.role === "toolResult") {
      if (expected.shift() !== message.toolCallId) wrong.push(`result ${message.toolCallId} at ${index}`);
      continue;
    }
    if (expected.length > 0) wrong.push(`${expected.join()} before ${index}`);
    expected =
      message.role === "assistant" ? message.content.flatMap((b) => (b.type === "toolCall" ? [b.id] : [])) : [];
  }
  return expected.length > 0 ? [...wrong, `${expected.join()} at the end`] : wrong;
}

it("every call has exactly one result right after it, in the context and in model input", () => {
  fc.assert(
    fc.property(session, ([list, leaf]) => {
      const { messages } = buildSessionContext(list, leaf);
      expect(unpaired(messages)).toEqual([]);
      expect(unpaired(toModelInput(messages, { provider: "acme" }))).toEqual([]);
      expect(repairPairs(messages)).toEqual(messages);
    }),
    { numRuns: sampledRuns({ all: 1000, some: 250 }) },
  );
});

it("the same entries give the same bytes, also after a round trip through JSON and with a lookup", () => {
  fc.assert(
    fc.property(session, ([list, leaf]) => {
      const context = buildSessionContext(list, leaf);
      const again = JSON.parse(JSON.stringify(list)) as FileEntry[];
      assertSameContext(context, buildSessionContext(list, leaf));
      assertSameContext(context, buildSessionContext(again, leaf));
      const byId = new Map(list.map((entry) => [entry.id, entry as never]));
      assertSameContext(context, buildSessionContext(list, leaf, byId));
      const target = { provider: "other" };
      expect(JSON.stringify(toModelInput(context.messages, target))).toBe(
        JSON.stringify(toModelInput(buildSessionContext(again, leaf).messages, target)),
      );
    }),
    { numRuns: sampledRuns({ all: 500, some: 125 }) },
  );
});

it("building never changes an entry", () => {
  fc.assert(
    fc.property(session, ([list, leaf]) => {
      const before = JSON.stringify(list);
      toModelInput(buildSessionContext(list, leaf).messages, { provider: "other" });
      expect(JSON.stringify(list)).toBe(before);
    }),
  );
});

it("garbage never makes it throw", () => {
  const types = "message compaction context_edit branch_summary custom_message model_change mode_change ttsr_injection";
  const field = fc.constantFrom(..."summary message targetId replacement content model role injectedRules".split(" "));
  const garbage = fc.array(
    fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(fc.constantFrom(...types.split(" ")), anyId, anyId, fc.dictionary(field, fc.jsonValue()))
        .map(([type, id, parentId, fields]) => ({ type, id, parentId, ...fields })),
      fc
        .tuple(
          anyId,
          anyId,
          fc.constantFrom("user", "assistant", "toolResult", "fileMention", "bashExecution"),
          fc.jsonValue(),
        )
        .map(([id, parentId, role, value]) => ({
          type: "message",
          id,
          parentId,
          message: { role, content: [value], toolCallId: "1", files: value },
        })),
    ),
  );
  fc.assert(
    fc.property(garbage, fc.oneof(anyId, fc.constant(undefined)), (list, leaf) => {
      const { messages } = buildSessionContext(list as unknown as FileEntry[], leaf);
      expect(unpaired(toModelInput(messages, { provider: "acme" }))).toEqual([]);
    }),
    { numRuns: sampledRuns({ all: 1000, some: 250 }) },
  );
});
