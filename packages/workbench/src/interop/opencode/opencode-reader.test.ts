import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { POSITION_TYPE, type SessionEntry } from "@bough/session/entry/index.js";
import { ownerMark } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { Database } from "node-sqlite3-wasm";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { ForeignSession } from "../contract.js";
import { importSession } from "../import/import-session.js";
import { drawReading, readWhole } from "../reading.test-support.js";
import { DatabaseView } from "./database-view.js";
import { opencodeReader } from "./opencode-reader.js";

type Message = { info: Record<string, unknown>; parts: Record<string, unknown>[] };

let clock = 1772618400000;

function message(id: string, role: "user" | "assistant", parts: readonly object[], more: object = {}): Message {
  clock += 1000;
  const done = role === "assistant" ? { completed: clock + 1 } : {};
  const info = { id: `msg_${id}`, sessionID: "ses_a", role, time: { created: clock, ...done }, ...more };
  return { info, parts: parts.map((part, at) => ({ id: `prt_${id}_${at}`, messageID: `msg_${id}`, ...part })) };
}

const user = (id: string, text: string) => message(id, "user", [{ type: "text", text }]);
const model = { providerID: "anthropic", modelID: "claude" };
const answer = (id: string, parts: readonly object[], more: object = {}) =>
  message(id, "assistant", parts, { ...model, finish: "stop", ...more });
const text = (words: string) => ({ type: "text", text: words });
const tool = (state: object) => ({
  type: "tool",
  tool: "bash",
  callID: "call",
  state: { input: { command: "ls" }, ...state },
});

const session = (more: object = {}) => ({
  ...{ id: "ses_a", slug: "a", projectID: "p", directory: "/repo", title: "Demo", version: "1.2.0" },
  ...{ time: { created: 1772618400000, updated: 1772618500000 }, ...more },
});

function exported(messages: readonly Message[], more: object = {}, folder = tempFolder()): string {
  const path = join(folder, "session.json");
  writeFileSync(path, JSON.stringify({ info: session(more), messages }));
  return path;
}

function database(messages: readonly Message[], folder: string): Database {
  mkdirSync(folder, { recursive: true });
  const made = new Database(join(folder, "opencode.db"));
  made.exec("PRAGMA locking_mode=EXCLUSIVE");
  made.exec("PRAGMA journal_mode=WAL");
  made.exec(
    "CREATE TABLE session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated)",
  );
  made.exec("CREATE TABLE message (id, session_id, time_created, time_updated, data)");
  made.exec("CREATE TABLE part (id, message_id, session_id, time_created, time_updated, data)");
  const { id, projectID, slug, directory, title, version, time } = session();
  made.run("INSERT INTO session VALUES (?,?,?,?,?,?,?,?,?)", [
    ...[id, projectID, null, slug, directory, title, version, time.created, time.updated],
  ]);
  for (const { info, parts } of messages) {
    const { id: key, sessionID: _session, ...data } = info;
    const { created } = info.time as { created: number };
    made.run("INSERT INTO message VALUES (?,?,?,?,?)", [String(key), id, created, created, JSON.stringify(data)]);
    for (const { id: partId, messageID: _message, ...part } of parts) {
      made.run("INSERT INTO part VALUES (?,?,?,?,?,?)", [
        String(partId),
        String(key),
        id,
        created,
        created,
        JSON.stringify(part),
      ]);
    }
  }
  return made;
}

const read = (path: string) => readWhole(opencodeReader, path, nameOf);

function nameOf(entry: SessionEntry): string | undefined {
  if (entry.type === "custom") return entry.customType === POSITION_TYPE ? "(leaf)" : undefined;
  if (entry.type === "custom_message") return "synthetic";
  if (entry.type === "compaction") return entry.type;
  if (entry.type !== "message") return undefined;
  const { message: said } = entry;
  if (said.role !== "user" && said.role !== "assistant" && said.role !== "toolResult") return said.role;
  const content = typeof said.content === "string" ? [{ type: "text", text: said.content }] : said.content;
  const words = content.map((block) =>
    "text" in block ? block.text : "name" in block ? `${block.name}()` : block.type,
  );
  const ending = said.role === "assistant" && said.stopReason !== "stop" ? ` [${said.stopReason}]` : "";
  return `${said.role[0]}:${words.join("+")}${ending}`;
}

