import { describe, expect, test } from "vitest";
import type { Command } from "./command.js";
import { testContext } from "./command-context.test-support.js";
import { COMMANDS } from "./commands.js";
import { completeCommandLine } from "./complete-command-line.js";
import { commandsOfExtensions } from "./extension-commands.js";
import { showOutcome } from "./outcome.js";
import { readCommandLine, runCommandLine } from "./run-command-line.js";

const greet: Command = {
  name: "greet",
  group: "program",
  usage: "[name]",
  summary: "Greets",
  details: "From the extension polite.",
  run: async (_context, args) => ({ kind: "done", message: `hello ${args}` }),
};

describe("the table of commands", () => {
  test("has every name once, with a summary that is not a sentence and details that are", () => {
    const names = COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, summary, details } of COMMANDS) {
      expect(name).toMatch(/^[a-z][a-z-]*$/);
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      expect(details).toMatch(/^\S.*\.$/s);
    }
  });

  test("has the commands the design names", () => {
    const wanted =
      "tree try attempts agent children fork branch branch-here branches switch pop undo redo label pin unpin cherry-pick merge compare diff restore compact context new resume import handoff clone rename session search tried export export-branch sync copy model login logout thinking settings permissions mcp init jobs hints help quit";
    expect(COMMANDS.map(({ name }) => name).sort()).toEqual(wanted.split(" ").sort());
  });

  test("refuses what a command does not take, with its usage, and changes nothing", async () => {
    const { context, session } = testContext({ drawing: "A-b-C-d*; b-E-f", hints: { showAgain: () => {} } });
    const count = session.getCounts().entries;
    const free = [
      "branches",
      "resume",
      "rename",
      "search",
      "model",
      "compact",
      "login",
      "logout",
      "mcp",
      "init",
      "jobs",
      "sync",
    ];
    for (const { name } of COMMANDS.filter((command) => !free.includes(command.name))) {
      const outcome = await runCommandLine(context, `/${name} --nonsense`);
      expect({ name, outcome }).toMatchObject({ outcome: { kind: "unchanged", code: "wrong-arguments" } });
    }
    expect([session.getLeafId(), session.getCounts().entries]).toEqual(["d", count]);
  });
});

describe("a line", () => {
  test("without a slash, a path and a template are for the agent", () => {
    const template = { name: "review", description: "Reviews", text: "", path: "x" };
    const project = { contextFiles: [], templates: [template], skills: [], problems: [] };
    const { context } = testContext({ agent: { project: project as never } });
    for (const line of ["hello", "/usr/bin/env is there", "/etc.txt", "/review this", "/ x"]) {
      expect(readCommandLine(context, line)).toEqual({ kind: "prompt" });
    }
    expect(readCommandLine(context, " /exit ")).toMatchObject({ kind: "command", command: { name: "quit" }, args: "" });
  });

  test("with an unknown name says what comes close", async () => {
    const { context } = testContext();
    expect(await runCommandLine(context, "/swich #2")).toEqual({
      kind: "unchanged",
      message: "Unknown command /swich.",
      hint: "Closest: /switch",
      code: "unknown-command",
    });
    expect(await runCommandLine(context, "/xyzzyx")).toMatchObject({
      message: "Unknown command /xyzzyx.",
      hint: "/help lists them.",
    });
  });

  test("for a command that cannot be used says why and runs nothing", async () => {
    const busy = testContext({ drawing: "A-b-C-d*; b-E-f", steps: [{ text: "on it", hang: true }] });
    const { context, agent, session, model } = busy;
    const run = agent.prompt("go");
    await model.reached(1);
    expect(await runCommandLine(context, "/switch #2")).toEqual({
      kind: "unchanged",
      message: "Agent is working.",
      hint: "Esc stops it, then you can move.",
      code: "unavailable",
    });
    agent.abort();
    await run;
    expect(session.getBranch().map(({ id }) => id)).toContain("d");
  });

  test("runs commands of extensions, but a built-in name stays the built-in command", async () => {
    const taken = { ...greet, name: "tree" };
    const { context } = testContext({ extra: [greet, taken] });
    expect(await runCommandLine(context, "/greet you all")).toEqual({ kind: "done", message: "hello you all" });
    expect(readCommandLine(context, "/tree")).toMatchObject({ command: { group: "tree" } });
  });

  test("lets a bug through", async () => {
    const broken = { ...greet, name: "broken", run: () => Promise.reject(new TypeError("oops")) };
    const { context } = testContext({ extra: [broken] });
    await expect(runCommandLine(context, "/broken")).rejects.toThrow("oops");
  });
});

