import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSessionContext } from "@bough/session/context/index.js";
import { POSITION_TYPE, type SessionEntry } from "@bough/session/entry/index.js";
import { LeafTrail } from "@bough/session/entry/internal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
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
  it("branches where it was rewound, and records where the leaf is", async () => {
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

  it("contains an answer once that was rewritten while it grew, with results that are stored twice", async () => {
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

  it("adds calls that follow after an answer seemed complete", async () => {
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

  it("keeps its messages if resuming resets the list and then restores it", async () => {
    const context = user("ctx", "<session_context>here</session_context>");
    const list = [context, user("u1", "one"), answer("m1", "1")];
    const path = chat([
      ...[meta, { $set: { messages: [context] } }, user("u1", "one"), answer("m1", "1"), meta],
      ...[{ $set: { messages: [context] } }, { $set: { messages: list } }, user("u2", "two")],
    ]);
    expect((await read(path)).drawing).toEqual(["context", "context -> u:one", "u:one -> a:1", "a:1 -> u:two"]);
  });

  it("has a compaction where the list starts with a summary, and keeps everything from there", async () => {
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

  it("shows the model what a later list replaces old output with, and keeps the output", async () => {
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

  it("keeps changed text of a message in a later list or line as a note", async () => {
    const path = chat([
      ...[meta, user("u1", "one"), answer("m1", "1"), { $set: { messages: [user("u1", "ONE"), answer("m1", "1")] } }],
      ...[user("u2", "two"), answer("m1", "1 and more")],
    ]);
    const { drawing, entries, report } = await read(path);
    expect(drawing).toEqual(["u:one", "u:one -> a:1", "a:1 -> u:two"]);
    const notes = entries.flatMap((entry) => (entry.type === "custom" ? [JSON.stringify(entry.data)] : []));
    expect(notes.filter((note) => note.includes("ONE") || note.includes("1 and more"))).toHaveLength(2);
    expect(report.counts).toContainEqual(
      expect.objectContaining({ fate: "note", reason: "rewritten with different text" }),
    );
  });

  it("keeps parts without an equivalent, and images in answers, as a note next to the message", async () => {
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

  it("keeps messages for Gemini CLI or only for the user as notes", async () => {
    const info = { id: "i", timestamp: TIME, type: "info", content: "Request cancelled." };
    const odd = { id: "o", timestamp: TIME, type: "hologram", content: "?" };
    const { drawing, report } = await read(chat([meta, user("u", "/help"), info, odd, user("u2", "hello")]));
    expect(drawing).toEqual(["u:hello"]);
    expect(report).toMatchObject({ kept: 1, notes: 4, unknown: ["message type hologram"] });
  });

  it("records how a call ended: with an error, a cancellation, or not yet", async () => {
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

  /** A session of an editor: a call that the user refused is only in the list of messages. */
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
      ["converted", "new calls or results of earlier messages"],
      ["reported", "nothing new"],
    ]);
  });

  it("does not add a call twice if a list stores it without the ID that it has next to the text", async () => {
    const toolCalls = [{ ...call("c1", "a.txt"), args: { command: "ls" } }];
    const content = [{ text: "Looking." }, { functionCall: { name: "shell", args: { command: "ls" } } }];
    const list = { $set: { messages: [user("u1", "look"), answer("m1", "", { content, toolCalls })] } };
    const path = chat([meta, user("u1", "look"), answer("m1", "Looking.", { toolCalls }), list, answer("m2", "One.")]);
    expect((await read(path)).drawing).toEqual([
      ...["u:look", "u:look -> a:Looking.+shell()", "a:Looking.+shell() -> t:a.txt", "t:a.txt -> a:One."],
    ]);
  });

  it("contains a refused call that is only next to the content, with a thought or another call", async () => {
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

  it("keeps a result whose call is not in the chat as a note, and reports that", async () => {
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

  it("keeps thought signatures that only a later list of messages contains, each once", async () => {
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
      ["converted", "signatures of earlier thoughts become a note"],
      ["reported", "nothing new"],
    ]);
  });

  it("keeps them even if the list is a compressed history, or the message is rewritten", async () => {
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

  it("puts a sub-agent below the call it works for", async () => {
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

/** The results that the model sees at the end of the chat, by call ID. */
function resultsShown(entries: readonly SessionEntry[]): Readonly<Record<string, string>> {
  const trail = new LeafTrail();
  for (const entry of entries) trail.take(entry);
  const { messages } = buildSessionContext(entries, trail.leaf);
  return Object.fromEntries(
    messages.flatMap((message) =>
      message.role === "toolResult" ? [[message.toolCallId, textContent(message.content)]] : [],
    ),
  );
}

function textContent(content: unknown): string {
  return (content as { readonly text: string }[]).map(({ text }) => text).join("");
}

describe("output that Gemini CLI hid", () => {
  const calling = (id: string, output: string) => answer(`m${id}`, `Calling ${id}.`, { toolCalls: [call(id, output)] });
  const told = [meta, user("u1", "look"), calling("a", "long"), user("u2", "more"), calling("b", "longer")];
  const hides = {
    $set: { messages: [user("u1", "look"), calling("a", "(hidden)"), user("u2", "more"), calling("b", "(hidden)")] },
  };

  it("stays hidden above the message that the chat is rewound to, even if nothing follows", async () => {
    const rewound = await read(chat([...told, hides, { $rewindTo: "u2" }]));
    expect(resultsShown(rewound.entries)).toEqual({ a: "(hidden)" });
    const followed = await read(chat([...told, hides, { $rewindTo: "u2" }, user("u3", "else"), answer("m3", "Yes.")]));
    expect(resultsShown(followed.entries)).toEqual({ a: "(hidden)" });
    expect(followed.drawing.slice(-2)).toEqual(["t:long -> u:else", "u:else -> a:Yes."]);
    // The output is kept, and what was hidden on the abandoned branch is hidden only there.
    expect(followed.drawing).toContain("a:Calling a.+shell() -> t:long");
    expect(followed.entries.filter(({ type }) => type === "context_edit")).toHaveLength(3);
  });

  it("is hidden if only the line of its message is rewritten", async () => {
    const { entries, report } = await read(
      chat([...told, user("u3", "else"), calling("a", "(hidden)"), user("u4", "x")]),
    );
    expect(resultsShown(entries)).toEqual({ a: "(hidden)", b: "longer" });
    expect(report.counts).toContainEqual(expect.objectContaining({ fate: "converted", reason: "hides old output" }));
  });

  it("is hidden once if its result is stored with its call and as a message", async () => {
    const brought = (output: string) => ({
      ...user("ra", ""),
      content: [{ functionResponse: { id: "a", name: "shell", response: { output } } }],
    });
    const list = (mine: string, other: string) => ({
      $set: { messages: [user("u1", "look"), calling("a", mine), brought(other)] },
    });
    for (const hidden of [list("(hidden)", "long"), list("long", "(hidden)"), list("(hidden)", "(hidden)")]) {
      const path = chat([meta, user("u1", "look"), calling("a", "long"), brought("long"), hidden, hidden, hidden]);
      const { entries } = await read(path);
      expect(resultsShown(entries)).toEqual({ a: "(hidden)" });
      expect(entries.filter(({ type }) => type === "context_edit")).toHaveLength(1);
    }
  });

  it("matches what Gemini CLI itself would show, after any turns, lists, rewritten lines and rewinds", async () => {
    type Step = readonly [kind: "turn" | "list" | "line" | "rewind" | "restore", where: number];
    const step = fc.tuple(
      fc.constantFrom("turn", "turn", "list", "line", "rewind", "restore"),
      fc.nat(9),
    ) as fc.Arbitrary<Step>;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        /** Messages as Gemini CLI keeps them: by ID, in order, each in its latest version. */
        let held: { readonly id: string; readonly output: string }[] = [];
        let before = held;
        const records: object[] = [meta];
        const messages = (list: typeof held) =>
          list.flatMap(({ id, output }) => [user(`u${id}`, `prompt ${id}`), calling(id, output)]);
        for (const [at, [kind, where]] of steps.entries()) {
          const target = held[where % Math.max(1, held.length)];
          if (kind === "turn") {
            held = [...held, { id: `c${at}`, output: `output ${at}` }];
            records.push(...messages(held.slice(-1)));
          } else if (kind === "restore") {
            // As if an older list were loaded again.
            held = before;
            records.push({ $set: { messages: messages(held) } });
          } else if (target !== undefined && kind === "rewind") {
            before = held;
            held = held.slice(0, held.indexOf(target));
            records.push({ $rewindTo: `u${target.id}` });
          } else if (target !== undefined) {
            held = held.map((one) => (one === target ? { ...one, output: `hidden ${at}` } : one));
            if (kind === "list") records.push({ $set: { messages: messages(held) } });
            else records.push(...messages(held.filter(({ id }) => id === target.id)).slice(1));
          }
        }
        const { entries } = await read(chat(records));
        expect(resultsShown(entries)).toEqual(Object.fromEntries(held.map(({ id, output }) => [id, output])));
      }),
      { numRuns: sampledRuns({ all: 2_000, some: 100 }) },
    );
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
  it("are listed once per ID, with the folder they worked in", async () => {
    const home = tempFolder();
    const path = chat([meta, user("u", "hello"), answer("m", "hi")], home);
    chat([meta], home, "session-2026-04-01T08-01-chat.jsonl");
    writeFileSync(join(home, ".gemini/tmp/project/.project_root"), "/repo\n");
    const found: ForeignSession[] = [];
    for await (const session of geminiReader.find({ home })) found.push(session);
    expect(found).toMatchObject([{ id: "chat", path, cwd: "/repo", title: "hello", firstPrompt: "hello" }]);
    expect(found).toHaveLength(1);
  });

  it("include those of sub-agents whose chat is gone", async () => {
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