describe("a session of opencode", () => {
  it("is a chain of messages, each after the one before, whatever they answer", async () => {
    const { drawing, entries } = await read(
      exported([
        user("1", "look"),
        answer(
          "2",
          [
            { type: "reasoning", text: "hm", metadata: { anthropic: { signature: "s" } } },
            tool({ status: "completed", output: "a" }),
          ],
          {
            finish: "tool-calls",
            tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } },
            cost: 0.5,
          },
        ),
        answer("3", [text("one file")], { parentID: "msg_1" }),
      ]),
    );
    expect(drawing).toEqual([
      "u:look",
      "u:look -> a:thinking+bash() [toolUse]",
      "a:thinking+bash() [toolUse] -> t:a",
      "t:a -> a:one file",
    ]);
    const [found] = entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "assistant" ? [entry.message] : [],
    );
    expect(found).toMatchObject({
      api: "anthropic-messages",
      usage: { input: 1, output: 2, reasoning: 3, cacheRead: 4, cacheWrite: 5, cost: { total: 0.5 } },
      content: [{ thinkingSignature: "s" }, { id: "call", arguments: { command: "ls" } }],
    });
  });

  it("records how answers and calls ended", async () => {
    const path = exported([
      user("1", "a"),
      answer("2", [tool({ status: "error", error: "no" })], {
        error: { name: "APIError", data: { message: "refused" } },
      }),
      user("3", "b"),
      answer("4", [tool({ status: "running" })], { finish: undefined, time: { created: clock } }),
    ]);
    const { drawing } = await read(path);
    expect(drawing.slice(1)).toEqual([
      "u:a -> a:bash() [error]",
      "a:bash() [error] -> t:no",
      "t:no -> u:b",
      "u:b -> a:bash() [aborted]",
      "a:bash() [aborted] -> t:The tool was interrupted before it had a result.",
    ]);
  });

  it("combines request and summary in a compaction, which keeps everything from the message it names", async () => {
    const path = exported([
      ...[user("1", "one"), answer("2", [text("1")]), user("3", "two"), answer("4", [text("2")])],
      message("5", "user", [{ type: "compaction", auto: true, tail_start_id: "msg_3" }]),
      answer("6", [text("so far")], { summary: true }),
      message("7", "user", [{ type: "text", text: "go on", synthetic: true }]),
    ]);
    const { drawing, entries } = await read(path);
    expect(drawing.slice(-2)).toEqual(["a:2 -> compaction", "compaction -> synthetic"]);
    const kept = entries.find((entry) => entry.type === "message" && JSON.stringify(entry).includes('"two"'));
    expect(entries.find((entry) => entry.type === "compaction")).toMatchObject({
      summary: "so far",
      firstKeptEntryId: kept?.id,
    });
  });

  it("puts the leaf before what was undone, which stays as a branch", async () => {
    const messages = [user("1", "one"), answer("2", [text("1")]), user("3", "two"), answer("4", [text("2")])];
    const { drawing } = await read(exported(messages, { revert: { messageID: "msg_3" } }));
    expect(drawing.slice(-2)).toEqual(["u:two -> a:2", "a:1 -> (leaf)"]);
  });

  it("keeps the rest of an answer whose end was undone", async () => {
    const done = { ...tool({ status: "completed", output: "a.txt" }), id: "prt_call" };
    const parts = [text("First."), done, { ...text("Then."), id: "prt_then" }, text("Last.")];
    const messages = [user("1", "one"), answer("2", parts), user("3", "two")];
    const at = (partID: string) => read(exported(messages, { revert: { messageID: "msg_2", partID } }));
    const { drawing, entries } = await at("prt_then");
    expect(drawing.slice(-2)).toEqual(["a:First.+bash() -> t:a.txt", "t:a.txt -> (leaf)"]);
    const answers = entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "assistant" ? [entry] : [],
    );
    expect(drawing.filter((step) => step.startsWith("u:one -> "))).toHaveLength(2);
    expect(JSON.stringify(answers[1])).not.toContain("Then.");
    expect((await at("prt_call")).drawing.at(-1)).toBe("a:First. -> (leaf)");
    // Nothing is left, or the part does not exist.
    expect((await at("prt_gone")).drawing.at(-1)).toBe("u:one -> (leaf)");
  });

  it("turns the two messages about a command that the user ran into one command", async () => {
    const notice = (id: string) =>
      message(id, "user", [{ type: "text", text: "The following tool was executed by the user", synthetic: true }]);
    const ran = tool({ status: "completed", output: "a.txt\n", metadata: { output: "a.txt\n" } });
    const { drawing, entries, report } = await read(
      exported([
        ...[notice("1"), answer("2", [ran], { parentID: "msg_1", finish: undefined }), user("3", "and now?")],
        ...[notice("4"), answer("5", [text("No call here.")], { parentID: "msg_4" })],
      ]),
    );
    expect(drawing).toEqual([
      ...["bashExecution", "bashExecution -> u:and now?", "u:and now? -> synthetic", "synthetic -> a:No call here."],
    ]);
    const shell = entries.find((entry) => entry.type === "message" && entry.message.role === "bashExecution");
    expect(shell).toMatchObject({ message: { command: "ls", output: "a.txt\n", cancelled: false } });
    expect(report.records).toBe(1 + 5 + 5);
  });

  it("is read even if a time is invalid", async () => {
    const impossible = { time: { created: 1e20, updated: -1e20 } };
    const path = exported([message("1", "user", [text("hello")], impossible), answer("2", [text("hi")])], impossible);
    expect((await read(path)).drawing).toEqual(["u:hello", "u:hello -> a:hi"]);
  });

  it("keeps unknown parts and messages as notes and names them", async () => {
    const odd = message("9", "user", [text("?")], { role: "oracle" });
    const { report } = await read(exported([user("1", "one"), answer("2", [text("1"), { type: "smell" }]), odd]));
    expect(report.unknown).toEqual(["message role oracle", "part type smell"]);
    expect(report.records).toBe(8);
  });
});

