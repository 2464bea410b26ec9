/** The titles of Claude Code sessions, and what counts as a prompt in them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import { describe, expect, it } from "vitest";
import { writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { importSession } from "../import/import-session.js";
import { claudeReader } from "./claude-reader.js";
import { answer, convertRecords, text, user } from "./claude-records.test-support.js";

const command = (name: string, args = "") =>
  user(
    `<command-name>${name}</command-name>\n<command-message>x</command-message>\n<command-args>${args}</command-args>`,
  );

/** A command that sends a prompt to the model, as Claude Code writes it: with the message first. */
const prompting = (name: string, args?: string) =>
  user(
    [
      `<command-message>${name.slice(1)} is running…</command-message>`,
      `<command-name>${name}</command-name>`,
      ...(args === undefined ? [] : [`<command-args>${args}</command-args>`]),
    ].join("\n"),
  );

describe("the name of a session of Claude Code", () => {
  it.each([
    ["the command it starts with", [command("/review", "the tests")], "/review the tests"],
    ["the prompt behind the command", [command("/model"), user("Fix it.")], "Fix it."],
    ["a command that asked the model", [prompting("/review", "the tests"), user("Fix it.")], "/review the tests"],
    ["a shell command", [user("<bash-input>git status</bash-input>")], "!git status"],
    ["no image placeholder", [user("[Image #1] What is this?")], "What is this?"],
    ["no mark of an interruption", [user("[Request interrupted by user]"), user("Go.")], "Go."],
    ["nothing its sub-agent was told", [{ ...user("Search."), isSidechain: true }, command("/init")], "/init"],
  ])("is %s", async (_what, records, title) => {
    expect((await convertRecords(records)).source.title).toBe(title);
  });
});

describe("the turns of a session of Claude Code", () => {
  it("are what the user typed, not a sub-agent's prompt or an interruption", async () => {
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

  it("include commands that prompt the model, as typed", async () => {
    const { source, entries } = await convertRecords([
      ...[
        prompting("/review", "the tests"),
        { ...user("Review: the tests"), isMeta: true },
        answer("m1", text("Fine.")),
      ],
      ...[prompting("/init"), { ...user("Analyse."), isMeta: true }, answer("m2", text("Done."))],
    ]);
    const said = entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "user" ? [entry.message.content] : [],
    );
    expect(said).toEqual(["/review the tests", "/init"]);
    const dir = tempFolder();
    const session = SessionManager.open((await importSession(source, { dir })).path, dir, { readOnly: true });
    expect(branchIndexOf(session.getSource().tree).turns).toBe(2);
    session.close();
  });

  it("do not include commands that Claude Code handles itself, or skills that the model loads", async () => {
    const skill = '<command-message>The "pdf" skill is loading</command-message>\n<command-name>pdf</command-name>';
    const { entries } = await convertRecords([
      ...[command("/model", "opus"), user("<local-command-stdout>Set model.</local-command-stdout>")],
      ...[user("Go."), user(skill), { ...prompting("/review"), isMeta: true }],
    ]);
    const said = entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "user" ? [entry.message.content] : [],
    );
    expect(said).toEqual(["Go."]);
  });

  it("are a sub-agent's own prompts if its transcript is opened directly", async () => {
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
