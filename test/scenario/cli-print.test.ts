import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { bough, conversation, makePlace, PROGRAM, Running, sessionFiles, theOnly } from "./cli-support.js";
import { runHere } from "./run-here.js";

const SIGNATURE = "\n\n(offline/rules: found by rules, not by a language model.)\n";

describe("bough -p", () => {
  test("answers a piped question in a fresh home, without any key, with the offline model", async () => {
    const place = makePlace({ settings: null });
    const ended = await bough(place, ["-p", "--model", "offline/rules"], "what is in this folder?\n");
    expect(ended).toEqual({ code: 0, stdout: `\`ls .\`:\napp.js\nnotes.txt${SIGNATURE}`, stderr: "" });
    const file = theOnly(sessionFiles(place));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await conversation(file)).toEqual([
      "user: what is in this folder?",
      "assistant: [toolCall ls]",
      "toolResult: app.js\nnotes.txt",
      `assistant: ${ended.stdout.trimEnd()}`,
    ]);
  });

  test("adds piped text to a prompt that is given", async () => {
    const place = makePlace();
    expect((await runHere(place, ["-p", "read", "notes.txt"], { input: "piped words\n" })).code).toBe(0);
    expect((await conversation(theOnly(sessionFiles(place))))[0]).toBe("user: read notes.txt\n\npiped words");
  });

  test("changes nothing and runs nothing unless that is allowed", async () => {
    const place = makePlace();
    const refused = await runHere(place, ["-p", "run touch made-by-it"]);
    expect([refused.code, refused.stdout]).toEqual([
      0,
      expect.stringContaining("Refused in permission mode read-only"),
    ]);
    expect(existsSync(join(place.cwd, "made-by-it"))).toBe(false);
    await runHere(place, ["-p", "--permission", "auto", "--sandbox", "off", "run touch made-by-it"]);
    expect(existsSync(join(place.cwd, "made-by-it"))).toBe(true);
  });

  test("tells what happens on standard error with --verbose, and keeps standard output clean", async () => {
    const { stdout, stderr } = await runHere(makePlace(), ["-p", "--verbose", "read notes.txt"]);
    expect(stderr).toBe('bough: read {"path":"notes.txt"}\n');
    expect(stdout).toContain("buy milk");
  });

  test("works in the folder of --cwd and with the tools of --tools", async () => {
    const place = makePlace();
    const elsewhere = tempFolder();
    writeFileSync(join(elsewhere, "only-here.txt"), "");
    const ended = await runHere(place, ["-p", "--cwd", elsewhere, "--tools", "ls", "list files"]);
    expect(ended.stdout).toContain("only-here.txt");
    const without = await runHere(place, ["-p", "--tools", "none", "list files"]);
    expect([without.code, without.stdout.includes("app.js")]).toEqual([0, false]);
  });

  test("--no-session writes nothing at all", async () => {
    const place = makePlace({ settings: null });
    const ended = await runHere(place, ["-p", "--no-session", "--model", "offline/rules", "list files"]);
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("notes.txt")]);
    expect(existsSync(place.home)).toBe(false);
    expect(readdirSync(place.cwd).sort()).toEqual(["app.js", "notes.txt"]);
  });

  test("ends quietly when its output is no longer read, and not as a success if that cut it off", async () => {
    const running = new Running(makePlace(), ["-p", "--mode", "json", "list files"]);
    running.child.stdout.destroy();
    running.child.stdin.end();
    expect(await running.ended).toEqual({ code: 1, stdout: "", stderr: "" });
  });

  test("runs a command of an extension and sends what it returns", async () => {
    const place = makePlace();
    const extension = join(place.cwd, "hello.ts");
    writeFileSync(
      extension,
      `export default function (bough: { registerCommand(name: string, command: object): void }): void {
         bough.registerCommand("look", { handler: (args: string) => \`read \${args}\` });
       }`,
    );
    const ended = await runHere(place, ["-p", "--extension", "hello.ts", "/look notes.txt"]);
    expect([ended.code, ended.stderr, ended.stdout]).toEqual([0, "", expect.stringContaining("write tests")]);
  });

  test("starts with a model that an extension brings", async () => {
    const place = makePlace();
    writeFileSync(
      join(place.cwd, "provider.js"),
      `export default (bough) => bough.registerProvider("mine", {
         models: [{ id: "m", name: "M" }],
         async *streamSimple(model, context) {
           const content = [{ type: "text", text: "mine heard " + context.messages.at(-1).content[0].text }];
           yield { type: "text_delta", delta: content[0].text };
           yield { type: "done", message: { content, stopReason: "stop" } };
         },
       });`,
    );
    const ended = await runHere(place, ["-p", "--extension", "provider.js", "--model", "mine/m", "go"]);
    expect([ended.code, ended.stdout.trim(), ended.stderr]).toEqual([0, "mine heard go", ""]);
  });

  test("goes on without an extension that has a syntax error, and says so", async () => {
    const place = makePlace();
    writeFileSync(join(place.cwd, "broken.ts"), "export default function ( {");
    const ended = await runHere(place, ["-p", "--extension", "broken.ts", "list files"]);
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("notes.txt")]);
    expect(ended.stderr).toMatch(/^bough: The extension broken failed \(load\): /);
  });

  test("loads a project's own extensions only with --trust", async () => {
    const place = makePlace();
    mkdirSync(join(place.cwd, ".bough", "extensions"), { recursive: true });
    writeFileSync(
      join(place.cwd, ".bough", "extensions", "own.js"),
      `export default (bough) => bough.on("input", () => ({ text: "read notes.txt" }));`,
    );
    const untrusted = await runHere(place, ["-p", "--verbose", "list files"]);
    expect(untrusted.stdout).toContain("app.js");
    expect(untrusted.stderr).toContain("extensions not loaded, because the project is not trusted");
    const trusted = await runHere(place, ["-p", "--trust", "list files"]);
    expect([trusted.stdout, trusted.stderr]).toEqual([expect.stringContaining("buy milk"), ""]);
  });
});

