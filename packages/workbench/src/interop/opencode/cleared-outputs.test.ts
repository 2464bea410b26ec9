/** Parts in one flat folder, and outputs that opencode has cleared. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSessionContext } from "@bough/session/context/index.js";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { importSession } from "../import/import-session.js";
import { readWhole } from "../reading.test-support.js";
import { opencodeReader } from "./opencode-reader.js";

const START = 1772618400000;
const info = {
  ...{ id: "ses_a", slug: "a", projectID: "p", directory: "/repo", title: "Demo", version: "1.1.0" },
  time: { created: START, updated: START },
};

function turn(at: number, role: "user" | "assistant", ...parts: object[]) {
  const id = `msg_${String(at).padStart(3, "0")}`;
  const by = role === "user" ? {} : { providerID: "anthropic", modelID: "claude", finish: "stop" };
  const time = { created: START + at * 1000, completed: START + at * 1000 + 1 };
  return {
    info: { id, sessionID: "ses_a", role, time, ...by },
    parts: parts.map((part, n) => ({ id: `prt_${at}_${n}`, messageID: id, sessionID: "ses_a", ...part })),
  };
}

const text = (words: string) => ({ type: "text", text: words });
const tool = (output: string, compacted?: number) => ({
  ...{ type: "tool", tool: "bash", callID: `call_${output}` },
  state: {
    ...{ status: "completed", input: {}, output, title: "", metadata: {} },
    time: { start: START, end: START, ...(compacted === undefined ? {} : { compacted: START + compacted * 1000 }) },
  },
});

type Turn = ReturnType<typeof turn>;

function exported(turns: readonly Turn[], path = join(tempFolder(), "session.json"), more: object = {}): string {
  writeFileSync(path, JSON.stringify({ info: { ...info, ...more }, messages: turns }));
  return path;
}

const read = (path: string) => readWhole(opencodeReader, path, ({ type }) => type);

function shown(entries: readonly SessionEntry[]): string[] {
  return buildSessionContext(entries).messages.map(({ ...message }) => {
    const content = "content" in message ? message.content : "";
    return typeof content === "string" ? content : content.map((block) => ("text" in block ? block.text : "")).join("");
  });
}

function shownIn(path: string, dir: string): string[] {
  const session = SessionManager.open(path, dir, { readOnly: true });
  const words = shown(session.getBranch());
  session.close();
  return words;
}

describe("an output that opencode has cleared", () => {
  const conversation = (compacted?: number) => [
    ...[turn(1, "user", text("one")), turn(2, "assistant", tool("long", compacted))],
    ...[turn(3, "user", text("two")), turn(4, "assistant", text("done"))],
  ];
  const CLEARED = "[Old tool result content cleared]";

  it("appears to the model as cleared, and stays in the session", async () => {
    const { entries } = await read(exported(conversation(5)));
    expect(shown(entries)).toEqual(["one", "", CLEARED, "two", "done"]);
    expect(JSON.stringify(entries)).toContain('"long"');
  });

  it("is edited where the session was when it was cleared", async () => {
    const { entries } = await read(exported(conversation(3.5)));
    const talk = entries.filter(({ type }) => type === "message" || type === "context_edit");
    expect(talk.map(({ type }) => type)).toEqual([
      ...["message", "message", "message", "message"],
      "context_edit",
      "message",
    ]);
  });

  it("is also cleared in a session that was imported before", async () => {
    const dir = tempFolder();
    const path = exported(conversation());
    const [before] = await opencodeReader.describe(path);
    await importSession(before as never, { dir });
    exported([...conversation(5), turn(6, "user", text("three"))], path);
    const [after] = await opencodeReader.describe(path);
    const { path: file, changed } = await importSession(after as never, { dir });
    const session = SessionManager.open(file, dir, { readOnly: true });
    expect(shown(session.getBranch())).toEqual(["one", "", CLEARED, "two", "done", "three"]);
    expect(changed).toEqual([]);
    session.close();
  });

  /** Everything from the second prompt was undone after the output was cleared. */
  const revert = { revert: { messageID: "msg_003" } };

  it("still appears as cleared after later messages were undone", async () => {
    const dir = tempFolder();
    const [source] = await opencodeReader.describe(exported(conversation(5), undefined, revert));
    const { path } = await importSession(source as never, { dir });
    expect(shownIn(path, dir)).toEqual(["one", "", CLEARED]);
  });

  it("stays cleared in a session that was imported before the undo, and when the session continues", async () => {
    const dir = tempFolder();
    const path = exported(conversation(5));
    const importAgain = async () => {
      const [source] = await opencodeReader.describe(path);
      return shownIn((await importSession(source as never, { dir })).path, dir);
    };
    expect(await importAgain()).toEqual(["one", "", CLEARED, "two", "done"]);
    exported(conversation(5), path, revert);
    expect(await importAgain()).toEqual(["one", "", CLEARED]);
    exported([...conversation(5).slice(0, 2), turn(7, "user", text("other"))], path);
    expect(await importAgain()).toEqual(["one", "", CLEARED, "other"]);
  });
});

describe("parts in one flat folder", () => {
  it("are read and counted", async () => {
    const storage = join(tempFolder(), "storage");
    const write = (path: string, value: object): string => {
      mkdirSync(dirname(join(storage, path)), { recursive: true });
      writeFileSync(join(storage, path), JSON.stringify(value));
      return join(storage, path);
    };
    const turns = [turn(1, "user", text("one")), turn(2, "assistant", text("first"), tool("out"), text("last"))];
    for (const { info: message, parts } of turns) {
      write(`message/ses_a/${message.id}.json`, message);
      for (const part of parts) write(`part/${part.id}.json`, part);
    }
    const { entries, report, source } = await read(write("session/p/ses_a.json", info));
    expect(shown(entries)).toEqual(["one", "firstlast", "out"]);
    expect([report.records, source.files.length]).toEqual([7, 7]);
  });
});
