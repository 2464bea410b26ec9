import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { describe, expect, it } from "vitest";
import { FIXTURES } from "../../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import type { WritePlan } from "../../contract.js";
import { LossCollector } from "../../loss-report.js";
import { codexReader } from "../codex-reader.js";
import { codexWriter } from "./codex-writer.js";

const ID = "11111111-2222-4333-8444-555555555555";
const NOW = "2026-05-06T07:08:09.000Z";

function plan(entries: readonly SessionEntry[], home = "/home/someone"): WritePlan {
  const places = { home };
  return codexWriter.planWrite({ entries, cwd: "/repo", places, now: () => new Date(NOW), newId: () => ID });
}

async function entriesAt(path: string): Promise<SessionEntry[]> {
  const [source] = await codexReader.describe(path);
  if (source === undefined) throw new Error(`nothing in ${path}`);
  const entries: SessionEntry[] = [];
  for await (const entry of codexReader.read(source, { report: new LossCollector() })) entries.push(entry);
  return entries;
}

function items(lines: Iterable<string>): unknown[] {
  const records = [...lines].filter((line) => line !== "").map((line) => JSON.parse(line) as Record<string, unknown>);
  return records
    .filter(({ type }) => type === "response_item" || type === "compacted")
    .map(({ type, payload, metadata }) => ({ type, payload, ...(metadata === undefined ? {} : { metadata }) }));
}

function user(id: string, parentId: string | null, text: string): SessionEntry {
  const message = { role: "user" as const, content: text, timestamp: 0 };
  return { type: "message", id, parentId, timestamp: "2026-05-06T07:00:00.000Z", message };
}

function answer(id: string, parentId: string, content: readonly object[]): SessionEntry {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const message = {
    role: "assistant" as const,
    content: content as never,
    ...{
      api: "anthropic-messages",
      provider: "anthropic",
      model: "m",
      usage,
      stopReason: "stop" as const,
      timestamp: 0,
    },
  };
  return { type: "message", id, parentId, timestamp: "2026-05-06T07:00:01.000Z", message };
}

const foreign: readonly SessionEntry[] = [
  user("a", null, "Look around."),
  answer("b", "a", [
    { type: "thinking", thinking: "First a look.", thinkingSignature: "c2ln" },
    { type: "text", text: "Looking." },
    { type: "toolCall", id: "toolu_1", name: "bash", arguments: { command: "ls" } },
  ]),
  {
    type: "message",
    id: "c",
    parentId: "b",
    timestamp: "2026-05-06T07:00:02.000Z",
    message: {
      role: "toolResult",
      toolCallId: "toolu_1",
      toolName: "bash",
      content: [{ type: "text", text: "no such folder" }],
      isError: true,
      timestamp: 0,
    },
  },
  { type: "label", id: "d", parentId: "c", timestamp: "2026-05-06T07:00:03.000Z", targetId: "c", label: "here" },
];

