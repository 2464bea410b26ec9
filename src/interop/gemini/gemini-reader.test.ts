import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../test/support/temp-folder.js";
import { POSITION_TYPE, type SessionEntry } from "../../entry/index.js";
import type { ForeignSession } from "../contract.js";
import type { NoteData } from "../foreign-entry.js";
import { readWhole } from "../reading.test-support.js";
import { geminiReader } from "./gemini-reader.js";

const TIME = "2026-04-01T08:00:00.000Z";
const meta = { sessionId: "chat", projectHash: "abc", startTime: TIME, lastUpdated: TIME, kind: "main" };
const user = (id: string, text: string) => ({ id, timestamp: TIME, type: "user", content: [{ text }] });
const answer = (id: string, text: string, more: object = {}) => ({
  ...{ id, timestamp: TIME, type: "gemini", content: text, model: "gemini-3-pro", ...more },
});
const call = (id: string, result: string | null, status = "success") => ({
  ...{ id, name: "shell", args: { command: "ls" }, status },
  result: result === null ? null : [{ functionResponse: { id, name: "shell", response: { output: result } } }],
});

function chat(records: readonly object[], home = tempFolder(), name = "session-2026-04-01T08-00-chat.jsonl"): string {
  const path = join(home, ".gemini/tmp/project/chats", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return path;
}

const read = (path: string) => readWhole(geminiReader, path, nameOf);

function nameOf(entry: SessionEntry): string | undefined {
  if (entry.type === "custom") return entry.customType === POSITION_TYPE ? "(leaf)" : undefined;
  if (entry.type === "custom_message") return "context";
  if (entry.type === "compaction" || entry.type === "session_info") return entry.type;
  if (entry.type !== "message") return undefined;
  const { message } = entry;
  if (message.role !== "user" && message.role !== "assistant" && message.role !== "toolResult") return message.role;
  const content = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  return `${message.role[0]}:${content.map((block) => ("text" in block ? block.text : "name" in block ? `${block.name}()` : block.type)).join("+")}`;
}

describe("a chat", () => {
  it("branches where it was rewound, and says where the leaf is", async () => {
    const path = chat([
      ...[meta, user("u1", "one"), answer("m1", "1"), user("u2", "two"), answer("m2", "2")],
      ...[{ $rewindTo: "u2" }, user("u3", "three"), answer("m3", "3"), { $rewindTo: "u3" }],
    ]);
    expect((await read(path)).drawing).toEqual([
      ...["u:one", "u:one -> a:1", "a:1 -> u:two", "u:two -> a:2", "a:1 -> u:three", "u:three -> a:3", "a:1 -> (leaf)"],
    ]);
  });

  it("starts over if it was rewound to an unknown message", async () => {
    const path = chat([meta, user("u1", "one"), { $rewindTo: "nobody" }, user("u2", "two")]);
    expect((await read(path)).drawing).toEqual(["u:one", "u:two"]);
  });

  it("says an answer once that was written again as it grew, with results that are stored twice", async () => {
    const result = { functionResponse: { id: "c", name: "shell", response: { output: "a.txt" } } };
    const path = chat([
      ...[meta, user("u1", "look"), answer("m1", "Looking."), { $set: { lastUpdated: TIME } }],
      ...[answer("m1", "Looking.", { toolCalls: [call("c", "a.txt")] }), { ...user("r", ""), content: [result] }],
      answer("m2", "One file."),
    ]);
    const { drawing, report } = await read(path);
    expect(drawing).toEqual([
      "u:look",
      "u:look -> a:Looking.+shell()",
      "a:Looking.+shell() -> t:a.txt",
      "t:a.txt -> a:One file.",
    ]);
    expect(report.records).toBe(7);
  });

  it("adds calls that come after an answer was taken for complete", async () => {
    const path = chat([
      ...[meta, user("u1", "look"), answer("m1", "Looking."), { $set: { directories: ["/x"] } }],
      answer("m1", "Looking.", { toolCalls: [call("c", "a.txt")] }),
    ]);
    expect((await read(path)).drawing).toEqual([
      "u:look",
      "u:look -> a:Looking.",
      "a:Looking. -> a:shell()",
      "a:shell() -> t:a.txt",
    ]);
  });

  it("keeps its messages where resuming sets the list to its start and then restores it", async () => {
    const context = user("ctx", "<session_context>here</session_context>");
    const list = [context, user("u1", "one"), answer("m1", "1")];
    const path = chat([
      ...[meta, { $set: { messages: [context] } }, user("u1", "one"), answer("m1", "1"), meta],
      ...[{ $set: { messages: [context] } }, { $set: { messages: list } }, user("u2", "two")],
    ]);
    expect((await read(path)).drawing).toEqual(["context", "context -> u:one", "u:one -> a:1", "a:1 -> u:two"]);
  });

  it("has a compaction where the list begins with a summary, and keeps from the first message that stayed", async () => {
    const context = user("ctx", "<session_context>here</session_context>");
    const snapshot = user("s", "<state_snapshot>They counted.</state_snapshot>");
    const list = [context, snapshot, answer("ok", "Got it."), user("n2", "two"), answer("n3", "2")];
    const path = chat([
      ...[
        meta,
        { $set: { messages: [context] } },
        user("u1", "one"),
        answer("m1", "1"),
        user("u2", "two"),
        answer("m2", "2"),
      ],
      ...[{ $set: { messages: list } }, user("u3", "three"), { $set: { messages: [...list, user("u3", "three")] } }],
      answer("m3", "3"),
    ]);
    const { drawing, entries } = await read(path);
    expect(drawing).toEqual([
      ...["context", "context -> u:one", "u:one -> a:1", "a:1 -> u:two", "u:two -> a:2", "a:2 -> compaction"],
      ...["compaction -> u:three", "u:three -> a:3"],
    ]);
    const kept = entries.find((entry) => entry.type === "message" && JSON.stringify(entry).includes('"two"'));
    expect(entries.find((entry) => entry.type === "compaction")).toMatchObject({
      summary: "<state_snapshot>They counted.</state_snapshot>",
      firstKeptEntryId: kept?.id,
    });
  });

  it("shows the model what a later list puts in the place of old output, and keeps the output", async () => {
    const calling = (output: string) => answer("m1", "Looking.", { toolCalls: [call("c", output)] });
    const list = [user("u1", "look"), calling("(hidden)"), answer("m2", "done")];
    const path = chat([
      ...[meta, user("u1", "look"), calling("a long list"), answer("m2", "done"), { $set: { messages: list } }],
      ...[{ $set: { messages: list } }, user("u2", "more")],
    ]);
    const { entries, report, drawing } = await read(path);
    expect(drawing.slice(-2)).toEqual(["t:a long list -> a:done", "a:done -> u:more"]);
    const result = entries.find((entry) => entry.type === "message" && entry.message.role === "toolResult");
    expect(entries.filter((entry) => entry.type === "context_edit")).toMatchObject([
      { targetId: result?.id, replacement: [{ type: "text", text: "(hidden)" }] },
    ]);
    expect(report.counts.filter(({ type }) => type === "$set.messages")).toMatchObject([
      { fate: "converted", reason: "hides old output", lines: [[5, 5]] },
      { fate: "reported", reason: "nothing new", lines: [[6, 6]] },
    ]);
  });

  it("keeps the other words of a message that a later list or line has, as a note", async () => {
    const path = chat([
      ...[meta, user("u1", "one"), answer("m1", "1"), { $set: { messages: [user("u1", "ONE"), answer("m1", "1")] } }],
      ...[user("u2", "two"), answer("m1", "1 and more")],
    ]);
    const { drawing, entries, report } = await read(path);
    expect(drawing).toEqual(["u:one", "u:one -> a:1", "a:1 -> u:two"]);
    const notes = entries.flatMap((entry) => (entry.type === "custom" ? [JSON.stringify(entry.data)] : []));
    expect(notes.filter((note) => note.includes("ONE") || note.includes("1 and more"))).toHaveLength(2);
    expect(report.counts).toContainEqual(
      expect.objectContaining({ fate: "note", reason: "written again in other words" }),
    );
  });

  it("keeps parts that have no equal here as a note beside the message, pictures in answers too", async () => {
    const picture = { inlineData: { mimeType: "image/png", data: "cGljdHVyZQ==" } };
    const sound = { inlineData: { mimeType: "audio/wav", data: "c291bmQ=" } };
    const path = chat([
      ...[meta, { ...user("u1", "draw"), content: [{ text: "draw" }, picture, sound] }],
      answer("m1", "", { content: [{ text: "Here:" }, picture] }),
    ]);
    const { drawing, entries, report } = await read(path);
    expect(drawing).toEqual(["u:draw+image", "u:draw+image -> a:Here:"]);
    const notes = entries.flatMap((entry) => (entry.type === "custom" ? [entry.data as NoteData] : []));
    expect(notes.slice(-2).map(({ record }) => record)).toEqual([
      { id: "u1", parts: [sound] },
      { id: "m1", parts: [picture] },
    ]);
    expect(report).toMatchObject({ records: 3, converted: 2 });
  });

  it("keeps what was for the program or for the user's eyes as notes", async () => {
    const info = { id: "i", timestamp: TIME, type: "info", content: "Request cancelled." };
    const odd = { id: "o", timestamp: TIME, type: "hologram", content: "?" };
    const { drawing, report } = await read(chat([meta, user("u", "/help"), info, odd, user("u2", "hello")]));
    expect(drawing).toEqual(["u:hello"]);
    expect(report).toMatchObject({ kept: 1, notes: 4, unknown: ["message type hologram"] });
  });

  it("says what a call came to: an error, a cancellation, or nothing yet", async () => {
    const failed = {
      ...call("b", null, "error"),
      result: [{ functionResponse: { id: "b", name: "shell", response: { error: "no" } } }],
    };
    const calls = [call("a", null, "cancelled"), failed, call("c", null, "executing")];
    const { entries } = await read(chat([meta, user("u", "go"), answer("m", "", { toolCalls: calls })]));
    const results = entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "toolResult" ? [entry.message] : [],
    );
    expect(results.map(({ toolCallId, isError, content }) => [toolCallId, isError, content])).toEqual([
      ["a", true, [{ type: "text", text: "Cancelled." }]],
      ["b", true, [{ type: "text", text: "no" }]],
    ]);
  });

  /** As an editor's session is stored: a call the user refused is only in the list of messages. */
  const refusal = (id: string, error: string) => ({
    ...user(`r-${id}`, ""),
    content: [{ functionResponse: { id, name: "shell", response: { error } } }],
  });
  const refusedCall = { functionCall: { id: "c1", name: "shell", args: { command: "rm a" } } };

  it.each([
    ["with an id", refusedCall],
    ["without an id", { functionCall: { name: "shell", args: { command: "rm a" } } }],
  ])("has a refused call %s that only a list of messages holds, with its refusal, once", async (_what, part) => {
    const said = answer("m1", "", { content: [{ text: "Removing." }, part] });
    const list = { $set: { messages: [user("u1", "remove a"), said, refusal("c1", "not allowed")] } };
    const path = chat([
      meta,
      user("u1", "remove a"),
      answer("m1", "Removing."),
      list,
      list,
      answer("m2", "As you wish."),
    ]);
    const { drawing, entries, report } = await read(path);
    expect(drawing).toEqual([
      ...["u:remove a", "u:remove a -> a:Removing.", "a:Removing. -> a:shell()", "a:shell() -> t:not allowed"],
      "t:not allowed -> a:As you wish.",
    ]);
    const results = entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "toolResult" ? [entry.message.isError] : [],
    );
    expect(results).toEqual([true]);
    const lists = report.counts.filter(({ type }) => type === "$set.messages");
    expect(lists.map(({ fate, reason }) => [fate, reason])).toEqual([
      ["converted", "calls or results that were not stored before"],
      ["reported", "nothing new"],
    ]);
  });

  it("does not take a call twice that a list stores without the id it has next to the text", async () => {
    const toolCalls = [{ ...call("c1", "a.txt"), args: { command: "ls" } }];
    const content = [{ text: "Looking." }, { functionCall: { name: "shell", args: { command: "ls" } } }];
    const list = { $set: { messages: [user("u1", "look"), answer("m1", "", { content, toolCalls })] } };
    const path = chat([meta, user("u1", "look"), answer("m1", "Looking.", { toolCalls }), list, answer("m2", "One.")]);
    expect((await read(path)).drawing).toEqual([
      ...["u:look", "u:look -> a:Looking.+shell()", "a:Looking.+shell() -> t:a.txt", "t:a.txt -> a:One."],
    ]);
  });

  it("has a refused call that is only next to the content, beside a thought or another call", async () => {
    const content = [{ thought: true, text: "Hm." }, { functionCall: { id: "a", name: "shell", args: {} } }];
    const toolCalls = [call("a", "a.txt"), call("b", null, "cancelled")];
    const { drawing } = await read(chat([meta, user("u1", "go"), answer("m1", "", { content, toolCalls })]));
    expect(drawing).toEqual([
      "u:go",
      "u:go -> a:thinking+shell()+shell()",
      "a:thinking+shell()+shell() -> t:a.txt",
      "t:a.txt -> t:Cancelled.",
    ]);
  });

  it("keeps a result whose call is nowhere in the chat as a note, and says so", async () => {
    const alone = refusal("c9", "not allowed");
    const list = { $set: { messages: [user("u1", "go"), answer("m1", "Well."), alone] } };
    const path = chat([meta, user("u1", "go"), answer("m1", "Well."), alone, list, list]);
    const { drawing, entries, report } = await read(path);
    expect(drawing).toEqual(["u:go", "u:go -> a:Well."]);
    const notes = entries.flatMap((entry) => (entry.type === "custom" ? [entry.data as NoteData] : []));
    expect(notes.slice(1)).toMatchObject([{ line: 4, record: { parts: alone.content } }]);
    expect(report.counts).toContainEqual(
      expect.objectContaining({ fate: "note", reason: "answers a call that is not in the chat", lines: [[4, 4]] }),
    );
  });

  it("keeps signatures of thoughts that only a later list of messages has, each once", async () => {
    const functionCall = { id: "c", name: "shell", args: { command: "ls" } };
    const said = { ...answer("m", ""), content: [{ functionCall, thoughtSignature: "c2ln" }] };
    const list = { $set: { messages: [user("u", "go"), said] } };
    const records = [meta, user("u", "go"), answer("m", "", { toolCalls: [call("c", "a.txt")] }), list, list];
    const { drawing, entries, report } = await read(chat([...records, answer("m2", "done")]));
    expect(drawing).toEqual(["u:go", "u:go -> a:shell()", "a:shell() -> t:a.txt", "t:a.txt -> a:done"]);
    const notes = entries.flatMap((entry) => (entry.type === "custom" ? [entry.data as NoteData] : []));
    expect(notes.filter(({ type }) => type === "thoughtSignature")).toMatchObject([
      { line: 4, record: { id: "m", parts: [{ functionCall, thoughtSignature: "c2ln" }] } },
    ]);
    const lists = report.counts.filter(({ type }) => type === "$set.messages");
    expect(lists.map(({ fate, reason }) => [fate, reason])).toEqual([
      ["converted", "signatures of earlier thoughts are a note"],
      ["reported", "nothing new"],
    ]);
  });

  it("keeps them also if the list is a compressed history, or the message is written again", async () => {
    const signed = { ...answer("x", ""), content: [{ text: "1", thoughtSignature: "c2ln" }] };
    const summary = user("s", "<state_snapshot>It counted.</state_snapshot>");
    const compressed = { $set: { messages: [summary, answer("k", "Got it."), user("y", "two"), signed] } };
    const again = { ...answer("m1", ""), content: [{ text: "0", thoughtSignature: "emVybw" }] };
    const path = chat([
      ...[meta, user("u1", "one"), answer("m1", "0"), user("u2", "two"), again, answer("m2", "1"), compressed],
    ]);
    const { entries } = await read(path);
    const notes = entries.flatMap((entry) => (entry.type === "custom" ? [entry.data as NoteData] : []));
    expect(notes.flatMap(({ type, line }) => (type === "thoughtSignature" ? [line] : []))).toEqual([5, 7]);
  });

  it("hangs a sub-agent below the call it works for", async () => {
    const home = tempFolder();
    chat([{ ...meta, sessionId: "agent" }, user("a1", "search"), answer("a2", "found")], home, "chat/agent.jsonl");
    const toolCalls = [{ ...call("c", "found it"), agentId: "agent" }];
    const path = chat([meta, user("u", "delegate"), answer("m", "", { toolCalls }), answer("m2", "done")], home);
    expect((await read(path)).drawing).toEqual([
      ...["u:delegate", "u:delegate -> a:shell()", "a:shell() -> t:found it", "t:found it -> a:done"],
      ...["a:shell() -> context", "context -> a:found", "a:done -> (leaf)"],
    ]);
  });
});