describe("opencode's database", () => {
  it("is read in its latest state if its writer changed it after it was opened, and is not copied", async () => {
    const folder = tempFolder();
    const path = join(folder, "opencode.db");
    database([user("1", "hello")], folder).close();
    // Other processes create such folders too.
    const own = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`bough-opencode-${ownerMark()}-`));
    const before = own();
    const view = DatabaseView.open(path);
    const titles = () => view.all("SELECT title FROM session ORDER BY id").map(({ title }) => title);
    expect(titles()).toEqual(["Demo"]);
    const made = own().filter((name) => !before.includes(name));
    const links = made.map((name) => join(tmpdir(), name, "view.db")).filter((file) => realpathSync(file) === path);
    expect(links).toHaveLength(1);
    const writer = new Database(path);
    writer.exec("PRAGMA locking_mode=EXCLUSIVE");
    writer.run("UPDATE session SET title = 'Renamed'");
    writer.close();
    expect(titles()).toEqual(["Renamed"]);
    view.close();
    expect(links.some((file) => existsSync(file))).toBe(false);
  });

  it("provides messages of the newer data model if a session has no others", async () => {
    const folder = tempFolder();
    const open = database([], folder);
    open.exec("CREATE TABLE session_message (id, session_id, type, seq, time_created, time_updated, data)");
    const content = [
      { type: "text", text: "Looking." },
      {
        type: "tool",
        id: "c",
        name: "bash",
        state: { status: "completed", input: {}, content: [{ type: "text", text: "a" }] },
      },
    ];
    const rows: [type: string, data: object][] = [
      ["model-switched", { model: { id: "claude", providerID: "anthropic" } }],
      ["user", { text: "look" }],
      [
        "assistant",
        { model: { id: "claude", providerID: "anthropic" }, content, finish: "tool-calls", time: { completed: 9 } },
      ],
      ["shell", { callID: "s", command: "ls", output: "a.txt", time: { completed: 9 } }],
      ["synthetic", { text: "go on" }],
      ["compaction", { reason: "auto", summary: "so far" }],
      ["hologram", { x: 1 }],
    ];
    for (const [at, [type, data]] of rows.entries()) {
      open.run("INSERT INTO session_message VALUES (?,?,?,?,?,?,?)", [
        ...[`m${at}`, "ses_a", type, at, clock + at, clock + at, JSON.stringify(data)],
      ]);
    }
    open.close();
    const { drawing, report } = await read(join(folder, "opencode.db"));
    expect(drawing).toEqual([
      ...["u:look", "u:look -> a:Looking.+bash() [toolUse]", "a:Looking.+bash() [toolUse] -> t:a"],
      ...["t:a -> bashExecution", "bashExecution -> synthetic", "synthetic -> compaction"],
    ]);
    expect(report).toMatchObject({ records: 8, unknown: ["record type session_message/hologram"] });
  });

  it("is read with what is still in its write-ahead log, without touching files next to it", async () => {
    const data = join(tempFolder(), ".local/share/opencode");
    const open = database([user("1", "hello"), answer("2", [text("hi")])], data);
    const home = tempFolder();
    const copy = join(home, ".local/share/opencode");
    cpSync(data, copy, { recursive: true, filter: (name) => !name.endsWith(".lock") });
    open.close();
    const before = readdirSync(copy).map((name) => [name, readFileSync(join(copy, name)).toString("base64")]);
    expect(before.map(([name]) => name)).toContain("opencode.db-wal");
    const { drawing } = await read(join(copy, "opencode.db"));
    expect(drawing).toEqual(["u:hello", "u:hello -> a:hi"]);
    const found: string[] = [];
    for await (const { id, cwd, title, firstPrompt } of opencodeReader.find({ home })) {
      found.push(`${id} ${cwd} ${title} ${firstPrompt}`);
    }
    expect(found).toEqual(["ses_a /repo Demo hello"]);
    expect(readdirSync(copy).map((name) => [name, readFileSync(join(copy, name)).toString("base64")])).toEqual(before);
  });
});

