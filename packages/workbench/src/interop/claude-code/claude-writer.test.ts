/** Claude Code's own records are written back unchanged, and any other path is written so that it can be resumed. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AssistantMessage, SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { convertFile, FIXTURES, pathOf, recordsIn } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { WritePlan } from "../contract.js";
import { writeTranscript } from "../handoff/handoff-transcript.js";
import { importSession } from "../import/import-session.js";
import { MissingCallIds } from "./claude-call-ids.js";
import { claudeReader } from "./claude-reader.js";
import type { JsonObject } from "./claude-record.js";
import { claudeWriter } from "./claude-writer.js";

const own = fileURLToPath(new URL("../../../../../test/fixtures/interop/claude-code", import.meta.url));
const roots = [own, join(FIXTURES, "foreign/claude-code"), join(FIXTURES, "real/claude")].filter((root) =>
  existsSync(root),
);
const samples = roots
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, String(name))))
  .filter((path) => path.endsWith(".jsonl") && !path.includes("subagents"));

function planOf(
  entries: readonly SessionEntry[],
  home = "/home/dev",
  notes: "leave-out" | "keep" = "leave-out",
): WritePlan {
  let made = 0;
  return claudeWriter.planWrite({
    entries,
    cwd: "/home/dev/My_Proj.x",
    places: { home },
    notes,
    now: () => new Date("2026-01-02T03:04:05.000Z"),
    newId: () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`,
  });
}

const recordsOf = (plan: WritePlan) => [...plan.lines].map((line) => JSON.parse(line) as JsonObject);

/** Uuid, parent and content of each message. */
function messagesOf(records: readonly JsonObject[]) {
  const messages = records.filter(
    ({ type, uuid }) => (type === "user" || type === "assistant") && typeof uuid === "string",
  );
  return new Map(messages.map((record) => [record.uuid as string, record]));
}

/** The nearest message above a record, skipping other records. */
function messageAbove(record: JsonObject, all: ReadonlyMap<string, JsonObject>): string | undefined {
  const up = (at: JsonObject | undefined) => all.get(String(at?.parentUuid ?? at?.logicalParentUuid ?? ""));
  let above = up(record);
  while (above !== undefined && above.type !== "user" && above.type !== "assistant") above = up(above);
  return above?.uuid as string | undefined;
}