describe("a path written as a rollout", () => {
  it("has the ID, folder and first line that resuming needs", () => {
    const { path, sessionId, lines, resume } = plan(foreign);
    expect(path).toMatch(/^\/home\/someone\/\.codex\/sessions\/2026\/05\/0[567]\/rollout-2026-05-0[567]T.*\.jsonl$/);
    expect(path.endsWith(`-${ID}.jsonl`)).toBe(true);
    expect(sessionId).toBe(ID);
    expect(resume).toEqual({ command: ["codex", "resume", ID], cwd: "/repo" });
    const [meta] = [...lines].map((line) => JSON.parse(line));
    expect(meta).toEqual({
      timestamp: NOW,
      type: "session_meta",
      payload: {
        id: ID,
        session_id: ID,
        timestamp: NOW,
        cwd: "/repo",
        originator: "bough",
        cli_version: "0.0.0",
        source: "cli",
      },
    });
    expect([...lines].every((line) => typeof JSON.parse(line).timestamp === "string")).toBe(true);
  });

  it("contains another agent's conversation as items, in order, within a turn", () => {
    const { lines } = plan(foreign);
    const written = [...lines]
      .map((line) => JSON.parse(line))
      .map(({ type, payload }) => `${type}/${payload.type ?? ""}`);
    expect(written.slice(1)).toEqual([
      "event_msg/task_started",
      "event_msg/user_message",
      "response_item/message",
      "response_item/reasoning",
      "response_item/message",
      "event_msg/agent_message",
      "response_item/function_call",
      "response_item/function_call_output",
      "event_msg/task_complete",
    ]);
    expect(items(lines).slice(2)).toEqual([
      {
        type: "response_item",
        payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: "Looking." }] },
      },
      {
        type: "response_item",
        payload: { type: "function_call", name: "bash", arguments: '{"command":"ls"}', call_id: "toolu_1" },
      },
      {
        type: "response_item",
        payload: { type: "function_call_output", call_id: "toolu_1", output: "no such folder" },
      },
    ]);
  });

  it("reports what the rollout cannot store", () => {
    expect(plan(foreign).losses.map(({ entryId, what }) => [entryId, what])).toEqual([
      ["b", "a thinking signature"],
      ["c", "the error flag of a result"],
      ["d", "a label"],
    ]);
  });

  it("reports the loss of the session name once, whether it is on the path or only in the request", () => {
    const named = { type: "session_info", id: "n1", parentId: "f1", timestamp: NOW, name: "Fruits" } as SessionEntry;
    const request = { cwd: "/repo", places: { home: "/home/someone" }, now: () => new Date(NOW), newId: () => ID };
    const lossesOf = (entries: readonly SessionEntry[]) =>
      codexWriter
        .planWrite({ ...request, entries, title: "Fruits" })
        .losses.filter(({ what }) => what === "the session name");
    expect([lossesOf(foreign).length, lossesOf([...foreign, named]).length]).toEqual([1, 1]);
  });

  it("puts what a compaction keeps after its summary", () => {
    const compaction: SessionEntry = {
      ...{ type: "compaction", id: "k", parentId: "c", timestamp: "2026-05-06T07:00:04.000Z" },
      ...{ summary: "They looked around.", firstKeptEntryId: "b", tokensBefore: 10 },
    } as SessionEntry;
    const written = items(plan([...foreign.slice(0, 3), compaction]).lines) as { type: string; payload: never }[];
    const { payload } = written.at(-1) as { payload: { message: string; replacement_history: { type: string }[] } };
    expect(payload.message).toBe("They looked around.");
    expect(payload.replacement_history.map(({ type }) => type)).toEqual([
      "message",
      "reasoning",
      "message",
      "function_call",
      "function_call_output",
    ]);
    expect(JSON.stringify(payload.replacement_history[0])).toContain("They looked around.");
  });

  it("omits what an edit removed, but keeps a placeholder for a result", () => {
    const time = "2026-05-06T07:00:05.000Z";
    const edits: SessionEntry[] = [
      { type: "context_edit", id: "e", parentId: "d", timestamp: time, targetId: "a", replacement: null },
      { type: "context_edit", id: "f", parentId: "e", timestamp: time, targetId: "c", replacement: "(hidden)" },
    ];
    const text = JSON.stringify(items(plan([...foreign, ...edits]).lines));
    expect(text).not.toContain("Look around.");
    expect(text).not.toContain("no such folder");
    expect(text).toContain("(hidden)");
  });

  it("writes a result in the form that Codex reads, even if another tool used answer parts", async () => {
    const path = join(tempFolder(), `rollout-2026-05-06T07-08-09-${ID}.jsonl`);
    const line = (type: string, payload: object) => JSON.stringify({ timestamp: NOW, type, payload });
    const output = [{ type: "output_text", text: "Done!" }];
    const lines = [
      line("session_meta", { id: ID, timestamp: NOW, cwd: "/repo" }),
      line("response_item", { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] }),
      line("response_item", { type: "custom_tool_call", call_id: "c", name: "apply_patch", input: "patch" }),
      line("response_item", { type: "custom_tool_call_output", call_id: "c", output }),
    ];
    writeFileSync(path, `${lines.join("\n")}\n`);
    const written = items(plan(await entriesAt(path)).lines);
    expect(written.at(-1)).toMatchObject({
      payload: { type: "custom_tool_call_output", call_id: "c", output: [{ type: "input_text", text: "Done!" }] },
    });
  });

  it("reads back as the same conversation", async () => {
    const home = tempFolder();
    const { path, lines } = plan(foreign, home);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, [...lines].map((line) => `${line}\n`).join(""));
    expect(await codexReader.detect(path)).toBe(true);
    const messages = (await entriesAt(path)).flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
  });
});

const real = join(FIXTURES, "real/codex");
const rollouts = existsSync(real)
  ? readdirSync(real, { recursive: true })
      .map((name) => join(real, String(name)))
      .filter((name) => name.endsWith(".jsonl"))
  : [];

describe("rollouts that Codex wrote", () => {
  it.skipIf(rollouts.length === 0)(rollouts.length === 0 ? "are not here: set BOUGH_FIXTURES" : "are here", () => {
    expect(rollouts.length).toBeGreaterThan(5);
  });

  it.each(rollouts.map((path) => [path.slice(real.length + 1), path] as const))(
    "are read back with every item unchanged: %s",
    async (_name, path) => {
      const [source] = await codexReader.describe(path);
      const before = [...(source?.files ?? [])].reverse().flatMap((file) => readFileSync(file, "utf8").split("\n"));
      const after = items(plan(await entriesAt(path)).lines);
      // A fork continues a part of its parent's file.
      const expected =
        source?.files.length === 1
          ? items(before)
          : items(before).filter((item) => after.some((own) => same(own, item)));
      expect(after).toEqual(expected);
      expect(after.length).toBeGreaterThan(2);
    },
  );
});

function same(a: unknown, b: unknown): boolean {
  return (
    JSON.stringify((a as { payload: { id?: string } }).payload.id) ===
    JSON.stringify((b as { payload: { id?: string } }).payload.id)
  );
}
