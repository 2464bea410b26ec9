/** A context that is kept and continued is, byte for byte, the one that is built from nothing. */

import { appendFileSync, readFileSync } from "node:fs";
import { buildSessionContext } from "@bough/session/context/index.js";
import { assertSameContext } from "@bough/session/context/same-context.test-support.js";
import type { AgentMessage, EntryId } from "@bough/session/entry/index.js";
import { loadEntriesFromFile, SessionManager, setSessionMemory } from "@bough/session/session/index.js";
import { sessionMemory } from "@bough/session/session/memory/memory-budget.js";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { assistant, toolCall, toolResult, user } from "../support/messages.js";
import { sampledRuns } from "../support/sampled.js";
import { fastFolder } from "../support/temp-folder.js";
import { readableIds, seconds, tree } from "../support/tree-notation.js";

const DEFAULT_MEMORY = sessionMemory.limit;
afterEach(() => setSessionMemory(DEFAULT_MEMORY));

/** What one step does to the session; `at` picks an entry, `text` what is said. */
type Act = (session: SessionManager, at: EntryId, text: string) => unknown;

const ACTS = {
  user: (session, _, text) => session.appendMessage(user(text)),
  call: (session, _, text) => session.appendMessage(assistant("calls", toolCall(text), toolCall(`${text}2`))),
  sameCallTwice: (session, _, text) => session.appendMessage(assistant(toolCall(text), toolCall(text))),
  result: (session, _, text) => session.appendMessage(toolResult(text)),
  namelessResult: (session, _, text) =>
    session.appendMessage({ ...toolResult(text), toolName: undefined } as unknown as AgentMessage),
  odd: (session) => session.appendMessage({ role: "toolResult", content: 7 } as unknown as AgentMessage),
  model: (session, _, text) => session.appendModelChange("acme", text),
  thinking: (session, _, text) => session.appendThinkingLevelChange(text),
  mode: (session, _, text) => session.appendModeChange(text, { text }),
  note: (session, _, text) => session.appendCustomMessageEntry("note", text, true),
  state: (session) => session.appendCustomEntry("state", {}),
  label: (session, at, text) => session.appendLabelChange(at, text),
  compact: (session, at) => session.appendCompaction("short", at, 10),
  compactPath: (session, _, text) => {
    const path = session.getBranch();
    return path.length > 0 && session.appendCompaction("short", path[text.length % path.length]?.id as EntryId, 10);
  },
  leaveOut: (session, at) => session.appendContextEdit(at, null),
  edit: (session, at, text) => session.appendContextEdit(at, text),
  move: (session, at) => session.branch(at),
  reset: (session) => session.resetLeaf(),
  summary: (session, at) => session.branchWithSummary(at, "left"),
  record: (session) => session.recordPosition(),
} as const satisfies Record<string, Act>;

type Step =
  | { readonly act: keyof typeof ACTS; readonly at: number; readonly text: string }
  | { readonly act: "reopen" | "other" | "torn"; readonly at: number; readonly text: string };

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(
    ...(Object.keys(ACTS) as (keyof typeof ACTS)[]),
    "user",
    "call",
    "result",
    "reopen",
    "other",
    "torn",
  ),
  at: fc.nat(50),
  text: fc.constantFrom("1", "2", "3", "12", "22"),
});

/** The context of the same leaf from nothing: by the rules of plain entries, and by a session that has just read the file. */
function expectFromNothing(session: SessionManager): void {
  const context = session.buildSessionContext();
  const file = session.getSessionFile() as string;
  assertSameContext(context, buildSessionContext(loadEntriesFromFile(file), session.getLeafId()));
  const fresh = SessionManager.open(file, undefined, { readOnly: true });
  const leaf = session.getLeafId();
  if (leaf === null) fresh.resetLeaf();
  else fresh.branch(leaf);
  assertSameContext(context, fresh.buildSessionContext());
  fresh.close();
}

