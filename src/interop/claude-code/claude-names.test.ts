/** What sessions of Claude Code are called, and what counts as a prompt in them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeRecords } from "../../../test/support/interop-source.js";
import { tempFolder } from "../../../test/support/temp-folder.js";
import { SessionManager } from "../../session/index.js";
import { branchIndexOf } from "../../tree/index.js";
import { importSession } from "../import/import-session.js";
import { claudeReader } from "./claude-reader.js";
import { answer, convertRecords, text, user } from "./claude-records.test-support.js";

const command = (name: string, args = "") =>
  user(
    `<command-name>${name}</command-name>\n<command-message>x</command-message>\n<command-args>${args}</command-args>`,
  );

describe("the name of a session of Claude Code", () => {
  it.each([
    ["the command it starts with", [command("/review", "the tests")], "/review the tests"],
    ["the prompt behind the command", [command("/model"), user("Fix it.")], "Fix it."],
    ["a shell command", [user("<bash-input>git status</bash-input>")], "!git status"],
    ["no image placeholder", [user("[Image #1] What is this?")], "What is this?"],
    ["no mark of an interruption", [user("[Request interrupted by user]"), user("Go.")], "Go."],
    ["nothing its sub-agent was told", [{ ...user("Search."), isSidechain: true }, command("/init")], "/init"],
  ])("E9: is %s", async (_what, records, title) => {
    expect((await convertRecords(records)).source.title).toBe(title);
  });
});

describe("the turns of a session of Claude Code", () => {
  it("E9: are what the user typed: not what a sub-agent was told, nor an interruption", async () => {
    const call = { type: "tool_use", id: "c1", name: "Task", input: { prompt: "Search." } };
    const { source } = await convertRecords([
      ...[user("Go."), answer("m1", call), { ...user("Search."), isSidechain: true, parentUuid: null }],
      ...[{ ...answer("m2", text("Found.")), isSidechain: true }],
      ...[{ ...user("[Request interrupted by user for tool use]"), parentUuid: "u1" }, user("Go on.")],
    ]);
    const dir = tempFolder();
    const session = SessionManager.open((await importSession(source, { dir })).path, dir, { readOnly: true });
    expect(branchIndexOf(session.getSource().tree).turns).toBe(2);
    const shown = JSON.stringify(session.buildSessionContext().messages);
    expect([shown.includes("[Request interrupted"), shown.includes("Go on.")]).toEqual([true, true]);
    session.close();
  });

  it("E9: of a sub-agent's transcript that is opened by itself are its prompts", async () => {
    const folder = join(tempFolder(), "project");
    mkdirSync(folder);
    const path = join(folder, "agent-a1.jsonl");
    writeRecords(path, [
      JSON.stringify({ ...user("Search."), uuid: "u", parentUuid: null, sessionId: "s", isSidechain: true }),
    ]);
    const [source] = await claudeReader.describe(path);
    const dir = tempFolder();
    const session = SessionManager.open((await importSession(source as never, { dir })).path, dir, { readOnly: true });
    expect(branchIndexOf(session.getSource().tree).turns).toBe(1);
    session.close();
  });
});
