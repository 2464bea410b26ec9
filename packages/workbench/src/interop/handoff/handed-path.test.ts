/** Which part of a path is handed off, to any agent. */
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { SERVERS_TYPE, type SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { assistant, user } from "../../../../../test/support/messages.js";
import { WRITERS } from "../agents.js";
import type { ForeignWriter, WritePlan } from "../contract.js";
import { openForeign } from "../open-foreign.js";

function sample(name: string): string {
  return fileURLToPath(new URL(`../../../../../test/fixtures/interop/${name}`, import.meta.url));
}

const writers = WRITERS.map((writer) => [writer.agent, writer] as const);

function planOf(writer: ForeignWriter, entries: readonly SessionEntry[]): WritePlan {
  return writer.planWrite({
    entries,
    cwd: tmpdir(),
    places: { home: "/home/dev" },
    now: () => new Date("2026-01-02T03:04:05.000Z"),
    newId: () => "00000000-0000-4000-8000-000000000001",
  });
}

describe("a context that was cleared", () => {
  function cleared(): SessionEntry[] {
    const session = SessionManager.inMemory(tmpdir());
    session.appendMessage(user("The word is cobalt."));
    session.appendMessage(assistant("Cobalt it is."));
    const parentId = session.getLeafId();
    const reset = { type: "reset_boundary", id: "0clear00", parentId, timestamp: "2026-01-01T00:00:00.000Z" };
    const after = SessionManager.inMemory(tmpdir());
    after.appendMessage(user("Start over."));
    return [...session.getBranch(), reset as SessionEntry, ...after.getBranch()];
  }

  it.each(writers)("stays cleared for %s, and is listed as a loss", (_, writer) => {
    const plan = planOf(writer, cleared());
    const text = [...plan.lines].join("\n");
    expect([/cobalt/i.test(text), text.includes("Start over."), text.includes("reset_boundary")]).toEqual([
      ...[false, true, false],
    ]);
    expect(plan.losses).toContainEqual({
      entryId: "0clear00",
      what: "a cleared context",
      effect: "the conversation before it is not written",
    });
  });

  it.each(writers)("with nothing after it leaves nothing to write for %s", (_, writer) => {
    const path = cleared().slice(0, -1);
    expect(() => planOf(writer, path)).toThrow(expect.objectContaining({ code: "nothing-to-write" }));
  });
});

describe("calls of a local server, which all have the same id", () => {
  const STEPS = ["one", "two", "three"];

  function called(id: string): SessionEntry[] {
    const session = SessionManager.inMemory(tmpdir());
    for (const step of STEPS) {
      session.appendMessage(user(`Read ${step}.txt`));
      const call = { type: "toolCall" as const, id, name: "read", arguments: { path: `${step}.txt` } };
      session.appendMessage({ ...assistant(""), content: [call], stopReason: "toolUse" });
      const content = [{ type: "text" as const, text: `content of ${step}` }];
      session.appendMessage({
        role: "toolResult",
        toolCallId: id,
        toolName: "read",
        content,
        isError: false,
        timestamp: 1,
      });
    }
    session.appendMessage(assistant("Done."));
    return [...session.getBranch()];
  }

  it.each(writers)("get unique IDs for %s, and each keeps its own result", (_, writer) => {
    const ids = new Map(STEPS.map((step) => [step, new Set<string>()]));
    for (const record of recordsIn([...planOf(writer, called("call_0")).lines])) {
      for (const part of partsOf(record)) {
        const text = JSON.stringify(part);
        const step = STEPS.filter((one) => text.includes(`${one}.txt`) || text.includes(`content of ${one}`));
        const [id] = ["call_id", "tool_use_id", "toolCallId", "callID", "id"].flatMap((field) => {
          const value = (part as Readonly<Record<string, unknown>>)[field];
          return typeof value === "string" && value.startsWith("call_0") ? [value] : [];
        });
        if (step.length === 1 && id !== undefined) ids.get(step[0] as string)?.add(id);
      }
    }
    expect([...ids.values()].map((of) => [...of])).toEqual([["call_0"], ["call_0_2"], ["call_0_3"]]);
  });

  it("keep the provider's own item ID", () => {
    const pi = WRITERS.find(({ agent }) => agent === "pi") as ForeignWriter;
    const text = [...planOf(pi, called("call_0|fc_1")).lines].join("\n");
    expect([...new Set(text.match(/call_0[^"]*/g))]).toEqual(["call_0|fc_1", "call_0_2|fc_1", "call_0_3|fc_1"]);
  });
});

/** Parses one record per line, or one record that spans all lines. */
function recordsIn(lines: readonly string[]): readonly unknown[] {
  try {
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    return [JSON.parse(lines.join("\n"))];
  }
}

/** All objects inside a value, including the value itself. */
function* partsOf(value: unknown): Generator<object> {
  if (typeof value !== "object" || value === null) return;
  yield value;
  for (const inner of Object.values(value)) yield* partsOf(inner);
}

describe("an edit of the context", () => {
  const edit = (targetId: string, replacement: unknown) =>
    ({
      ...{ type: "context_edit", id: "0edit000", parentId: null, timestamp: "2026-01-01T00:00:00.000Z" },
      ...{ targetId, replacement },
    }) as unknown as SessionEntry;

  it.each(writers)("in pi's format is applied for %s", (_, writer) => {
    const session = SessionManager.inMemory(tmpdir());
    const id = session.appendMessage(user("The word is cobalt."));
    session.appendMessage(user("Go on."));
    const plan = planOf(writer, [...session.getBranch(), edit(id, { content: [{ type: "text", text: "No word." }] })]);
    const text = [...plan.lines].join("\n");
    expect([text.includes("cobalt"), text.includes("No word.")]).toEqual([false, true]);
  });

  it.each(writers)("of an unknown kind is listed as a loss for %s", (_, writer) => {
    const session = SessionManager.inMemory(tmpdir());
    const id = session.appendMessage(user("The word is cobalt."));
    const { losses } = planOf(writer, [...session.getBranch(), edit(id, { words: "No word." })]);
    expect(losses).toContainEqual(
      expect.objectContaining({
        entryId: "0edit000",
        effect: "not applied; its target is written unchanged",
      }),
    );
  });

  it.each(writers)("of a summary, a command or a branch summary is applied for %s", (_, writer) => {
    const session = SessionManager.inMemory(tmpdir());
    session.appendMessage(user("Before."));
    const compaction = session.appendCompaction("Cobalt was the word.", session.getLeafId() as string, 1);
    const left = session.branchWithSummary(session.getLeafId() as string, "Cobalt was tried.");
    const command = session.appendMessage({
      ...{ role: "bashExecution", command: "cat word", output: "cobalt", cancelled: false, truncated: false },
      timestamp: 1,
    });
    session.appendMessage(user("Go on."));
    for (const id of [compaction, left, command]) session.appendContextEdit(id, "(gone)");
    const text = [...planOf(writer, session.getBranch()).lines].join("\n");
    expect([/cobalt/i.test(text), text.split("(gone)").length > 2]).toEqual([false, true]);
  });

  it.each(writers)(
    "that leaves out the summary of a compaction does not bring back what it replaced: %s",
    (_, writer) => {
      const session = SessionManager.inMemory(tmpdir());
      session.appendMessage(user("The word is cobalt."));
      const prompt = session.appendMessage(user("Go on."));
      const compaction = session.appendCompaction("A summary.", prompt, 1);
      session.appendMessage(user("And on."));
      session.appendContextEdit(compaction, null);
      const home = planOf(writer, session.getBranch());
      expect([...home.lines].join("\n")).not.toContain("A summary.");
      expect([...home.lines].some((line) => /compact|state_snapshot|compaction/.test(line))).toBe(true);
    },
  );
});

describe("instructions that the first agent gave its own model", () => {
  const codex = sample("codex/rollout-2026-11-15T08-49-59-01a1de66-2aa1-7951-8173-23e1e8982c2c.jsonl");
  const gemini = sample("gemini/session-2026-11-15T08-50-894c528a.jsonl");

  it.each([
    ["codex", codex, /<environment_context>|<permissions instructions>|<skills_instructions>/],
    ["gemini", gemini, /<session_context>/],
  ] as const)("is not handed on as the person's words, and is counted: %s", async (from, path, injected) => {
    const opened = await openForeign(path);
    const entries = opened.session.getBranch();
    opened.close();
    expect(JSON.stringify(entries)).toMatch(injected);
    for (const [agent, writer] of writers) {
      if (agent === from) continue;
      const plan = planOf(writer, entries);
      expect([...plan.lines].join("\n")).not.toMatch(injected);
      expect(plan.leftOut?.length).toBeGreaterThan(0);
      expect(plan.losses.filter(({ what }) => what.includes(`${from}.context`))).toEqual([]);
    }
  });

  it("are kept if the user wrote such words", () => {
    const session = SessionManager.inMemory(tmpdir());
    session.appendMessage(user("<environment_context> is what Codex sends. Why?"));
    for (const [, writer] of writers) {
      const plan = planOf(writer, session.getBranch());
      expect([...plan.lines].join("\n")).toContain("<environment_context> is what Codex sends.");
      expect(plan.leftOut).toBeUndefined();
    }
  });
});

describe("Claude Code's own records", () => {
  it("are all written back for Claude Code, so that its provider's cache still matches", async () => {
    const opened = await openForeign(sample("claude-code/parallel-tools.jsonl"));
    const notes = opened.session
      .getBranch()
      .flatMap((entry) => (entry.type === "custom" && entry.customType === "bough.import" ? [entry.data] : []))
      .map((data) => (data as { record: { uuid?: string; type?: string } }).record)
      .filter(({ uuid, type }) => typeof uuid === "string" && type === "attachment");
    const plan = planOf(
      writers.find(([agent]) => agent === "claude-code")?.[1] as ForeignWriter,
      opened.session.getBranch(),
    );
    const written = new Set([...plan.lines].map((line) => JSON.parse(line).uuid));
    opened.close();
    expect(notes.length).toBeGreaterThan(0);
    expect(notes.filter(({ uuid }) => !written.has(uuid))).toEqual([]);
    expect(plan.losses).toEqual([]);
  });
});

it.each(writers)("what MCP servers said about themselves is not handed to %s", (_, writer) => {
  const session = SessionManager.inMemory(tmpdir());
  session.appendMessage(user("Hello."));
  const id = session.appendCustomMessageEntry(SERVERS_TYPE, "Find tools with tool_search.", false, { servers: {} });
  session.appendMessage(assistant("Hi."));
  const plan = planOf(writer, session.getBranch());
  expect([...plan.lines].join("\n")).not.toContain("tool_search");
  expect(plan.leftOut).toEqual([
    { entryId: id, what: "instructions of MCP servers", effect: expect.stringContaining("asks its own servers") },
  ]);
});
