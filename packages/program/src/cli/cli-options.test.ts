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
        limits: {},
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
        limits: {},
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
        limits: {},
        explicit: false,
        agent: NOTHING_SAID,
      },
    ],
    [
      ["--mode", "json"],
      {
        kind: "print",
        output: "stream",
        limits: {},
        prompt: "",
        verbose: false,
        strict: false,
        explicit: true,
        agent: NOTHING_SAID,
      },
    ],
    [
      ["-p", "--strict", "fix it"],
      {
        kind: "print",
        output: "text",
        prompt: "fix it",
        verbose: false,
        strict: true,
        limits: {},
        explicit: true,
        agent: NOTHING_SAID,
      },
    ],
    [
      [
        "--output-format",
        "json",
        "--max-turns",
        "7",
        "--max-tokens",
        "90000",
        "--max-cost",
        ".5",
        "--timeout",
        "1h30m5s",
        "--schema",
        "s.json",
        "x",
      ],
      {
        kind: "print",
        output: "json",
        limits: { steps: 7, tokens: 90_000, dollars: 0.5, milliseconds: 5_405_000 },
        schema: "s.json",
        prompt: "x",
        verbose: false,
        strict: false,
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
    [["--mode", "rpc", "--max-cost", "1"], { error: "--max-cost works only with --print" }],
    [["--mode", "rpc", "--output-format", "json"], { error: "--output-format and --mode rpc cannot be combined" }],
    [
      ["--mode", "json", "--output-format", "json"],
      { error: "--mode json and --output-format json cannot be combined" },
    ],
    [
      ["--output-format", "stream", "--mode", "json", "x", "--max-turns", "0"],
      { error: "Invalid value for --max-turns: 0" },
    ],
    ...["0", "1.5", "x", "1e3", "99999999999999999999", "0x10"].map((value): [string[], object] => [
      ["-p", "--max-turns", value, "x"],
      { error: `Invalid value for --max-turns: ${value}` },
    ]),
    ...["0", "0.0", "x", "1e-3", "1,5", "1.", "Infinity"].map((value): [string[], object] => [
      ["-p", "--max-cost", value, "x"],
      { error: `Invalid value for --max-cost: ${value}` },
    ]),
    ...["0", "0s", "90", "10x", "0.4ms", "1m1h", "s", "25h10", "577h", "9".repeat(400)].map(
      (value): [string[], object] => [
        ["-p", "--timeout", value, "x"],
        { error: `Invalid value for --timeout: ${value}` },
      ],
    ),
    ...["--max-turns", "--max-tokens", "--max-cost", "--timeout"].map((flag): [string[], object] => [
      ["-p", `${flag}=-1`, "x"],
      { error: `Invalid value for ${flag}: -1` },
    ]),
    [["-p", "--timeout", "", "x"], { error: "--timeout needs a value" }],
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
    ...["--max-turns", "--max-tokens", "--max-cost", "--timeout", "--schema"].map((flag): [string[], object] => [
      [flag, "1", "x"],
      { error: `${flag} works only with --print` },
    ]),
    [["--strict"], { error: "--strict works only with --print" }],
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
        limits: {},
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