describe("an outcome", () => {
  test("is reported at its level, and its text goes to the editor", () => {
    const { context, told, editor } = testContext();
    showOutcome(context.front, { kind: "done", message: "Moved.", editorText: "again" });
    showOutcome(context.front, { kind: "unchanged", message: "You are already here." });
    showOutcome(context.front, { kind: "unchanged", message: "No.", code: "unavailable" });
    showOutcome(context.front, { kind: "shown" });
    expect(told).toEqual(["good: Moved.", "info: You are already here.", "warning: No."]);
    expect(editor).toEqual(["again"]);
  });
});

describe("commands of extensions", () => {
  test("answer how the run ended", async () => {
    const registered = [{ extension: "polite", name: "hi", value: { description: "Says hi", handler: () => {} } }];
    const outcomes = [{ kind: "cancelled", by: "polite" }, { kind: "aborted" }, undefined] as const;
    const said: string[] = [];
    const [command] = commandsOfExtensions(registered, async (_name, args) => outcomes[said.push(args) - 1]);
    const { context } = testContext();
    expect(command).toMatchObject({ name: "hi", summary: "Says hi", details: "From the extension polite." });
    expect(await command?.run(context, "a")).toEqual({ kind: "done", data: { outcome: "cancelled" } });
    expect(await command?.run(context, "b")).toEqual({ kind: "unchanged", message: "Stopped." });
    // A handler that returns nothing has succeeded.
    expect(await command?.run(context, "c")).toEqual({ kind: "done", data: { outcome: "done" } });
    expect(said).toEqual(["a", "b", "c"]);
  });
});

describe("completing a line", () => {
  const drawing = "A-b-C-d*; b-E-f";

  async function values(line: string, extra: readonly Command[] = []) {
    const { context, agent } = testContext({ drawing, extra });
    agent.label("C", "good point");
    const found = await completeCommandLine(context, line);
    return found === undefined ? undefined : { from: found.from, values: found.items.map(({ value }) => value) };
  }

  test("offers names, those of extensions too, and what holds the letters after what begins with them", async () => {
    expect(await values("/sw")).toEqual({ from: 1, values: ["switch"] });
    expect(await values("/gre", [greet])).toEqual({ from: 1, values: ["greet"] });
    expect((await values("/branch"))?.values).toEqual(["branches", "branch-here", "branch", "export-branch"]);
    expect((await values("/"))?.values.length).toBe(COMMANDS.length);
  });

  test("offers places, levels, settings and their values", async () => {
    expect(await values("/switch #")).toEqual({ from: 8, values: ["#2", "#1"] });
    expect((await values("/tree go"))?.values).toEqual(['"good point"']);
    expect(await values('/tree "good po')).toEqual({ from: 6, values: ['"good point"'] });
    expect((await values("/thinking m"))?.values).toEqual(["minimal", "medium"]);
    expect((await values("/settings branchS"))?.values).toEqual(["branchSummary", "branchSummaryMinTokens"]);
    expect((await values("/settings branchSummary "))?.values).toEqual(["ask", "never", "always"]);
    expect((await values("/model scr"))?.values).toEqual(["scripted/script"]);
    expect((await values("/context d"))?.values).toEqual(["drop"]);
  });

  test("offers nothing for text, for an unknown name, and where nothing fits", async () => {
    expect(await values("hello")).toBeUndefined();
    expect(await values("/nope x")).toBeUndefined();
    expect(await values("/undo x")).toBeUndefined();
    expect(await values("/thinking zzz")).toBeUndefined();
  });
});
