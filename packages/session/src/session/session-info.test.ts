import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HEADER, HEADER_LINE, header, line } from "../../../../test/support/session-lines.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { exactSessionInfo, type SessionInfo, sessionInfo } from "./session-info.js";

const END = 1 << 15;
const MODIFIED = new Date("2026-02-02T00:00:00.000Z");
const at = (time: string) => ({ timestamp: `2026-01-15T${time}.000Z` });
const says = (content: unknown, role = "user") => ({ message: { role, content, timestamp: 1 } });

function infoOf(text: string): SessionInfo | undefined {
  const path = join(tempFolder(), "session.jsonl");
  writeFileSync(path, text);
  utimesSync(path, MODIFIED, MODIFIED);
  const { size, mtimeMs } = statSync(path);
  return sessionInfo({ path, size, modifiedMs: mtimeMs });
}

/** Entries that fill more than the part read at either end of a file. */
function filler(first: number, parent: string | null): string {
  let text = "";
  for (let i = first; text.length < END * 1.2; i++)
    text += line(`f${i}`, i === first ? parent : `f${i - 1}`, says("x".repeat(500), "assistant"));
  return text;
}

describe("a small session in a list", () => {
  it("is told exactly, from header to counts", () => {
    const text =
      header({ parentSession: "/elsewhere.jsonl" }) +
      line("a", null, at("12:00:01")) +
      line("b", "a", says([{ type: "text", text: "two" }], "assistant")) +
      line("c", "a", at("12:00:05")) +
      line("n", "c", { type: "session_info", message: undefined, name: "A name", ...at("12:00:09") });
    expect(infoOf(text)).toEqual({
      path: expect.stringContaining("session.jsonl"),
      id: HEADER.id,
      cwd: "/w",
      parentSession: "/elsewhere.jsonl",
      name: "A name",
      created: new Date(HEADER.timestamp),
      modified: new Date("2026-01-15T12:00:09.000Z"),
      size: text.length,
      firstMessage: "a",
      messageCount: 3,
      turnCount: 2,
      branchCount: 2,
      cost: { dollars: 0, unpriced: 0 },
      exact: true,
      importedFrom: undefined,
    });
  });

  it("says what it was imported from, where its header says it in full", () => {
    const from = { agent: "codex", id: "x", path: "/there/x.jsonl" };
    const told = [from, { ...from, later: 1 }, { agent: "codex" }, "codex", null].map(
      (importedFrom) => infoOf(header({ importedFrom }))?.importedFrom,
    );
    expect(told).toEqual([from, from, undefined, undefined, undefined]);
  });

  it.each([
    ["text", says("Hello  there\n\nfriend"), "Hello there friend"],
    ["blocks", says([{ type: "text", text: "one" }, { type: "image" }, { type: "text", text: "two" }]), "one two"],
    ["no text", says([{ type: "image" }]), ""],
    ["a number", says(7), ""],
  ])("has as its first prompt: %s", (_, fields, expected) => {
    expect(infoOf(HEADER_LINE + line("a", null, fields))?.firstMessage).toBe(expected);
  });

  it("skips what is not a prompt, and over prompts without a text", () => {
    const text =
      HEADER_LINE +
      line("a", null, says("answer", "assistant")) +
      line("b", "a", says([{ type: "image" }])) +
      line("c", "b", says("the prompt"));
    expect(infoOf(text)?.firstMessage).toBe("the prompt");
  });

  it("shortens a long prompt", () => {
    expect(infoOf(HEADER_LINE + line("a", null, says("long ".repeat(1000))))?.firstMessage.length).toBe(400);
  });

  it.each([
    ["a time that is no time", header({ timestamp: "yesterday" }), MODIFIED],
    ["no time", header({ timestamp: undefined }), MODIFIED],
  ])("with %s has the times of its file", (_, text, time) => {
    expect(infoOf(text)).toMatchObject({ created: time, modified: time });
  });

  it("has the time of its newest entry after a sync, not that of the sync", () => {
    const synced = (id: string, parent: string, time: string) =>
      line(id, parent, {
        ...{ type: "custom", message: undefined, customType: "bough.position", data: { cause: "sync" } },
        ...at(time),
      });
    const mine = HEADER_LINE + line("a", null, at("12:00:05"));
    const modified = (text: string) => infoOf(text)?.modified;
    expect(modified(mine + line("b", "a", at("12:00:07")) + synced("p", "a", "18:00:00"))).toEqual(
      new Date("2026-01-15T12:00:07.000Z"),
    );
    // The entries that arrived are older than the local ones.
    const older = mine + line("b", "a", at("09:00:00")) + synced("p", "a", "18:00:00");
    expect(modified(older)).toEqual(new Date("2026-01-15T12:00:05.000Z"));
    expect(modified(older + line("c", "a", at("19:00:00")))).toEqual(new Date("2026-01-15T19:00:00.000Z"));
  });

  it("has the name that was given last, and the time of the last entry that can be read", () => {
    const name = (id: string, text: string) => line(id, "a", { type: "session_info", message: undefined, name: text });
    const text = HEADER_LINE + line("a", null) + name("n", "Old") + name("m", "New") + line("b", "a", at("12:00:07"));
    const info = infoOf(`${text + name("o", " ")}{"type":"message","id":"c"`);
    expect(info).toMatchObject({ name: "New", modified: new Date("2026-01-15T12:00:00.000Z") });
    expect(infoOf(`${text}{"type":"message","id":"c"`)?.modified).toEqual(new Date("2026-01-15T12:00:07.000Z"));
  });

  it("gives the same with its fields in another order", () => {
    const message = { role: "user", content: "turned round", timestamp: 1 };
    const entry = { message, timestamp: "2026-01-15T12:00:09.000Z", parentId: null, id: "a", type: "message" };
    const name = { name: "Odd", timestamp: "2026-01-15T12:00:10.000Z", parentId: "a", id: "n", type: "session_info" };
    const text = `${HEADER_LINE}${JSON.stringify(entry)}\n${JSON.stringify(name, undefined, 1).replace(/\n/g, " ")}\n`;
    expect(infoOf(text)).toMatchObject({
      name: "Odd",
      firstMessage: "turned round",
      turnCount: 1,
      modified: new Date("2026-01-15T12:00:10.000Z"),
    });
  });

  it("of version 1 has its prompt, times and counts", () => {
    const entry = (fields: object) => line("x", null, { id: undefined, parentId: undefined, ...fields });
    const text =
      header({ version: undefined }) + entry(at("12:00:01")) + entry({ ...at("12:00:02"), ...says("second") });
    expect(infoOf(text)).toMatchObject({
      firstMessage: "x",
      modified: new Date("2026-01-15T12:00:02.000Z"),
      messageCount: 2,
      branchCount: 1,
      exact: true,
    });
  });

  it("of oh-my-pi has its title", () => {
    expect(infoOf(`{"type":"title","title":"Slot"}\n${HEADER_LINE}`)?.name).toBe("Slot");
  });
});

