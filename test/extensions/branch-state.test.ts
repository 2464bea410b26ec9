import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { lines, says, tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { type ScriptStep, scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { PLAIN_THEME } from "@bough/agent/extension/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { type ExtendedAgent, example, extendedAgent, userIds } from "./extended-agent.js";

describe("the example 05-todo-list", () => {
  const extensions = [example("05-todo-list.ts")];
  const todo = (input: Readonly<Record<string, unknown>>): ScriptStep => ({
    calls: [{ name: "todo", arguments: input }],
  });
  const results = ({ session }: ExtendedAgent) => lines(session).filter((line) => line.startsWith("result"));

  test("keeps its list on the branch: after a move it is what it was there, also after a restart", async () => {
    const model = scriptedModel([todo({ add: "parse" }), "one", todo({ add: "print" }), "two", todo({}), "three"]);
    const made = await extendedAgent({ model, extensions });
    await made.agent.prompt("first");
    const early = made.session.getLeafId() ?? "";
    await made.agent.prompt("second");
    await made.command("todo");
    expect(made.said.splice(0)).toEqual(["info: 1. [ ] parse\n2. [ ] print"]);
    await made.agent.navigateTree(early);
    await made.agent.prompt("third");
    expect(results(made)).toEqual(["result#call-1-1: 1. [ ] parse", "result#call-5-1: 1. [ ] parse"]);
    expect(made.file().filter(({ customType }) => customType === "todo")).toMatchObject([
      { type: "custom", data: { items: [{ text: "parse", done: false }] } },
      { type: "custom", data: { items: [{ text: "parse" }, { text: "print" }] } },
    ]);

    const file = made.session.getSessionFile() ?? "";
    await made.agent.dispose();
    const again = await extendedAgent({
      model: scriptedModel([todo({ finish: 1 }), "four"]),
      session: SessionManager.open(file),
      cwd: made.folder,
      extensions,
    });
    await again.agent.prompt("fourth");
    expect(results(again).at(-1)).toBe("result#call-1-1: 1. [x] parse");
    expect([...made.problems, ...again.problems]).toEqual([]);
  });

  test("shows the model none of its state beside its results", async () => {
    const model = scriptedModel([todo({ add: "parse" }), "done"]);
    const made = await extendedAgent({ model, extensions });
    await made.agent.prompt("first");
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult"]);
  });

  test("draws the list where there is a screen, cut to its width", async () => {
    const made = await extendedAgent({
      model: scriptedModel([todo({ add: "a text longer than the screen" }), "done"]),
      extensions,
      answers: [],
    });
    await made.agent.prompt("first");
    await made.command("todo");
    expect(made.said).toEqual(["custom: 1. [ ] a text longer"]);
  });

  test("follows forks and switches, and may keep a person from leaving open work", async () => {
    const model = scriptedModel([todo({ add: "parse" }), "one", "two"]);
    const made = await extendedAgent({ model, extensions, answers: [false, true] });
    await made.agent.prompt("first");
    const file = made.session.getSessionFile() ?? "";
    expect(await made.agent.newSession()).toEqual({ kind: "cancelled", by: "05-todo-list" });
    expect(made.session.getSessionFile()).toBe(file);
    expect(await made.agent.newSession()).toMatchObject({ kind: "done", previousSessionFile: file });
    expect(made.said).toEqual(["confirm: Leave this session? 1 open", "confirm: Leave this session? 1 open"]);
    await made.command("todo");
    expect(made.said.splice(0)).toHaveLength(2);

    await made.agent.openSession(file);
    await made.command("todo");
    expect(made.said.splice(0)).toEqual(["custom: 1. [ ] parse"]);
    await made.agent.prompt("second");
    await made.agent.fork(userIds(made)[0] ?? "");
    await made.command("todo");
    expect(made.said).toEqual([]);
    expect(made.problems).toEqual([]);
  });
});

describe("the example 09-turn-changes", () => {
  const extensions = [example("09-turn-changes.ts")];
  const write = (folder: string) =>
    tool({
      name: "write",
      execute: () => {
        writeFileSync(join(folder, "new.txt"), "text");
        return says("written");
      },
    });

  test("notices what a turn changed, tells the model after the turn, and notes it at the end", async () => {
    const folder = tempFolder();
    const project = join(folder, "project");
    execFileSync("git", ["init", "-q", project]);
    writeFileSync(join(project, "old.txt"), "was here before");
    const model = scriptedModel([{ calls: [{ id: "c1", name: "write" }] }, "done", "yes"]);
    const made = await extendedAgent({ model, tools: [write(project)], cwd: project, extensions });
    await made.agent.prompt("write a file");
    expect(made.said).toEqual(["info: Turn 1 changed new.txt"]);
    expect(lines(made.session)).toEqual([
      "model_change",
      "user: write a file",
      "assistant(toolUse): +write#c1",
      "result#c1: written",
      "custom: Files changed by the last turn: new.txt",
      "assistant(stop): done",
    ]);
    await made.agent.prompt("did you see it?");
    expect(JSON.stringify(model.requests[2]?.messages)).toContain("Files changed by the last turn: new.txt");

    const renderer = made.runner.registrations.renderer("turn-changes");
    const message = { customType: "turn-changes", content: "", display: true, details: { changed: ["new.txt"] } };
    expect(renderer?.(message, { width: 12, expanded: false }, PLAIN_THEME)).toEqual(["1 files chan"]);
    expect(renderer?.(message, { width: 80, expanded: true }, PLAIN_THEME)).toEqual(["1 files changed", "  new.txt"]);

    await made.agent.dispose();
    const noted = made.file().filter(({ type, customType }) => type === "custom" && customType === "turn-changes");
    expect(noted).toMatchObject([{ data: { files: ["new.txt"] } }]);
    expect(made.problems).toEqual([]);
  });

  test("is silent outside of a repository", async () => {
    const folder = tempFolder();
    const model = scriptedModel([{ calls: [{ id: "c1", name: "write" }] }, "done"]);
    const made = await extendedAgent({ model, tools: [write(folder)], cwd: folder, extensions });
    await made.agent.prompt("write a file");
    expect([made.said, lines(made.session).length, made.problems]).toEqual([[], 5, []]);
  });
});

describe("the example 10-branch-tools", () => {
  const extensions = [example("10-branch-tools.ts")];
  const spoken = ({ session }: ExtendedAgent) => lines(session).filter((line) => line.includes(":"));

  test("names the end that was left, once, and goes back to it by its name", async () => {
    const made = await extendedAgent({
      model: scriptedModel(["one", "two", "three"]),
      extensions,
      answers: ["left 1"],
    });
    await made.agent.prompt("first");
    const early = made.session.getLeafId() ?? "";
    await made.agent.prompt("second");
    const end = made.session.getLeafId() ?? "";
    await made.agent.navigateTree(early);
    expect(made.session.getLabel(end)).toBe("left 1");
    await made.agent.prompt("third");
    const other = made.session.getLeafId() ?? "";
    await made.command("bookmarks");
    expect(made.said).toEqual(["select: Go where? left 1"]);
    expect(spoken(made)).toEqual(["user: first", "assistant(stop): one", "user: second", "assistant(stop): two"]);
    await made.command("bookmarks", "left 2");
    expect(spoken(made)).toEqual(["user: first", "assistant(stop): one", "user: third", "assistant(stop): three"]);
    const labels = made.file().filter(({ type }) => type === "label");
    expect(labels).toMatchObject([
      { targetId: end, label: "left 1" },
      { targetId: other, label: "left 2" },
    ]);
    expect(made.problems).toEqual([]);
  });

  test("names nothing where a move was called off, or only went down its own path", async () => {
    const made = await extendedAgent({ model: scriptedModel(["one", { failure: {} }, "two"]), extensions });
    await made.agent.prompt("first");
    const end = made.session.getLeafId() ?? "";
    const [start] = made.session.getBranch();
    await expect(made.agent.navigateTree(start?.id ?? "", { summarize: true })).rejects.toThrow(
      "Could not write the summary",
    );
    expect(made.session.getLabel(end)).toBeUndefined();
    await made.agent.navigateTree(start?.id ?? "");
    await made.agent.navigateTree(end);
    expect(made.session.getLabel(start?.id ?? "")).toBeUndefined();
  });

  test("starts over in the same file with a note of what was learned", async () => {
    const made = await extendedAgent({ model: scriptedModel(["one"]), extensions });
    await made.agent.prompt("first");
    const end = made.session.getLeafId() ?? "";
    await made.command("start-over", "the parser is fine");
    expect(made.session.getBranch()[0]).toMatchObject({
      type: "branch_summary",
      parentId: null,
      summary: "the parser is fine",
      abandonedLeafId: end,
      fromHook: true,
    });
    expect(made.session.getLabel(end)).toBe("left 1");
    expect(made.session.buildSessionContext().messages).toHaveLength(1);
  });

  test("spins off a new file, unless the place is named stay", async () => {
    const made = await extendedAgent({ model: scriptedModel(["one", "two"]), extensions });
    await made.agent.prompt("first");
    await made.agent.prompt("second");
    const file = made.session.getSessionFile() ?? "";
    const before = made.file();
    const [, second] = userIds(made);
    made.agent.label(second ?? "", "stay");
    await made.command("spin-off");
    expect([made.session.getSessionFile(), made.said]).toEqual([file, []]);
    made.agent.label(second ?? "");
    await made.command("spin-off");
    expect(made.session.getHeader()).toMatchObject({ parentSession: file });
    expect(basename(made.session.getSessionFile() ?? "")).not.toBe(basename(file));
    expect(lines(made.session)).toEqual(["model_change", "user: first", "assistant(stop): one"]);
    expect(made.said).toEqual([`info: session_fork: ${file} stays`, `info: session_branch: ${file} stays`]);
    await made.agent.openSession(file);
    expect(made.file().slice(0, before.length)).toEqual(before);
    expect(made.problems).toEqual([]);
  });
});