describe("what cannot be done", () => {
  test.each([
    [["--nope"], "bough: Unknown option '--nope'\n"],
    [["-p", "--modle", "x", "hello"], "Did you mean --mode or --model? For usage, run: bough --help\n"],
    [["-p"], "bough: No prompt given\n"],
    [["-p", "--mode", "loud", "x"], "bough: Invalid value for --mode: loud\n  Choose one of text, json, rpc.\n"],
    [
      ["-p", "--thinking", "hard", "x"],
      "bough: Invalid value for --thinking: hard\n  Choose one of off, minimal, low, medium, high.\n",
    ],
    [["-p", "--permission", "all", "x"], "bough: Invalid value for --permission: all\n"],
    [
      ["-p", "--tools", "ls,fly", "x"],
      "bough: Unknown tool fly\n  Available: read, write, edit, bash, grep, find, ls, web_fetch, todo, web_search, spawn.\n",
    ],
    [["-p", "-c", "--no-session", "x"], "bough: --continue and --no-session cannot be combined\n"],
    [["-p", "--session-id", "../up", "x"], "bough: --session-id takes letters, digits,"],
    [["-p", "--extension", "nowhere.ts", "x"], "nowhere.ts does not exist\n"],
    [["-p", "--cwd", "nowhere", "x"], "bough: Folder not found: "],
    [["-p", "--cwd", "/dev/null/below", "x"], "bough: Folder not found: /dev/null/below"],
    [["--mode", "rpc", "x"], "bough: --mode rpc does not take a prompt\n"],
  ])("wrong usage %j ends with 2 and says what is wrong", async (args, sentence) => {
    const place = makePlace();
    const ended = await runHere(place, args);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, "", expect.stringContaining(sentence)]);
    expect(sessionFiles(place)).toEqual([]);
  });

  test("an unknown model ends with 1 and lists what comes near", async () => {
    const place = makePlace();
    const ended = await runHere(place, ["-p", "--model", "offline/rulez", "x"]);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toMatch(/^bough: Unknown model offline\/rulez\n {2}Closest: offline\/rules, /);
    expect(sessionFiles(place)).toEqual([]);
  });

  test("a model without a key ends with 6, says how to give one, and keeps the prompt", async () => {
    const place = makePlace({ settings: null });
    const ended = await runHere(place, ["-p", "--model", "anthropic/claude-sonnet-4-5", "hello"]);
    expect([ended.code, ended.stdout]).toEqual([6, ""]);
    expect(ended.stderr).toContain("bough: No key for anthropic\n");
    expect(ended.stderr).toMatch(/bough login anthropic.*ANTHROPIC_API_KEY/);
    expect((await conversation(theOnly(sessionFiles(place))))[0]).toBe("user: hello");
  });

  test("a settings file that is not valid is named, and the answer still comes", async () => {
    const place = makePlace({ settings: { model: "offline/rules", thinkingLevel: "loud" } });
    const ended = await runHere(place, ["-p", "list files"]);
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("notes.txt")]);
    expect(ended.stderr).toContain(
      `${join(place.home, "settings.json")} (thinkingLevel): Not used: expected one of "off"`,
    );
  });
});