describe("a chat whose id is a path", () => {
  it("does not lead to files elsewhere", async () => {
    const home = tempFolder();
    chat([{ ...meta, sessionId: "other" }, user("x", "not yours")], home, "../elsewhere/other.jsonl");
    const path = chat([{ ...meta, sessionId: "../elsewhere" }, user("u", "hello")], home);
    expect((await geminiReader.describe(path))[0]?.files).toEqual([path]);
  });
});

describe("the chats of a home", () => {
  it("are one for each id, with the folder they worked in", async () => {
    const home = tempFolder();
    const path = chat([meta, user("u", "hello"), answer("m", "hi")], home);
    chat([meta], home, "session-2026-04-01T08-01-chat.jsonl");
    writeFileSync(join(home, ".gemini/tmp/project/.project_root"), "/repo\n");
    const found: ForeignSession[] = [];
    for await (const session of geminiReader.find({ home })) found.push(session);
    expect(found).toMatchObject([{ id: "chat", path, cwd: "/repo", title: "hello", firstPrompt: "hello" }]);
    expect(found).toHaveLength(1);
  });

  it("are also those of sub-agents whose chat is gone", async () => {
    const home = tempFolder();
    const path = chat([meta, user("u", "hello"), answer("m", "hi")], home);
    const agent = (id: string) => [{ ...meta, sessionId: id, kind: "subagent" }, user("a1", id), answer("a2", "found")];
    chat(agent("mine"), home, "chat/mine.jsonl");
    const alone = chat(agent("alone"), home, "gone/alone.jsonl");
    const found: string[] = [];
    for await (const session of geminiReader.find({ home })) found.push(session.path);
    expect(found).toEqual([path, alone]);
    expect((await read(alone)).drawing).toEqual(["u:alone", "u:alone -> a:found"]);
  });
});