describe("the context that is kept", () => {
  it.each([DEFAULT_MEMORY, 2000, 0])(
    "is the one built from nothing after every step, with %i bytes to keep it in",
    (limit) => {
      setSessionMemory(limit);
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: "max" }), (steps) => {
          const options = { now: seconds(), newId: readableIds().next };
          let session = SessionManager.create("/w", fastFolder(), options);
          session.appendMessage(user("first"));
          const file = session.getSessionFile() as string;
          for (const { act, at, text } of steps) {
            const ids = session.getEntries().map(({ id }) => id);
            const target = ids[at % ids.length] as EntryId;
            if (act === "reopen") {
              session.close();
              session = SessionManager.open(file, undefined, options);
            } else if (act === "torn") appendFileSync(file, '{"type":"message","id":"torn');
            else if (act === "other") {
              const other = SessionManager.open(file, undefined, options);
              other.branch(target);
              other.appendMessage(user(text));
              other.close();
              session.refresh();
            } else ACTS[act](session, target, text);
            expectFromNothing(session);
          }
          session.close();
        }),
        { numRuns: sampledRuns({ all: 60, some: 10 }) },
      );
    },
  );

  it("is the same after a failed line is found in it", () => {
    const session = tree("a-b-c-d", { dir: fastFolder() });
    const file = session.getSessionFile() as string;
    session.close();
    const text = readFileSync(file, "utf8").replace('"content":"b"', '"content":"b');
    const folder = fastFolder();
    appendFileSync(`${folder}/x.jsonl`, text);
    const damaged = SessionManager.open(`${folder}/x.jsonl`);
    const messages = () =>
      damaged.buildSessionContext().messages.map((message) => (message as { content: unknown }).content);
    expect([messages(), messages()]).toEqual([
      ["a", "c", "d"],
      ["a", "c", "d"],
    ]);
    damaged.appendMessage(user("e"));
    expect(messages()).toEqual(["a", "c", "d", "e"]);
    damaged.close();
  });
});

describe("callers cannot change the context that is kept", () => {
  const started = () => {
    const session = tree("a-b", { dir: fastFolder() });
    session.appendMessage(assistant("look", toolCall("1")));
    session.appendModeChange("plan", { steps: [1, 2] });
    return session;
  };

  it("has an array of its own for each answer", () => {
    const session = started();
    const before = JSON.stringify(session.buildSessionContext());
    session.buildSessionContext().messages.reverse();
    session.buildSessionContext().messages.length = 0;
    expect(JSON.stringify(session.buildSessionContext())).toBe(before);
    session.close();
  });

  it("refuses changes to messages, blocks, arguments and state", () => {
    const session = started();
    const before = JSON.stringify(session.buildSessionContext());
    const context = session.buildSessionContext() as unknown as Record<string, Record<string, unknown>>;
    const parts: unknown[] = [context.model, context.injectedRules, context.modeData, context.modeData?.steps];
    // The last result stands in for one that is missing and is made for each answer.
    for (const message of session.buildSessionContext().messages.slice(0, -1))
      parts.push(message, (message as { content?: unknown }).content);
    const call = session.getBranch().find(({ type }) => type === "message");
    parts.push(call);
    for (const part of parts) {
      if (typeof part !== "object" || part === null) continue;
      expect(() => Object.assign(part, { content: "changed", 0: "changed" })).toThrow(TypeError);
    }
    expect(JSON.stringify(session.buildSessionContext())).toBe(before);
    session.close();
  });

  it("has another result for a call that was interrupted, each time", () => {
    const session = started();
    const before = JSON.stringify(session.buildSessionContext());
    const last = session.buildSessionContext().messages.at(-1) as { content: unknown };
    last.content = "changed";
    expect(JSON.stringify(session.buildSessionContext())).toBe(before);
    session.close();
  });

  it("does not freeze what is given to it", () => {
    const session = started();
    const message = { ...user("mine"), extra: { list: [1] } };
    session.appendMessage(message);
    session.buildSessionContext();
    const entries = session.getEntries().map((entry) => JSON.parse(JSON.stringify(entry)));
    buildSessionContext(entries);
    message.extra.list.push(2);
    entries[0].message.content = "changed";
    session.close();
  });
});