describe("a session that is imported while an answer is being written", () => {
  it("gets the finished answer next to the unfinished one, and what follows after it", async () => {
    const folder = tempFolder();
    const dir = join(folder, "sessions");
    const prompt = user("1", "look");
    const half = answer("2", [text("Loo"), tool({ status: "running" })], {
      finish: undefined,
      time: { created: clock },
    });
    const path = exported([prompt, half], {}, folder);
    const [early] = await opencodeReader.describe(path);
    const first = await importSession(early as ForeignSession, { dir });
    const bytes = readFileSync(first.path);
    const whole = answer("2", [text("Looking."), tool({ status: "completed", output: "a" })], {
      time: { created: clock, completed: clock },
    });
    exported([prompt, whole, answer("3", [text("one")])], {}, folder);
    const [late] = await opencodeReader.describe(path);
    const second = await importSession(late as ForeignSession, { dir });
    expect(second).toMatchObject({ kind: "extended", path: first.path });
    expect(readFileSync(first.path).subarray(0, bytes.length).equals(bytes)).toBe(true);
    const manager = SessionManager.open(first.path, dirname(first.path), { readOnly: true });
    expect(drawReading(manager.getEntries(), nameOf)).toEqual(
      expect.arrayContaining([
        "u:look -> a:Loo+bash() [aborted]",
        "u:look -> a:Looking.+bash()",
        "a:Looking.+bash() -> t:a",
        "t:a -> a:one",
      ]),
    );
    expect(manager.getLeafEntry()).toMatchObject({ message: { content: [{ text: "one" }] } });
    manager.close();
  });

  it("stays where the user continued from the unfinished answer", async () => {
    const folder = tempFolder();
    const dir = join(folder, "sessions");
    const prompt = user("1", "look");
    const half = answer("2", [text("Loo")], { finish: undefined, time: { created: clock } });
    const path = exported([prompt, half], {}, folder);
    const { path: made } = await importSession((await opencodeReader.describe(path))[0] as ForeignSession, { dir });
    const mine = SessionManager.open(made);
    const own = mine.appendMessage({ role: "user", content: "Go on.", timestamp: 0 });
    mine.close();
    exported([prompt, answer("2", [text("Looking.")])], {}, folder);
    await importSession((await opencodeReader.describe(path))[0] as ForeignSession, { dir });
    const manager = SessionManager.open(made, dir, { readOnly: true });
    expect(manager.getLeafId()).toBe(own);
    manager.close();
  });

  it("returns to the end if the undo is reverted", async () => {
    const folder = tempFolder();
    const dir = join(folder, "sessions");
    const messages = [user("1", "one"), answer("2", [text("1")]), user("3", "two"), answer("4", [text("2")])];
    const path = exported(messages, { revert: { messageID: "msg_3" } }, folder);
    const { path: made } = await importSession((await opencodeReader.describe(path))[0] as ForeignSession, { dir });
    const leafText = (): unknown => {
      const manager = SessionManager.open(made, dir, { readOnly: true });
      const leaf = manager.getLeafEntry();
      manager.close();
      return leaf;
    };
    expect(leafText()).toMatchObject({ message: { content: [{ text: "1" }] } });
    exported(messages, {}, folder);
    const again = async () => importSession((await opencodeReader.describe(path))[0] as ForeignSession, { dir });
    expect(await again()).toMatchObject({ kind: "extended", added: 1, changed: [] });
    expect(leafText()).toMatchObject({ message: { content: [{ text: "2" }] } });
    const bytes = readFileSync(made);
    expect(await again()).toMatchObject({ kind: "unchanged", added: 0 });
    expect(readFileSync(made).equals(bytes)).toBe(true);
  });
});

describe("a session in a database that keeps changing", () => {
  it("adds nothing if only other sessions changed", async () => {
    const folder = tempFolder();
    const dir = join(folder, "sessions");
    const open = database([user("1", "hello"), answer("2", [text("hi")])], folder);
    open.close();
    const path = join(folder, "opencode.db");
    const [source] = await opencodeReader.describe(path);
    const first = await importSession(source as ForeignSession, { dir });
    const bytes = readFileSync(first.path);
    const writer = new Database(path);
    writer.exec("PRAGMA locking_mode=EXCLUSIVE");
    writer.run("INSERT INTO session VALUES (?,?,?,?,?,?,?,?,?)", [
      "ses_b",
      "p",
      null,
      "b",
      "/repo",
      "Other",
      "1",
      5,
      6,
    ]);
    writer.run("UPDATE session SET time_updated = 1772618900000 WHERE id = 'ses_a'");
    writer.close();
    const again = (await opencodeReader.describe(path)).find(({ id }) => id === "ses_a");
    expect(await importSession(again as ForeignSession, { dir })).toMatchObject({ kind: "unchanged", added: 0 });
    expect(readFileSync(first.path).equals(bytes)).toBe(true);
  });
});
