/** The trees that Claude Code's transcripts become, and where each odd record goes. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CompactionEntry, CustomEntry, MessageEntry, SessionEntry } from "@bough/session/entry/index.js";
import { describe, expect, it } from "vitest";
import { drawEntries } from "../../../../../test/support/draw-entries.js";
import { convertFile, writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { SubagentData } from "../foreign-entry.js";
import { claudeFolderName, claudeProjects } from "./claude-places.js";
import { claudeReader } from "./claude-reader.js";
import { answer, call, convertRecords, result, text, user } from "./claude-records.test-support.js";

const samples = fileURLToPath(new URL("../../../../../test/fixtures/interop/claude-code", import.meta.url));

const convert = (name: string) => convertFile(claudeReader, join(samples, name));

const messagesIn = (entries: readonly SessionEntry[]) =>
  entries.filter((entry): entry is MessageEntry => entry.type === "message");

describe("a transcript of Claude Code", () => {
  it("turns a rewind into a branch", async () => {
    const { entries } = await convert("rewind.jsonl");
    expect(drawEntries(entries)).toMatchInlineSnapshot(`
      "user: Pick a number.
      assistant: Seven.
        user: Double it.
        assistant: Fourteen.
        user: Triple it instead.
        assistant: Twenty-one."
    `);
  });

  it("puts parallel calls in one answer and their results on one path", async () => {
    const { entries, report } = await convert("parallel-tools.jsonl");
    expect(drawEntries(entries)).toMatchInlineSnapshot(`
      "user: Look at both files at once, then write …
      assistant: Two reads and a missing one. [Read] [Re…
      result of Read: File does not exist. Note: your current…
      result of Read: 1 # Kettle 2 3 A tiny program that says…
      result of Read: 1 export const hot = (t) => t >= 100; 2…
      assistant: Writing. [Write]
      result of Write: File created successfully at: /home/dev…
      assistant: [Bash]
      result of Bash: Exit code 3 # Summary Kettle, 2 files.
      assistant: summary.md is written; the last command…"
    `);
    expect(report.unknown).toEqual([]);
  });

  it("puts a compaction after what it summarizes, anchored at what was kept", async () => {
    const { entries } = await convert("compaction.jsonl");
    expect(drawEntries(entries)).toMatchInlineSnapshot(`
      "user: Read README.md.
      assistant: [Read]
      result of Read: 1 # Kettle 2 3 A tiny program that says…
      assistant: It is about a kettle.
      user: What is the boiling point?
      assistant: 100 degrees.
      compaction: This session is being continued from a …
      claude-code.local-command-caveat: <local-command-caveat>The command below…
      claude-code.command-name: <command-name>/compact</command-name> <…
      claude-code.local-command-stdout: <local-command-stdout>Compacted (ctrl+o…
      user: Carry on after the summary.
      assistant: Carrying on."
    `);
    const compaction = entries.find((entry): entry is CompactionEntry => entry.type === "compaction");
    const anchor = entries.find((entry) => entry.id === compaction?.firstKeptEntryId) as MessageEntry;
    expect(compaction?.parentId).toBe(anchor.id);
    expect(compaction?.tokensBefore).toBe(160);
    expect(anchor.message).toMatchObject({ role: "assistant", content: [{ type: "text" }] });
  });

  it("puts a sub-agent below the call that started it, linked both ways", async () => {
    const { entries } = await convert("subagent/700a8432-0d71-4294-bebc-a5f440a156b4.jsonl");
    expect(drawEntries(entries)).toMatchInlineSnapshot(`
      "user: Let a helper look at src.
      assistant: I ask a helper. [Agent]
        result of Agent: <tools-used-before-summary>Bash</tools-…
        assistant: The helper found kettle.js.
        sub-agent
        subagent.prompt: List what is in src.
        assistant: Helper here. [Bash]
        result of Bash: kettle.js
        assistant: src holds kettle.js."
    `);
    const agent = entries.find(
      (entry) => entry.type === "custom" && entry.customType === "bough.subagent",
    ) as CustomEntry<SubagentData>;
    const results = messagesIn(entries).filter(({ message }) => message.role === "toolResult");
    const linked = results.find(
      ({ message }) => (message as { details?: { subagent?: string } }).details?.subagent === agent.id,
    );
    expect(agent.data).toMatchObject({
      agentId: "ac1cb6aeeceb05b6c",
      callEntryId: agent.parentId,
      meta: { finished: true },
    });
    expect(linked?.message).toMatchObject({ toolCallId: agent.data?.toolCallId });
    expect(entries.at(-1)).toMatchObject({ type: "custom", customType: "bough.position" });
  });
});

describe("records of Claude Code", () => {
  it("merges the blocks of one answer, with the last usage, even if a result came in between", async () => {
    const { entries } = await convertRecords([
      user("go"),
      answer("m1", text("first")),
      answer("m1", call("a")),
      { ...result("a"), parentUuid: "u2" },
      { ...answer("m1", call("b")), parentUuid: "u2" },
      { ...result("b"), parentUuid: "u4" },
      { ...answer("m2", text("done")), parentUuid: "u3" },
    ]);
    expect(drawEntries(entries)).toBe(
      [
        "user: go",
        "assistant: first [Read] [Read]",
        "result of Read: of a",
        "result of Read: of b",
        "assistant: done",
      ].join("\n"),
    );
  });

  it("turns a second result for the same call into a branch", async () => {
    const { entries } = await convertRecords([
      user("go"),
      answer("m1", call("a")),
      result("a"),
      answer("m2", text("one")),
      { ...result("a"), parentUuid: "u1" },
      answer("m3", text("two")),
    ]);
    expect(drawEntries(entries).split("\n")).toEqual([
      "user: go",
      "assistant: [Read]",
      "  result of Read: of a",
      "  assistant: one",
      "  result of Read: of a",
      "  assistant: two",
    ]);
  });

  it("attaches a record whose parent is missing to the one before, and reports that", async () => {
    const { entries, report } = await convertRecords([
      user("one"),
      answer("m1", text("two")),
      { ...user("three"), parentUuid: "never-written" },
    ]);
    expect(drawEntries(entries)).toBe("user: one\nassistant: two\nuser: three");
    expect(report.counts.find(({ reason }) => reason !== undefined)).toMatchObject({
      fate: "kept",
      reason: "its parent is not in the file",
      lines: [[3, 3]],
    });
  });

  it("cuts a loop of parents without losing an entry", async () => {
    const { entries } = await convertRecords([
      { ...user("one"), parentUuid: "u1" },
      { ...answer("m1", text("two")), parentUuid: "u0" },
    ]);
    expect(messagesIn(entries)).toHaveLength(2);
    expect(entries.filter((entry) => entry.parentId === null)).toHaveLength(1);
  });

  it("keeps unknown types and duplicate uuids as notes, and names the types", async () => {
    const { entries, report } = await convertRecords([
      user("one"),
      { type: "hologram", shape: "cube" },
      { ...user("one"), uuid: "u0" },
    ]);
    expect(report).toMatchObject({ kept: 1, notes: 2, unknown: ["record type hologram"] });
    expect(entries.filter((entry) => entry.type === "custom")).toMatchObject([
      { customType: "bough.import", data: { type: "hologram", line: 2, record: { shape: "cube" } } },
      { customType: "bough.import", data: { type: "user", line: 3 } },
    ]);
  });

  it("does not treat text inserted by Claude Code as a prompt, but still shows it to the model", async () => {
    const { entries } = await convertRecords([
      { ...user("Caveat: careful."), isMeta: true },
      user("<command-name>/clear</command-name>"),
      user("Hello"),
    ]);
    expect(entries).toMatchObject([
      { type: "custom_message", customType: "claude-code.meta", display: false },
      { type: "custom_message", customType: "claude-code.command-name", display: true },
      { type: "message", message: { role: "user", content: "Hello" } },
    ]);
  });

  it("turns a command that the user ran and its output into one entry", async () => {
    const { entries, report } = await convertRecords([
      user("<bash-input>ls</bash-input>"),
      user("<bash-stdout>a.txt</bash-stdout><bash-stderr>careful</bash-stderr>"),
      user("Thanks"),
    ]);
    expect(messagesIn(entries).map(({ message }) => message)).toMatchObject([
      { role: "bashExecution", command: "ls", output: "a.txt\ncareful" },
      { role: "user", content: "Thanks" },
    ]);
    expect(entries[1]?.parentId).toBe(entries[0]?.id);
    expect(report).toMatchObject({ kept: 1, converted: 2 });
  });

  it("keeps images, thinking with its signature, errors and names", async () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    const { entries } = await convertRecords([
      { type: "user", message: { role: "user", content: [text("look"), image] } },
      answer(
        "m1",
        { type: "thinking", thinking: "hm", signature: "sig" },
        { type: "redacted_thinking", data: "secret" },
        text("a cat"),
      ),
      { ...answer("m2", text("API Error: 500")), isApiErrorMessage: true },
      { type: "custom-title", customTitle: "Cats", uuid: undefined },
      { type: "ai-title", aiTitle: "About animals", uuid: undefined },
    ]);
    const [first, second, third] = messagesIn(entries);
    expect(first?.message).toMatchObject({
      content: [text("look"), { type: "image", data: "AAAA", mimeType: "image/png" }],
    });
    expect(second?.message).toMatchObject({
      content: [
        { type: "thinking", thinking: "hm", thinkingSignature: "sig" },
        { type: "thinking", thinking: "", thinkingSignature: "secret", redacted: true },
        { type: "text", text: "a cat" },
      ],
      usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3 },
    });
    expect(third?.message).toMatchObject({ stopReason: "error", errorMessage: "API Error: 500" });
    expect(entries.filter((entry) => entry.type === "session_info")).toMatchObject([{ name: "Cats" }]);
  });

  it("is positioned at the last record, or where a later last-prompt says", async () => {
    const branches = [
      user("one"),
      answer("m1", text("two")),
      { ...user("left"), parentUuid: "u1" },
      { ...user("right"), parentUuid: "u1" },
    ];
    const { entries } = await convertRecords(branches);
    expect(entries.at(-1)).toMatchObject({ message: { content: "right" } });
    const moved = await convertRecords([...branches, { type: "last-prompt", leafUuid: "u2", uuid: undefined }]);
    const left = messagesIn(moved.entries).find(({ message }) => (message as { content: unknown }).content === "left");
    expect(moved.entries.at(-1)).toMatchObject({ customType: "bough.position", parentId: left?.id });
  });
});

describe("the folders of Claude Code", () => {
  it("are given by its own variable, or below the home folder", () => {
    expect(claudeProjects({ home: "/h" })).toBe(join("/h", ".claude", "projects"));
    expect(claudeProjects({ home: "/h", environment: { CLAUDE_CONFIG_DIR: "/c" } })).toBe(join("/c", "projects"));
  });

  it("contain one per working directory, keeping letters and digits", () => {
    expect(claudeFolderName("/home/größe/My_Proj.x y")).toBe("-home-gr--e-My-Proj-x-y");
    expect(claudeFolderName(`/${"a".repeat(200)}`)).toBeUndefined();
  });

  it("may contain transcripts of sub-agents next to the session, as older versions wrote them", async () => {
    const folder = tempFolder();
    const main = join(folder, "session-1.jsonl");
    const chain = { sessionId: "session-1", timestamp: "2026-01-01T00:00:00.000Z" };
    writeRecords(main, [
      JSON.stringify({ ...chain, ...user("go"), uuid: "u0", parentUuid: null }),
      JSON.stringify({
        ...chain,
        ...answer("m1", { type: "tool_use", id: "t1", name: "Task", input: { prompt: "look" } }),
        uuid: "u1",
        parentUuid: "u0",
      }),
      JSON.stringify({ ...chain, ...result("t1"), uuid: "u2", parentUuid: "u1", toolUseResult: { agentId: "abc" } }),
    ]);
    writeRecords(join(folder, "agent-abc.jsonl"), [
      JSON.stringify({ ...chain, ...user("look"), uuid: "s0", parentUuid: null, isSidechain: true, agentId: "abc" }),
    ]);
    writeRecords(join(folder, "agent-other.jsonl"), [
      JSON.stringify({
        ...chain,
        ...user("no"),
        uuid: "x0",
        parentUuid: null,
        isSidechain: true,
        sessionId: "session-2",
      }),
    ]);
    const { entries } = await convertFile(claudeReader, main);
    expect(drawEntries(entries).split("\n")).toEqual([
      "user: go",
      "assistant: [Task]",
      "  result of Task: of t1",
      "  sub-agent",
      "  subagent.prompt: look",
    ]);
  });
});