describe("a large session in a list", () => {
  it("is read from its two ends, and counted exactly on request", () => {
    const text =
      HEADER_LINE +
      line("a", null) +
      filler(0, "a") +
      line("n", "a", { type: "session_info", message: undefined, name: "In the middle" }) +
      filler(1000, "a") +
      line("z", "a", at("13:00:00"));
    const info = infoOf(text) as SessionInfo;
    expect(info).toMatchObject({
      firstMessage: "a",
      name: undefined,
      modified: new Date("2026-01-15T13:00:00.000Z"),
      messageCount: undefined,
      turnCount: undefined,
      branchCount: undefined,
      cost: undefined,
      exact: false,
    });
    const messages = text.split('"role"').length - 1;
    expect(exactSessionInfo(info)).toEqual({
      ...info,
      name: "In the middle",
      messageCount: messages,
      turnCount: 2,
      branchCount: 3,
      cost: { dollars: 0, unpriced: 0 },
      exact: true,
    });
  });

  it("has the name that was given near its end before one near its start", () => {
    const name = (id: string, text: string) => line(id, "a", { type: "session_info", message: undefined, name: text });
    const start = HEADER_LINE + line("a", null) + name("n", "Old");
    expect([infoOf(start + filler(0, "a"))?.name, infoOf(start + filler(0, "a") + name("m", "New"))?.name]).toEqual([
      "Old",
      "New",
    ]);
  });

  it.each([
    ["text", (text: string) => says(text)],
    ["blocks", (text: string) => says([{ type: "text", text }])],
  ])("shows the start of a first prompt that is longer than what is read: %s", (_, fields) => {
    const prompt = `Read "this" first: ${"äöü ".repeat(END)}`;
    const text = HEADER_LINE + line("a", null, fields(prompt)) + line("b", "a", at("14:00:00"));
    const info = infoOf(text) as SessionInfo;
    expect(prompt.startsWith(info.firstMessage)).toBe(true);
    expect([info.firstMessage.length, info.modified]).toEqual([400, new Date("2026-01-15T14:00:00.000Z")]);
  });

  it("has the time of its file where its last line is longer than what is read", () => {
    const text =
      HEADER_LINE +
      line("a", null, at("12:00:01")) +
      line("b", "a", { ...at("15:00:00"), ...says("x".repeat(3 * END)) });
    expect(infoOf(text)?.modified).toEqual(MODIFIED);
  });

  it("is read even if its last line is torn", () => {
    const text =
      HEADER_LINE + line("a", null) + filler(0, "a") + line("y", "a", at("16:00:00")) + line("z", "y").slice(0, 70);
    expect(infoOf(text)?.modified).toEqual(new Date("2026-01-15T16:00:00.000Z"));
  });
});

describe("what is not a session is not reported", () => {
  it.each([
    ["an empty file", ""],
    ["half a header", HEADER_LINE.slice(0, 40)],
    ["notes", "# Notes\n"],
    ["another program's file", '{"type":"summary","leafUuid":"x"}\n'],
    ["entries without a header", line("a", null)],
  ])("%s", (_, text) => {
    expect(infoOf(text)).toBeUndefined();
  });

  it("a file that is gone", () => {
    expect(sessionInfo({ path: join(tempFolder(), "gone"), size: 1, modifiedMs: 0 })).toBeUndefined();
  });
});
