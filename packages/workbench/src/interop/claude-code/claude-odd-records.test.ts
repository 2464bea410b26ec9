/** Records of Claude Code with missing fields are kept, or named in the report. */
import { join } from "node:path";
import type { MessageEntry, SessionEntry } from "@bough/session/entry/index.js";
import { describe, expect, it } from "vitest";
import { drawEntries } from "../../../../../test/support/draw-entries.js";
import { convertFile, writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { claudeReader } from "./claude-reader.js";
import { answer, call, convertRecords, result, text, user } from "./claude-records.test-support.js";

/** Writes lines unchanged, without filling in missing fields. */
function convertLines(records: readonly object[]) {
  const path = join(tempFolder(), "11111111-2222-4333-8444-555555555555.jsonl");
  writeRecords(
    path,
    records.map((record) => JSON.stringify(record)),
  );
  return convertFile(claudeReader, path);
}

const messagesIn = (entries: readonly SessionEntry[]) =>
  entries.filter((entry): entry is MessageEntry => entry.type === "message").map(({ message }) => message);

const drawn = (entries: readonly SessionEntry[]) => drawEntries(entries).split("\n");

describe("an odd record of Claude Code", () => {
  it("an answer whose content is a plain string is read as an answer", async () => {
    const said = { type: "assistant", message: { role: "assistant", model: "m", content: "Plain words." } };
    const { entries, report } = await convertRecords([user("go"), said, user("on")]);
    expect(drawn(entries)).toEqual(["user: go", "assistant: Plain words.", "user: on"]);
    expect([report.kept, report.notes, report.reported]).toEqual([3, 0, 0]);
  });

  it("calls without IDs are kept, and matched in order to results without IDs", async () => {
    const nameless = (name: string) => ({ type: "tool_use", name, input: { of: name } });
    const output = (words: string) => ({ type: "tool_result", content: words });
    const results = (...content: object[]) => ({ type: "user", message: { role: "user", content } });
    const { entries, report } = await convertRecords([
      ...[user("go"), answer("m1", text("Three calls."), nameless("One"), call("toolu_x"), nameless("Two"))],
      ...[results(output("of one")), result("toolu_x"), results(output("of two"), text("and more"))],
      answer("m2", text("Done.")),
    ]);
    expect(drawn(entries)).toEqual([
      ...["user: go", "assistant: Three calls. [One] [Read] [Two]", "result of One: of one"],
      ...["result of Read: of toolu_x", "result of Two: of two", "user: and more", "assistant: Done."],
    ]);
    const reasons = report.counts.filter(({ reason }) => reason === "its calls or results had no ids");
    expect(reasons.map(({ fate, count }) => [fate, count])).toEqual([
      ["converted", 1],
      ["converted", 2],
    ]);
  });

  it("a result without an ID or a call is read as a result", async () => {
    const lone = { type: "user", message: { role: "user", content: [{ type: "tool_result", content: "alone" }] } };
    const { entries } = await convertRecords([user("go"), answer("m1", text("yes")), lone]);
    expect(messagesIn(entries).map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
  });

  it("records with a uuid but no parent field continue the chain", async () => {
    const { entries } = await convertLines([
      { ...user("one"), uuid: "a" },
      { ...answer("m1", text("first block")), uuid: "b" },
      { ...answer("m1", call("t1")), uuid: "c" },
      { ...result("t1"), uuid: "d" },
      { ...answer("m2", text("done")), uuid: "e" },
      { ...user("two"), uuid: "f" },
    ]);
    expect(drawn(entries)).toEqual([
      ...["user: one", "assistant: first block [Read]", "result of Read: of t1", "assistant: done", "user: two"],
    ]);
    expect(entries.filter(({ parentId }) => parentId === null)).toHaveLength(1);
  });

  it("they continue it even after records without a uuid, and a null parent starts a new one", async () => {
    const { entries } = await convertLines([
      user("one"),
      { ...answer("m1", text("1")), uuid: "b" },
      { ...user("two"), uuid: "c", parentUuid: null },
      { ...answer("m2", text("2")), uuid: "d" },
    ]);
    const roots = entries.filter(({ parentId }) => parentId === null);
    expect(messagesIn(roots).map((message) => (message as { content: unknown }).content)).toEqual(["one", "two"]);
    expect(messagesIn(entries)).toHaveLength(4);
  });

  it("those of a sub-agent stay on its own chain", async () => {
    const side = { isSidechain: true, agentId: "abc" };
    const task = { type: "tool_use", id: "t1", name: "Task", input: { prompt: "look" } };
    const { entries } = await convertLines([
      { ...user("go"), uuid: "a" },
      { ...answer("m1", task), uuid: "b" },
      { ...user("look"), uuid: "s1", ...side },
      { ...answer("m2", text("looked")), uuid: "s2", ...side },
      { ...result("t1"), uuid: "c" },
      { ...answer("m3", text("done")), uuid: "d" },
    ]);
    expect(drawn(entries)).toEqual([
      ...["user: go", "assistant: [Task]", "  sub-agent", "  subagent.prompt: look", "  assistant: looked"],
      ...["  result of Task: of t1", "  assistant: done"],
    ]);
  });
});