describe("writing back to Claude Code", () => {
  it.each(samples)("keeps every uuid, parent and content of the path: %s", async (path) => {
    const { entries } = await convertFile(claudeReader, path);
    // Calls without IDs get one, because the provider rejects them otherwise.
    const ids = new MissingCallIds();
    const original = new Map(
      recordsIn(path)
        .flatMap((line) => {
          try {
            const record = JSON.parse(line) as JsonObject;
            return typeof record?.uuid === "string" ? [[record.uuid, ids.fill(record, record.uuid)] as const] : [];
          } catch {
            return [];
          }
        })
        .reverse(),
    );
    const said = entries.filter((entry) => entry.type === "message" && "origin" in entry);
    const leaf = said.findLast((entry) => !JSON.stringify(entry).includes('"isSidechain":true'));
    if (leaf === undefined) return;
    const plan = planOf(JSON.parse(JSON.stringify(pathOf(entries, leaf.id))) as SessionEntry[]);
    const written = messagesOf(recordsOf(plan));
    const rest = new Map(
      recordsOf(plan).flatMap((record) => (typeof record.uuid === "string" ? [[record.uuid, record]] : [])),
    );
    expect(written.size).toBeGreaterThan(0);
    for (const [uuid, record] of written) {
      const before = original.get(uuid);
      // Records without a uuid get one.
      if (before === undefined) continue;
      expect((record.message as JsonObject).content).toEqual((before.message as JsonObject).content);
      const above = messageAbove(before, original);
      if (above !== undefined && written.has(above)) expect(messageAbove(record, rest)).toBe(above);
    }
  });

  it("keeps the exact records, including parallel calls with their own parents", async () => {
    const { entries } = await convertFile(claudeReader, join(own, "parallel-tools.jsonl"));
    const plan = planOf(entries.filter((entry) => entry.parentId !== null || entry.type === "message"));
    const original = messagesOf(
      recordsIn(join(own, "parallel-tools.jsonl")).map((line) => JSON.parse(line) as JsonObject),
    );
    const written = messagesOf(recordsOf(plan));
    expect([...written.keys()]).toEqual([...original.keys()]);
    for (const [uuid, record] of written) {
      const before = original.get(uuid) as JsonObject;
      // The session ID is new, and attachments in between are not written.
      const parentUuid = original.has(String(before.parentUuid)) ? before.parentUuid : record.parentUuid;
      expect(record).toEqual({ ...before, parentUuid, sessionId: plan.sessionId });
    }
  });

  it.each(["rewind", "parallel-tools", "compaction"])(
    "keeps every record of the path as it was where asked: %s",
    async (name) => {
      const path = join(own, `${name}.jsonl`);
      const { entries } = await convertFile(claudeReader, path);
      const leaf = entries.findLast((entry) => entry.type === "message") as SessionEntry;
      const plan = planOf(pathOf(entries, leaf.id), "/home/dev", "keep");
      const original = new Map(
        recordsIn(path).map((line) => {
          const record = JSON.parse(line) as JsonObject;
          return [record.uuid, { ...record, sessionId: plan.sessionId }];
        }),
      );
      const written = recordsOf(plan).filter(({ uuid }) => uuid !== undefined);
      expect(written.length).toBeGreaterThan(10);
      for (const record of written) expect(record).toEqual(original.get(record.uuid as string));
    },
  );

  it("leaves out what Claude Code would send as its own prompt, and reports that", async () => {
    const { entries } = await convertFile(claudeReader, join(own, "rewind.jsonl"));
    const leaf = entries.findLast((entry) => entry.type === "message") as SessionEntry;
    const plan = planOf(pathOf(entries, leaf.id));
    expect(recordsOf(plan).map(({ type }) => type)).toEqual(["user", "assistant", "user", "assistant", "last-prompt"]);
    expect(plan.losses.every(({ what }) => what === "a record of type attachment")).toBe(true);
    expect(plan.losses.length).toBeGreaterThan(0);
  });
});

const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
const said = (fields: Partial<AssistantMessage>): AssistantMessage => ({
  role: "assistant",
  content: [],
  api: "openai-responses",
  provider: "openai",
  model: "gpt",
  usage,
  stopReason: "stop",
  timestamp: 0,
  ...fields,
});

function mixedSession(): SessionManager {
  const session = SessionManager.inMemory("/home/dev/project", { now: () => new Date("2026-01-01T00:00:00.000Z") });
  session.appendMessage({ role: "user", content: "Read it.", timestamp: 0 });
  session.appendMessage(
    said({
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "Reading." },
        { type: "toolCall", id: "call_1", name: "exec_command", arguments: { cmd: "cat a" } },
      ],
      stopReason: "toolUse",
    }),
  );
  const content = [{ type: "text" as const, text: "words" }];
  session.appendMessage({
    role: "toolResult",
    toolCallId: "call_1",
    toolName: "exec_command",
    content,
    isError: false,
    timestamp: 0,
  });
  return session;
}