describe("the start of the program", () => {
  /** Every module that is loaded, as the loader sees it. */
  async function loaded(args: readonly string[]): Promise<string[]> {
    const folder = tempFolder();
    const list = join(folder, "loaded.txt");
    const hooks = `import { appendFileSync } from "node:fs";
      export async function load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + "\\n"); return next(url, context); }`;
    writeFileSync(join(folder, "hooks.mjs"), hooks);
    const register = `import { register } from "node:module"; register(${JSON.stringify(pathToFileURL(join(folder, "hooks.mjs")))});`;
    writeFileSync(join(folder, "register.mjs"), register);
    const running = new Running(makePlace(), args, ["--import", join(folder, "register.mjs")]);
    running.child.stdin.end();
    expect((await running.ended).code).toBe(0);
    return readFileSync(list, "utf8").trim().split("\n");
  }

  test("--version loads nothing but the program's first file", async () => {
    const files = (await loaded(["--version"])).filter((url) => !url.startsWith("node:"));
    expect(files).toEqual([pathToFileURL(PROGRAM).href]);
  });

  test("an answer of the offline model loads no package of a provider, and no compiler for extensions", async () => {
    const packages = (await loaded(["-p", "list files"])).flatMap((url) => {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
      return name === undefined ? [] : [name];
    });
    expect(packages.filter((name) => name === "ai" || name === "jiti" || name.startsWith("@ai-sdk/"))).toEqual([]);
  });

  test("--version and --help print to standard output", async () => {
    const place = makePlace();
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(await bough(place, ["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    const help = await runHere(place, ["--help"]);
    expect([help.code, help.stdout.split("\n")[0], help.stderr]).toEqual([0, "Usage: bough [flags] [prompt]", ""]);
  });

  test("piped text without a flag is the prompt", async () => {
    const place = makePlace();
    const ended = await bough(place, [], "list files");
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("notes.txt")]);
    const nothing = await runHere(place, []);
    expect([nothing.code, nothing.stdout, nothing.stderr.split("\n")[0]]).toEqual([2, "", "bough: No prompt given"]);
  });

  test.each([
    [["hello"], "bough -p hello"],
    [["hello you"], 'bough -p "your prompt"'],
    [[], 'bough -p "your prompt"'],
  ])("%j without -p and without a pipe says how to ask", (args, hint) => {
    const place = makePlace();
    let failure: { status?: number; stderr?: string } = {};
    try {
      // An empty device instead of a pipe, as in a terminal.
      execFileSync(process.execPath, [PROGRAM, ...args], {
        ...{ cwd: place.cwd, env: place.env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
      });
    } catch (error) {
      failure = error as typeof failure;
    }
    expect([failure.status, failure.stderr]).toEqual([2, expect.stringContaining(hint)]);
  });
});

describe("without a model", () => {
  const REFUSED = /^bough: No model is set up\n {2}Set a key.*--model offline\/rules\n$/;

  test("a script gets no answer of the built-in rules unless it asks for them", async () => {
    const place = makePlace({ settings: null });
    const refused = await bough(place, ["-p", "review"]);
    expect(refused).toMatchObject({ code: 6, stdout: "" });
    expect(refused.stderr).toMatch(REFUSED);
    expect(sessionFiles(place)).toEqual([]);
    const piped = await bough(place, [], "review");
    expect([piped.code, piped.stdout]).toEqual([6, ""]);
    const json = await bough(place, ["-p", "--mode", "json", "review"]);
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([6, { type: "error", code: "no-model" }]);
    const chosen = await bough(place, ["-p", "--model", "offline/rules", "review"]);
    expect([chosen.code, chosen.stderr]).toEqual([0, ""]);
    // The session's model was chosen then, for that answer.
    const again = await bough(place, ["-p", "--continue", "and now?"]);
    expect([again.code, again.stdout]).toEqual([6, ""]);
  });

  test("a key of a gateway whose models are not known is named, with what to do", async () => {
    const place = makePlace({ settings: null, env: { OPENROUTER_API_KEY: "k" } });
    const { code, stderr } = await bough(place, ["-p", "review"]);
    expect([code, stderr]).toEqual([
      6,
      expect.stringContaining("There is a key for openrouter: name a model with --model."),
    ]);
  });

  test("the built-in rules chosen in the settings answer a script", async () => {
    for (const settings of [{ model: "offline/rules" }, { models: { default: "offline/rules" } }]) {
      const place = makePlace({ settings });
      expect(await bough(place, ["-p", "review"])).toMatchObject({ code: 0, stderr: "" });
    }
  });

  test("a key that is missing for the model of the settings is not made up for by the built-in rules", async () => {
    const place = makePlace({ settings: { model: "anthropic/claude-sonnet-4-6" } });
    const ended = await bough(place, ["-p", "review"]);
    expect([ended.code, ended.stdout]).toEqual([6, ""]);
    expect(ended.stderr).toContain("No key for anthropic");
  });
});

describe("tool calls that are refused", () => {
  test("are said in one line, listed at the end of a run, and fail a strict run", async () => {
    const place = makePlace();
    const ended = await bough(place, ["-p", "run touch made.txt"]);
    expect(ended).toMatchObject({
      code: 0,
      stderr: "bough: 1 tool call was refused (bash)\n  To permit them, use --allow or --permission.\n",
    });
    const byRule = await bough(place, ["-p", "--permission", "auto", "--deny", "bash(touch:*)", "run touch made.txt"]);
    expect(byRule.stdout).toContain("Refused by rule deny bash(touch:*): touch made.txt");
    expect(byRule.stderr).toContain("1 tool call was refused (bash)\n  Rules that deny hold in every mode");
    const strict = await bough(place, ["-p", "--strict", "--mode", "json", "run touch made.txt"]);
    const last = JSON.parse(strict.stdout.trimEnd().split("\n").at(-1) ?? "") as object;
    expect([strict.code, last]).toMatchObject([4, { type: "run_end", denials: [{ toolName: "bash" }] }]);
    expect(existsSync(join(place.cwd, "made.txt"))).toBe(false);
    const free = ["-p", "--strict", "--permission", "auto", "--sandbox", "off"];
    const allowed = await bough(place, [...free, "run touch made.txt"]);
    expect([allowed.code, allowed.stderr]).toEqual([0, ""]);
    const failing = await bough(place, [...free, "read nowhere.txt"]);
    expect([failing.code, failing.stderr]).toEqual([0, ""]);
  });

  test("by an extension count too", async () => {
    const place = makePlace();
    const guard = join(place.cwd, "guard.mjs");
    writeFileSync(guard, 'export default (bough) => bough.on("tool_call", () => ({ block: true, reason: "No." }));');
    const ended = await bough(place, ["-p", "--strict", "--extension", guard, "what is in this folder?"]);
    expect([ended.code, ended.stderr]).toEqual([4, expect.stringContaining("1 tool call was refused (ls)")]);
  });
});
