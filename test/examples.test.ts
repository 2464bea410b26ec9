import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = mkdtempSync(join(tmpdir(), "bough-examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const printed = new Map<string, string>();

/** Runs a script once against the built library, with every temporary file and every session kept inside one folder. */
function run(script: string): string {
  const known = printed.get(script);
  if (known !== undefined) return known;
  const env = { ...process.env, TMPDIR: folder, BOUGH_HOME: join(folder, "home"), BOUGH_KEEP_BUILD: "1" };
  const said = execFileSync(process.execPath, [join(root, script)], { cwd: folder, env, encoding: "utf8" });
  printed.set(script, said);
  return said;
}

const examples = readdirSync(join(root, "examples")).filter((name) => name.endsWith(".mjs"));

describe("the examples", () => {
  test("are there, numbered and short", () => {
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.filter((name) => !/^\d\d-[a-z-]+\.mjs$/.test(name))).toEqual([]);
    const long = examples.filter((name) => readFileSync(join(root, "examples", name), "utf8").split("\n").length > 60);
    expect(long).toEqual([]);
  });

  test.each(examples)("%s runs, prints something and writes nowhere but to a temporary folder", (name) => {
    expect(run(join("examples", name))).not.toBe("");
    expect(existsSync(join(folder, "home"))).toBe(false);
  });

  test("01 shows both attempts, and the second one as the context", () => {
    const lines = run("examples/01-session-tree.mjs").replaceAll(/^[0-9a-f]{12} /gm, "<id> ");
    expect(lines.trim().split("\n")).toEqual([
      "<id> Write the parser by hand",
      "<id> Use a library for parsing",
      "[ 'Build a CLI', 'Use a library for parsing' ]",
    ]);
  });

  test("are thirty with the extensions, and README.md lists each of them", () => {
    const extensions = readdirSync(join(root, "examples", "extensions")).map((name) => `extensions/${name}`);
    const all = [...examples, ...extensions].sort();
    const page = readFileSync(join(root, "examples", "README.md"), "utf8");
    expect([...page.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]).sort()).toEqual(all);
    expect(all).toHaveLength(30);
  });

  // What each of them says in its first lines that it prints.
  test.each([
    ["06-draw-a-tree", ["● Build a CLI", "├─▸ Write the parser by hand", "● Use a library for parsing [good]"]],
    ["07-context", ["user user user", "compactionSummary user", "user user", "true"]],
    ["08-export", ["the key is in the file: false", "the prompt is in the file: true"]],
    [
      "09-other-agents",
      ["claude-code · Which parser? / Write it / Use a library", "branches: 2", "imported", "unchanged"],
    ],
    ["10-own-model-and-tool", ["asked: add 19 23", "42", "asked: add 100 1", "That is too much."]],
    ["11-structured-output", ["summary, open", "true"]],
    ["12-run-events", ["tool: ls", "tool: read", "outcome: done", "outcome: aborted steps"]],
    ["13-branches-and-merge", ["branches: 2", "done · one.txt: true · two.txt: true"]],
    ["14-rpc-client", ["tool: read notes.txt", "outcome: done", "error: entry-not-found"]],
    ["15-sessions-as-lines", ["branches: 2", "here: Use a library for parsing"]],
  ])("%s prints what it says", (name, printed) => {
    expect(run(`examples/${name}.mjs`).trim().split("\n")).toEqual(printed);
  });

  test("02 finds both accidents, and the new file has what could be read", () => {
    const printed = run("examples/02-verify-and-repair.mjs");
    expect(printed).toMatch(/^2 entries can be read\n/);
    expect(printed).toContain("[ 'Build a CLI', 'Now the tests' ]");
    expect(printed.trim().split("\n").at(-1)).toBe("clean true");
  });

  test("03 finds what is on the path, on an abandoned branch and before a compaction", () => {
    const printed = run("examples/03-search.mjs");
    for (const text of ["Rewrite the parser by hand", "The parser is fine now", "nested quotes"])
      expect(printed).toContain(text);
    expect(new Set([...printed.matchAll(/^ {2}(\w+) /gm)].map((match) => match[1])).size).toBe(3);
  });

  test("04 lists, moves with a summary, reads, compares and exports", () => {
    const printed = run("examples/04-agent.mjs");
    expect(printed).toMatch(/^tool: ls /);
    expect(printed).toContain("branch: 1 tool call, Read notes.txt");
    expect(printed.trim()).toMatch(/exported: \d+ entries to branch\.jsonl$/);
  });

  test("05 breaks no rule of a log, and shows what both servers wrote", () => {
    expect(run("examples/05-log-of-your-own.mjs").trim().split("\n")).toEqual([
      "broken rules: []",
      "[ 'Use a library for parsing', 'Write the parser by hand' ]",
    ]);
  });
});

