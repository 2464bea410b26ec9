/** Finding sessions and looking at them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, describe, expect, test } from "vitest";
import { TerminalProgram } from "../support/terminal.js";
import { damage, makeSubPlace, packedProgram, runSub, type SubPlace } from "./sub-support.js";

const open: TerminalProgram[] = [];

function inTerminal({ cwd, env }: SubPlace, args: readonly string[]): TerminalProgram {
  const known = Object.entries({ TERM: "xterm-256color", ...env }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const terminal = new TerminalProgram({
    command: process.execPath,
    args: [packedProgram(), ...args],
    cwd,
    env: Object.fromEntries(known),
  });
  open.push(terminal);
  return terminal;
}

afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});

describe("bough ls, read-only", () => {
  test("in a terminal it is a table that fits, with colours unless NO_COLOR is set", async () => {
    const terminal = inTerminal(makeSubPlace(), ["ls"]);
    expect(await terminal.ends()).toBe(0);
    expect(terminal.lines.slice(0, 3).map((line) => line.replace(/ {2,}/g, "  "))).toEqual([
      "id  name or first prompt  age  turns  branches  size  cost",
      expect.stringMatching(/^first-st {2}where do we begin\? {2}now {2}1 {2}1 {2}\d+ B {2}\$0$/),
      expect.stringMatching(/^bough-de {2}parser session {2}10d {2}26 {2}5 {2}56 KB {2}\$1\.94$/),
    ]);
    expect(terminal.raw).toContain("\x1b[1mparser session");
    const plain = inTerminal(makeSubPlace({ NO_COLOR: "1" }), ["ls"]);
    await plain.ends();
    expect(plain.raw).not.toContain("\x1b[");
  });

  test("in a pipe the columns are separated by tabs", async () => {
    const place = makeSubPlace();
    const { stdout } = await runSub(place, ["ls", "--sort", "size"]);
    const [heading, largest] = stdout.split("\n").map((line) => line.split("\t"));
    expect(heading).toEqual(["id", "name", "last", "turns", "branches", "bytes", "dollars", "folder", "file"]);
    expect(largest?.slice(0, 2)).toEqual(["bough-demo", "parser session"]);
    expect([largest?.[3], largest?.[4], largest?.[6]]).toEqual(["26", "5", "1.9416"]);
  });

  test("several at once agree, and leave counts that the next one can read", async () => {
    const place = makeSubPlace();
    const lists = await Promise.all(Array.from({ length: 4 }, () => runSub(place, ["ls", "--json"])));
    expect(new Set(lists.map(({ code, stdout, stderr }) => JSON.stringify([code, stdout, stderr]))).size).toBe(1);
    const [heading, ...kept] = readFileSync(join(place.home, "cache", "session-counts.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(heading).toEqual({ type: "session-counts", version: 1 });
    expect(kept).toMatchObject([{ path: place.demo, turns: 26, messages: 117, branches: 5 }]);
    expect(JSON.parse((await runSub(place, ["ls", "--json"])).stdout)).toEqual(JSON.parse(lists[0]?.stdout ?? ""));
  });

  test("control characters of a prompt reach no terminal", async () => {
    const place = makeSubPlace();
    const session = SessionManager.create(place.cwd, place.sessions);
    session.appendMessage({ role: "user", content: "\x1b]0;title\x07 \x1b[2J\x9b31m evil\ttab", timestamp: 1 });
    session.close();
    for (const args of [
      ["ls"],
      ["tree"],
      ["show"],
      ["show", "-f", "plain"],
      ["search", "evil"],
      ["stats"],
      ["ls", "--json"],
    ]) {
      const { code, stdout } = await runSub(place, args);
      expect(code).toBe(0);
      expect(stdout.replace(/[\n\t]/g, "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    }
  });

  test("the archive and every folder have lists of their own", async () => {
    const place = makeSubPlace();
    await runSub(place, ["archive", "first-steps", "--yes"]);
    const ids = async (...flags: string[]) => {
      const { stdout } = await runSub(place, ["ls", "--json", ...flags]);
      return (JSON.parse(stdout) as { sessions: { id: string }[] }).sessions.map(({ id }) => id);
    };
    const elsewhere = join(place.cwd, "..");
    expect([
      await ids(),
      await ids("--archived"),
      await ids("--cwd", elsewhere),
      await ids("--all", "--cwd", elsewhere),
    ]).toEqual([["bough-demo"], ["first-steps"], [], ["bough-demo"]]);
  });
});

describe("bough tree, read-only", () => {
  test("draws the trunk with folded branches", async () => {
    const { stdout } = await runSub(makeSubPlace(), ["tree", "bough-demo", "--width", "60"]);
    expect(stdout.split("\n").slice(0, 14)).toMatchInlineSnapshot(`
      [
        " Tree · parser s… · user-only 26 turns · 5 branches · on #1",
        " ───────────────────────────────────────────────────────────",
        "   ●  What is in this folder?                           10d",
        "   ●  Read the README and tell me what the tool promi…  10d",
        "   ●  How are lines split at the moment?                10d",
        "   ●  Write a test that shows the problem               10d",
        "   ●  What would a proper tokenizer need to handle?     10d",
        "   ●  Generate a tokenizer from a gramma…  [tokenizer]  10d",
        "   ├─▸ #2  Try a hand-written lexer i…  5 turns         10d",
        "   ●  Keep the generated one, and add tests for the s…  10d",
        "   ●  Fix the failing edge cases: empty input…  [good]  10d",
        "   ├─▸ #3  Rewrite the error type…  2 turns  ✕ stopped  10d",
        "   ●  Now sum by month                                  10d",
        "   ●  Dates come as 2026-03-01 and as 1.3.2026          10d",
      ]
    `);
  });

  test("draws with ASCII, opens every branch, and marks the entry that was asked for", async () => {
    const place = makeSubPlace();
    const ascii = (await runSub(place, ["tree", "bough-demo", "--ascii"])).stdout;
    expect(ascii).toMatch(/^[\n -~]+$/);
    const opened = (await runSub(place, ["tree", "bough-demo", "--all-branches"])).stdout;
    expect(opened).toContain("│   ●  Start from a table of states");
    const marked = (await runSub(place, ["tree", "bough-demo#lexer"])).stdout;
    expect(marked).toMatch(/❯.*Drop the table, use a switch/);
  });

  test("a damaged session is drawn as far as it can be read, and the damage is told", async () => {
    const place = makeSubPlace();
    const broken = join(place.cwd, "broken.jsonl");
    damage(broken, readFileSync(place.demo, "utf8").trimEnd().split("\n"));
    const { code, stdout, stderr } = await runSub(place, ["tree", broken]);
    expect(code).toBe(0);
    expect(stdout).toContain("Would loading it into SQLite be simpler?");
    expect(stderr).toMatch(
      /^bough: The session file is damaged, line 4: .*\n {2}Everything else was read\. For details, run: bough verify /,
    );
  });
});

describe("bough show, read-only", () => {
  test("ends at the entry that was asked for: an id, a label, a branch, the leaf", async () => {
    const place = makeSubPlace();
    const last = async (reference: string) => {
      const { stdout } = await runSub(place, ["show", reference, "--last", "1", "--tools", "names"]);
      return stdout.split("\n")[4];
    };
    expect([await last("bough-demo#tokenizer"), await last("bough-demo##2"), await last("bough-demo#@")]).toEqual([
      "Generate a tokenizer from a grammar and wire it into the command line",
      "What is still open with it?",
      "Write that down in the README",
    ]);
  });

  test("--context shows what the model sees: the summary in place of what it summarizes", async () => {
    const place = makeSubPlace();
    const { stdout } = await runSub(place, ["show", "bough-demo", "--context"]);
    expect(stdout).toContain("tally reads CSV files of several dialects");
    expect(stdout).not.toContain("What is in this folder?");
    const json = await runSub(place, ["show", "bough-demo", "--context", "--json"]);
    const { messages } = JSON.parse(json.stdout) as { messages: { role: string }[] };
    expect(messages[0]?.role).toBe("compactionSummary");
  });
});

describe("bough search, read-only", () => {
  test("says where a hit stands, and its address leads there", async () => {
    const place = makeSubPlace();
    const { stdout } = await runSub(place, ["search", "hand-written lexer", "--role", "user"]);
    const [, address = ""] = /^ {2}(\S+#\S+) {2}user .*on an abandoned branch$/m.exec(stdout) ?? [];
    expect(stdout).toContain("Try a «hand-written» «lexer» instead");
    const shown = await runSub(place, ["show", address, "--last", "1"]);
    expect(shown.stdout).toContain("Try a hand-written lexer instead");
    expect((await runSub(place, ["tree", address])).stdout).toContain("❯");
    expect((await runSub(place, ["-p", "--session", address, "what is in this folder?"])).code).toBe(0);
  });

  test("tells active, abandoned and compacted apart, and ends with a line of its own", async () => {
    const { stdout } = await runSub(makeSubPlace(), ["search", "the", "--json"]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; state?: string });
    expect(new Set(lines.slice(0, -1).map(({ state }) => state))).toEqual(
      new Set(["active", "abandoned", "compacted"]),
    );
    expect(lines.at(-1)).toMatchObject({
      type: "end",
      hits: lines.length - 1,
      filesDone: 2,
      filesTotal: 2,
      problems: [],
    });
  });

  test("finding nothing is exit code 1 with a sentence; a bad pattern is told", async () => {
    const place = makeSubPlace();
    const none = await runSub(place, ["search", "unheard-of"]);
    expect(none).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "Nothing in the sessions in this folder matches unheard-of (2 searched). To search every folder: --all; other agents too: --all-agents\n",
    });
    const bad = await runSub(place, ["search", "re:(unclosed"]);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/^bough: The pattern is not a regular expression/);
  });
});

describe("bough compare and stats, read-only", () => {
  test("compare says where branches split and how each ended", async () => {
    const { stdout } = await runSub(makeSubPlace(), ["compare", "bough-demo##2", "--width", "80"]);
    expect(stdout).toMatch(/^ Compare {3}#2 Try a hand-written lexer instead {2}↔ {2}#1 What is in this folder\?$/m);
    expect(stdout).toMatch(/^ parted at "Generate a tokenizer/m);
    expect(stdout).toMatch(/^ #2 ends: Two cases/m);
  });

  test("compare refuses branches of two sessions, and a place with itself", async () => {
    const place = makeSubPlace();
    expect((await runSub(place, ["compare", "bough-demo##1", "first-steps##1"])).code).toBe(2);
    expect((await runSub(place, ["compare", "bough-demo"])).code).toBe(2);
  });

  test("stats add up: branches, models and days each give the whole", async () => {
    const { stdout } = await runSub(makeSubPlace(), ["stats", "bough-demo", "--json"]);
    interface Counted {
      readonly usage: { readonly tokens: number };
    }
    const stats = JSON.parse(stdout) as Record<"branches" | "models" | "days", Counted[]> &
      Record<"whole" | "path", Counted>;
    const sum = (rows: readonly Counted[]) => rows.reduce((total, { usage }) => total + usage.tokens, 0);
    const whole = stats.whole.usage.tokens;
    expect([sum(stats.branches), sum(stats.models), sum(stats.days)]).toEqual([whole, whole, whole]);
    expect(stats.path.usage.tokens).toBeLessThan(whole);
  });
});
