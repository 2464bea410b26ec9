import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = mkdtempSync(join(tmpdir(), "bough-examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script against the built library, with every temporary file and every session kept inside one folder. */
function run(script: string): string {
  const env = { ...process.env, TMPDIR: folder, BOUGH_HOME: join(folder, "home"), BOUGH_KEEP_BUILD: "1" };
  return execFileSync(process.execPath, [join(root, script)], { cwd: folder, env, encoding: "utf8" });
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
});

describe("npm start", () => {
  test("prints the demo tree with its position, without a terminal", () => {
    const printed = run("scripts/start.mjs");
    expect(printed.slice(0, printed.indexOf("\nThis version"))).toMatchInlineSnapshot(`
      "A session with three attempts

      you: Build a command line for notes
      agent: Which parser should it use?
      ├─ you: Write one by hand  [dead end]
      │  agent: Done: 300 lines and four open bugs
      ├─ (brought back: A hand-written parser works, but quoting stays broken.)
      │  you: Then use a library  [keep this]
      │  agent: Done: 40 lines, all tests pass
      │  (from here on the model sees: Notes has a command line that uses a parser library.)
      │  you: Now add colours
      │  agent: Colours are in   <- you are here
      └─ you: What about no parser at all?
         agent: Works for two options, not for five

      What a model would be shown here: 5 messages
      "
    `);
  });
});
