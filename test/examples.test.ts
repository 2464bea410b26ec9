import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
    expect(printed.slice(0, printed.indexOf("\nThe agent is there"))).toMatchInlineSnapshot(`
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

  test("names files that exist", () => {
    const files = [...run("scripts/start.mjs").matchAll(/(?:examples|docs)\/\S+/g)].map(([file]) => file);
    expect(files).toEqual(["examples/01-session-tree.mjs", "examples/04-agent.mjs", "docs/tree.md"]);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test("and README.md show commands that work in this checkout once it has run", () => {
    const printed = run("scripts/start.mjs");
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const commands = `${printed}\n${readme}`.split("\n").filter((line) => /^( {2}|echo .*\| |)npx bough /.test(line));
    expect(commands.length).toBe(5);
    // Nothing of whoever runs the tests, no key, no model that happens to run on this machine; and npm asks nobody.
    const home = join(folder, "start");
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "settings.json"), '{ "model": "offline/rules" }');
    const npm = { npm_config_offline: "true", npm_config_update_notifier: "false" };
    const env = { PATH: process.env.PATH, HOME: folder, BOUGH_HOME: home, ...npm };
    for (const command of commands) {
      const answer = execFileSync("sh", ["-c", command], { cwd: root, env, encoding: "utf8", input: "" });
      expect([command, answer]).toEqual([command, expect.stringMatching(/README\.md|# Bough|"bough"|Usage: bough/)]);
    }
  });
});