describe("a path from elsewhere", () => {
  it("becomes a chain with calls and results, and reports what is left out", () => {
    const session = mixedSession();
    session.appendMessage(said({ content: [], stopReason: "error" }));
    session.appendModelChange("openai", "gpt-2");
    session.appendMessage({ role: "user", content: "Go on.", timestamp: 0 });
    const plan = planOf(session.getBranch());
    const records = recordsOf(plan);
    expect(records.map(({ type, parentUuid }) => [type, parentUuid])).toEqual([
      ["user", null],
      ["assistant", records[0]?.uuid],
      ["user", records[1]?.uuid],
      ["user", records[2]?.uuid],
      ["last-prompt", undefined],
    ]);
    expect(records[1]).toMatchObject({
      message: {
        content: [
          { type: "text", text: "Reading." },
          { type: "tool_use", id: "call_1", name: "exec_command", input: { cmd: "cat a" } },
        ],
        stop_reason: "tool_use",
      },
    });
    expect(records[2]).toMatchObject({
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "words" }] },
    });
    expect(records.at(-1)).toMatchObject({ lastPrompt: "Go on.", leafUuid: records[3]?.uuid });
    expect(plan.losses.map(({ what }) => what)).toEqual([
      "thinking not signed by Anthropic",
      "a failed answer",
      "a settings change",
    ]);
    expect(plan.resume).toEqual({ command: ["claude", "--resume", plan.sessionId], cwd: "/home/dev/My_Proj.x" });
  });

  it("writes a compaction as a boundary that names the records it keeps", () => {
    const session = mixedSession();
    const kept = session.appendMessage({ role: "user", content: "Kept.", timestamp: 0 });
    session.appendCompaction("What happened.", kept, 1234);
    session.appendMessage({ role: "user", content: "After.", timestamp: 0 });
    const records = recordsOf(planOf(session.getBranch()));
    const [, , , keptRecord, boundary, summary, after] = records;
    expect(boundary).toMatchObject({
      subtype: "compact_boundary",
      parentUuid: null,
      logicalParentUuid: keptRecord?.uuid,
      compactMetadata: {
        preTokens: 1234,
        preservedSegment: { headUuid: keptRecord?.uuid, anchorUuid: summary?.uuid, tailUuid: keptRecord?.uuid },
      },
    });
    expect(summary).toMatchObject({
      isCompactSummary: true,
      parentUuid: boundary?.uuid,
      message: { content: "What happened." },
    });
    expect(after).toMatchObject({ parentUuid: summary?.uuid });
  });

  it("is written as the model saw it if the context was edited", () => {
    const session = mixedSession();
    const [first, , third] = session.getBranchIds();
    session.appendContextEdit(first as string, "Read something.");
    session.appendContextEdit(third as string, null);
    const records = recordsOf(planOf(session.getBranch()));
    expect(records[0]).toMatchObject({ message: { content: [{ type: "text", text: "Read something." }] } });
    expect(JSON.stringify(records[2])).not.toContain("words");
    expect(records[2]).toMatchObject({ message: { content: [{ type: "tool_result", tool_use_id: "call_1" }] } });
  });

  it("is stored where Claude Code looks, is private, and reads back as the same conversation", async () => {
    const home = tempFolder();
    const plan = planOf(mixedSession().getBranch(), home);
    expect(plan.path).toBe(join(home, ".claude/projects/-home-dev-My-Proj-x", `${plan.sessionId}.jsonl`));
    writeTranscript(plan);
    expect(statSync(plan.path).mode & 0o777).toBe(0o600);
    const { entries, report } = await convertFile(claudeReader, plan.path);
    expect(report.reported).toBe(0);
    const roles = entries.flatMap((entry) => (entry.type === "message" ? [entry.message.role] : []));
    expect(roles).toEqual(["user", "assistant", "toolResult"]);
    const [source] = await claudeReader.describe(plan.path);
    if (source === undefined) throw new Error("no session");
    expect(await importSession(source, { dir: join(home, "bough") })).toMatchObject({ kind: "imported" });
  });

  it("never replaces another file", () => {
    const plan = planOf(mixedSession().getBranch(), tempFolder());
    writeTranscript(plan);
    writeFileSync(plan.path, "mine\n");
    expect(() => writeTranscript(plan)).toThrow(expect.objectContaining({ code: "target-exists" }));
    expect(readFileSync(plan.path, "utf8")).toBe("mine\n");
  });

  it("is refused if it has no conversation", () => {
    expect(() => planOf([])).toThrow(expect.objectContaining({ code: "nothing-to-write" }));
  });
});