describe("npm start", () => {
  test("shows the tree of the bundled session and what to try, without a terminal", () => {
    const printed = run("scripts/start.mjs");
    const tree = printed.slice(0, printed.indexOf("\nThis session has")).replace(/ +(\d+[mhd]|now)$/gm, "");
    expect(tree).toMatchInlineSnapshot(`
      " Tree · parser session · user-only 26 turns · 5 branches · on #1 What is in t…
       ──────────────────────────────────────────────────────────────────────────────
         ●  What is in this folder?
         ●  Read the README and tell me what the tool promises
         ●  How are lines split at the moment?
         ●  Write a test that shows the problem
         ●  What would a proper tokenizer need to handle?
         ●  Generate a tokenizer from a grammar and wire it into …  [tokenizer]
         ├─▸ #2  Try a hand-written lexer instead     5 turns
         ●  Keep the generated one, and add tests for the six cases
         ●  Fix the failing edge cases: empty input, a lone quote, CRL…  [good]
         ├─▸ #3  Rewrite the error type so that it …  2 turns  ✕ stopped
         ●  Now sum by month
         ●  Dates come as 2026-03-01 and as 1.3.2026
         ●  And amounts with a comma, 12,50?
         ●  Agreed. Detect the dialect from the first line
         ●  Print the sums as a table
         ●  Try it with a file of 2 GB  [too big]
         ├─▸ #4  Read the file in pieces, with the …  2 turns  [pieces]
         ├─▸ #5  Would loading it into SQLite be si…  1 turn
         ●  For now, refuse files over 500 MB with a clear message
         ●  Write that down in the README
       ❯ @  you are here · reply finished

       ──────────────────────────────────────────────────────────────────────────────
       You are already here.
                                                                            21 of 21
      "
    `);
    expect(printed).toContain("bough demo");
    expect(printed).toContain("npm start -- demo");
  });

  test("and README.md show commands that work in this checkout once it has run", () => {
    run("scripts/start.mjs");
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const commands = readme.split("\n").filter((line) => /^(echo .*\| |)bough /.test(line));
    expect(commands.length).toBeGreaterThan(6);
    // Nothing of whoever runs the tests, no key, no model that happens to run on this machine.
    const home = join(folder, "start");
    const cwd = join(folder, "project");
    mkdirSync(home, { mode: 0o700 });
    mkdirSync(cwd);
    writeFileSync(join(home, "settings.json"), '{ "model": "offline/rules" }');
    writeFileSync(join(cwd, "package.json"), '{ "name": "parser" }\n');
    const env = { PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}`, HOME: folder, BOUGH_HOME: home };
    const printed = commands.map((command) => [
      command.replace(/ +#.*/, ""),
      execFileSync("sh", ["-c", command], { cwd, env, encoding: "utf8", input: "" }),
    ]);
    expect(printed).toEqual([
      ['bough -p --model offline/rules "what is in this folder?"', expect.stringContaining("package.json")],
      ['bough -p --model offline/rules -c "read package.json"', expect.stringContaining('"name": "parser"')],
      ["bough tree --filter user-only", expect.stringContaining("what is in this folder?")],
      ["bough search package", expect.stringContaining("package")],
      ["bough export --format html", expect.stringMatching(/\.html/)],
      ["bough ls --all-agents", expect.stringContaining("what is in this folder?")],
      ["bough handoff codex --yes", expect.stringContaining("codex resume")],
    ]);
  });
});
