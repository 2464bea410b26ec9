import { describe, expect, test } from "vitest";
import { CliError } from "./cli-error.js";
import { type CliRequest, parseCliOptions } from "./cli-options.js";
import { FLAGS, helpText } from "./flags.js";

const NOTHING_SAID = { session: { kind: "new" }, extensions: [], extensionPlaces: "all", trust: false };

const ALL_PLACES = { extensions: [], extensionPlaces: "all", trust: false };

describe("parseCliOptions", () => {
  test.each<[string[], Partial<CliRequest> | object]>([
    [
      [],
      {
        kind: "print",
        output: "text",
        prompt: "",
        verbose: false,
        strict: false,
        explicit: false,
        agent: NOTHING_SAID,
      },
    ],
    [["-h", "--nothing-after-it-matters"], { kind: "help", places: ALL_PLACES }],
    [
      ["--extension", "x.ts", "--no-extensions", "--trust", "--cwd", "c", "-h", "--fork", "a", "-c"],
      { kind: "help", places: { extensions: ["x.ts"], extensionPlaces: "named", trust: true, cwd: "c" } },
    ],
    [["-p", "-V"], { kind: "version" }],
    [
      ["-p", "fix", "it"],
      {
        kind: "print",
        output: "text",
        prompt: "fix it",
        verbose: false,
        strict: false,
        explicit: true,
        agent: NOTHING_SAID,
      },
    ],
    [
      ["fix it"],
      {
        kind: "print",
        output: "text",
        prompt: "fix it",
        verbose: false,
        strict: false,
        explicit: false,
        agent: NOTHING_SAID,
      },
    ],
    [
      ["--mode", "json"],
      { kind: "print", output: "json", prompt: "", verbose: false, strict: false, explicit: true, agent: NOTHING_SAID },
    ],
    [
      ["-p", "--strict", "fix it"],
      {
        kind: "print",
        output: "text",
        prompt: "fix it",
        verbose: false,
        strict: true,
        explicit: true,
        agent: NOTHING_SAID,
      },
    ],
    [["--mode=rpc", "-c"], { kind: "rpc", agent: { ...NOTHING_SAID, session: { kind: "continue" } } }],
    [["--mode", "rpc", "-p"], { error: "--print and --mode rpc cannot be combined" }],
    [["-p", "--fork", "a", "--session", "b"], { error: "--session and --fork cannot be combined" }],
    [["-p", "--name", " ", "x"], { error: "--name needs a value" }],
    [["-r"], { error: "--resume needs a session here" }],
    [["--mode", "rpc", "-r"], { error: "--resume needs a session here" }],
    [["-p", "--model"], { error: "Option '--model <value>' argument missing" }],
  ])("%j", (args, expected) => {
    expect(outcome(args)).toEqual(expected);
  });

  test.each<[string[], Partial<CliRequest> | object]>([
    [[], { kind: "interactive", agent: NOTHING_SAID, prompt: "", screen: { plain: false, ascii: false }, demo: false }],
    [
      ["fix it", "--plain", "--ascii"],
      { kind: "interactive", agent: NOTHING_SAID, prompt: "fix it", screen: { plain: true, ascii: true }, demo: false },
    ],
    [
      ["--demo"],
      { kind: "interactive", agent: NOTHING_SAID, prompt: "", screen: { plain: false, ascii: false }, demo: true },
    ],
    [["--demo", "-c"], { error: "--demo opens its own session" }],
    [
      ["-r"],
      {
        kind: "interactive",
        agent: NOTHING_SAID,
        prompt: "/resume",
        screen: { plain: false, ascii: false },
        demo: false,
      },
    ],
    [
      ["--resume", "--ascii"],
      {
        kind: "interactive",
        agent: NOTHING_SAID,
        prompt: "/resume",
        screen: { plain: false, ascii: true },
        demo: false,
      },
    ],
    [["-r", "-p"], { error: "--resume needs a session here" }],
    [["-r", "-c"], { error: "--continue and --resume cannot be combined" }],
    [["-r", "--", "x"], { error: "--resume without a session does not take a prompt" }],
    [
      ["-p", "fix it"],
      {
        kind: "print",
        output: "text",
        prompt: "fix it",
        verbose: false,
        strict: false,
        explicit: true,
        agent: NOTHING_SAID,
      },
    ],
    [["--help"], { kind: "help", places: ALL_PLACES }],
  ])("in a terminal: %j", (args, expected) => {
    expect(outcome(args, true)).toEqual(expected);
  });

  test("takes every choice there is", () => {
    const args = ["--mode", "rpc", "--session", "s#e", "--session-dir", "d", "--name", "n", "--model", "m"];
    args.push("--thinking", "low", "--tools", "read, ls", "--permission", "auto", "--system-prompt", "a");
    args.push(
      "--append-system-prompt",
      "b",
      "--extension",
      "x",
      "--extension",
      "y",
      "--no-extensions",
      "--trust",
      "--cwd",
      "c",
    );
    expect(outcome(args)).toEqual({
      kind: "rpc",
      agent: {
        session: { kind: "open", reference: "s#e" },
        sessionDir: "d",
        name: "n",
        model: "m",
        thinkingLevel: "low",
        tools: ["read", "ls"],
        permissionMode: "auto",
        systemPrompt: "a",
        appendSystemPrompt: ["b"],
        extensions: ["x", "y"],
        extensionPlaces: "named",
        trust: true,
        cwd: "c",
      },
    });
  });

  test("keeps options it does not know for extensions, each with the word that may be its value", () => {
    const args = ["-p", "--region", "south", "--loud", "-c", "go", "--to=x y", "on", "--model", "m", "--", "--not-one"];
    expect(outcome(args)).toMatchObject({
      prompt: "south go on --not-one",
      agent: {
        model: "m",
        session: { kind: "continue" },
        extensionArguments: {
          flags: [{ name: "region", next: 0 }, { name: "loud" }, { name: "to", value: "x y", next: 2 }],
          words: ["south", "go", "on", "--not-one"],
        },
      },
    });
  });

  test("refuses a prompt for RPC unless it may be the value of an option it does not know", () => {
    expect(outcome(["--mode", "rpc", "south"])).toEqual({ error: "--mode rpc does not take a prompt" });
    expect(outcome(["--mode", "rpc", "--region", "south"])).toMatchObject({ kind: "rpc" });
  });

  test("the help has a line for each flag", () => {
    const named = [...helpText().matchAll(/^ {2}(?:-\w, | {4})--([a-z-]+)/gm)].map((match) => match[1]);
    expect(named).toEqual(Object.keys(FLAGS));
  });
});

function outcome(args: readonly string[], terminal = false): unknown {
  try {
    return parseCliOptions(args, { terminal });
  } catch (error) {
    expect(error).toBeInstanceOf(CliError);
    expect((error as CliError).code).toBe("wrong-usage");
    return { error: (error as CliError).message };
  }
}
