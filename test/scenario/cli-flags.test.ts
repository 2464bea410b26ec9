/** Flags that extensions register: how they are given, how they are refused, and how the help tells about them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { bough, conversation, makePlace, type Place, Running, sessionFiles, theOnly } from "./cli-support.js";
import { runHere } from "./run-here.js";

const OURS = `export default (bough) => {
  bough.registerFlag("look-at", { type: "string", description: "File to read", default: "nothing" });
  bough.registerFlag("loud", { type: "boolean", description: "Read it\\n\\u001b[31maloud" });
  const early = bough.getFlag("look-at");
  bough.on("input", ({ text }) => ({ text: [text, early, bough.getFlag("look-at"), bough.getFlag("loud")].join("|") }));
};`;

/** Of the same names, as an extension for pi has them. */
const OF_PI = `import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
export default function (pi: ExtensionAPI) {
  pi.registerFlag("look-at", { type: "string", description: "File to read", default: "nothing" });
  pi.registerFlag("loud", { type: "boolean", description: "Read it aloud", default: false });
  const early = pi.getFlag("look-at");
  pi.on("input", (event) => ({
    action: "transform", text: [event.text, early, pi.getFlag("look-at"), pi.getFlag("loud")].join("|"),
  }));
}`;

/** A place with these files in the folder where the user's extensions are. */
function placeWith(extensions: Readonly<Record<string, string>>): Place {
  const place = makePlace();
  mkdirSync(join(place.home, "extensions"));
  for (const [name, text] of Object.entries(extensions)) writeFileSync(join(place.home, "extensions", name), text);
  return place;
}

async function promptOf(
  place: Place,
  args: readonly string[],
  run: typeof bough | typeof runHere = runHere,
): Promise<string> {
  const ended = await run(place, ["-p", ...args]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  const [first = ""] = await conversation(theOnly(sessionFiles(place)));
  return first.replace(/^user: /, "");
}

describe.each([
  ["ours", "flags.js", OURS],
  ["one for pi", "flags.ts", OF_PI],
])("flags of an extension, %s", (_, name, text) => {
  test.each([
    [
      "a value after a blank, in front of the prompt",
      ["--look-at", "notes.txt", "go", "on"],
      "go on|notes.txt|notes.txt|",
    ],
    ["a value after the prompt", ["go on", "--look-at", "notes.txt"], "go on|notes.txt|notes.txt|"],
    ["a value after an equals sign", ["--look-at=a b", "go"], "go|a b|a b|"],
    ["a boolean takes no word of the prompt", ["--loud", "go", "on"], "go on|nothing|nothing|true"],
    ["of two values the last one counts", ["--look-at", "a", "--look-at", "b", "go"], "go|b|b|"],
    ["after -- there are only words", ["--loud", "--", "go", "--look-at", "a"], "go --look-at a|nothing|nothing|true"],
  ])("%s", async (_case, args, expected) => {
    expect((await promptOf(placeWith({ [name]: text }), args)).replace(/false$/, "")).toBe(expected);
  });

  test("reach the extension in a process of its own", async () => {
    const prompt = await promptOf(placeWith({ [name]: text }), ["--look-at=a", "--loud", "go"], bough);
    expect(prompt).toBe("go|a|a|true");
  });

  test("are listed in the help", async () => {
    const place = placeWith({ [name]: text });
    const { code, stdout, stderr } = await runHere(place, ["--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.slice(stdout.indexOf("Flags of extensions:"))).toBe(
      [
        "Flags of extensions:",
        "      --look-at <value>  File to read (default nothing) [flags]",
        "      --loud             Read it aloud [flags]",
        "",
      ].join("\n"),
    );
  });
});

describe("wrong flags", () => {
  test.each([
    [["--lood"], "Unknown option '--lood'", "Did you mean --loud?"],
    [["--modell", "x"], "Unknown option '--modell'", "Did you mean --model"],
    [["--look-at"], "--look-at needs a value: --look-at <value>", ""],
    [["--look-at", "--loud"], "--look-at needs a value: --look-at <value>", ""],
    [["--loud=yes"], "--loud takes no value", ""],
  ])("%j is refused before a session is copied and before input is awaited", async (args, message, hint) => {
    const place = placeWith({ "flags.js": OURS });
    expect((await runHere(place, ["-p", "hello"])).code).toBe(0);
    const file = theOnly(sessionFiles(place));
    const before = readFileSync(file, "utf8");
    for (const session of [["--fork", file], ["-c"]]) {
      // Standard input stays open: what waits for it is stuck.
      const open = new Readable({ read() {} });
      const { code, stderr } = await runHere(place, ["-p", ...session, "go", ...args], { input: open });
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(stderr).toContain(hint);
    }
    expect(sessionFiles(place)).toEqual([file]);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("a process whose input stays open is refused too", async () => {
    const place = placeWith({ "flags.js": OURS });
    const { code, stderr } = await new Running(place, ["-p", "go", "--lood"]).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining("Unknown option '--lood'")]);
    expect(sessionFiles(place)).toEqual([]);
  });

  test("a value that starts with a dash needs an equals sign", async () => {
    expect(await promptOf(placeWith({ "flags.js": OURS }), ["--look-at=--loud", "go"])).toBe("go|--loud|--loud|");
  });

  test("RPC takes values but no prompt", async () => {
    const place = placeWith({ "flags.js": OURS });
    expect(await runHere(place, ["--mode", "rpc", "--look-at", "a"])).toMatchObject({ code: 0, stderr: "" });
    const { code, stderr } = await runHere(place, ["--mode", "rpc", "--loud", "a"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--mode rpc does not take a prompt")]);
  });

  test("JSON mode reports an unknown option as an object", async () => {
    const { code, stdout } = await runHere(makePlace(), ["-p", "--mode", "json", "--nonsense", "go"]);
    expect([code, JSON.parse(stdout)]).toEqual([2, expect.objectContaining({ type: "error", code: "wrong-usage" })]);
  });

  test("the extension that may have known the option is named", async () => {
    const broken = placeWith({ "broken.js": "export default () => { throw new Error('no luck'); };" });
    const failed = await runHere(broken, ["-p", "--look-at", "a", "go"]);
    expect([failed.code, failed.stderr]).toEqual([2, expect.stringContaining("broken was not loaded: no luck")]);
    const untrusted = makePlace();
    mkdirSync(join(untrusted.cwd, ".bough", "extensions"), { recursive: true });
    writeFileSync(join(untrusted.cwd, ".bough", "extensions", "flags.js"), OURS);
    const refused = await runHere(untrusted, ["-p", "--look-at", "a", "go"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("the project is not trusted")]);
    expect(await promptOf(untrusted, ["--trust", "--look-at", "a", "go"])).toBe("go|a|a|");
  });

  test("two extensions with the same flag are named, and so are flags that cannot be", async () => {
    const second = `export default (bough) => {
      bough.registerFlag("loud", { type: "string" });
      bough.registerFlag("model", { type: "string" });
      bough.registerFlag("two words", { type: "boolean" });
      bough.registerFlag("kind", { type: "number" });
    };`;
    const place = placeWith({ "flags.js": OURS, "second.js": second });
    const problems = [
      "bough: Extension second: the flag loud is already registered by flags; the first one is used",
      "bough: Extension second: --model is a built-in option, which takes precedence; rename the flag",
      'bough: Extension second: "two words" cannot be a flag; use letters, digits and dashes, starting with a letter',
      'bough: Extension second: the flag kind needs a type, "boolean" or "string"',
      "",
    ].join("\n");
    expect(await runHere(place, ["-p", "--loud", "go"])).toMatchObject({ code: 0, stderr: problems });
    const help = await runHere(place, ["--help"]);
    expect([help.code, help.stderr]).toEqual([0, problems]);
    expect(help.stdout.match(/--loud.*/g)).toEqual(["--loud             Read it aloud [flags]"]);
  });
});

test("a flag without a type is a switch, or takes a text if its default is one", async () => {
  const untyped = `export default (bough) => {
    bough.registerFlag("quick", { description: "Quick" });
    bough.registerFlag("tone", { default: "kind" });
    bough.on("agent_start", () => process.stdout.write([bough.getFlag("quick"), bough.getFlag("tone")].join(" ") + "\\n"));
  };`;
  const place = placeWith({ "untyped.js": untyped });
  expect((await runHere(place, ["-p", "--quick", "--tone", "dry", "go"])).stderr).toBe("[untyped] true dry\n");
  expect((await runHere(place, ["-p", "go"])).stderr).toMatch(/^\[untyped\] (false)? ?kind\n$/);
});

describe("--help", () => {
  test("says nothing about extensions where there are none, and leaves no trace", async () => {
    const place = makePlace({ settings: null });
    const { code, stdout, stderr } = await bough(place, ["--help"]);
    expect([code, stderr, stdout.includes("Flags of extensions")]).toEqual([0, "", false]);
    expect(existsSync(place.home)).toBe(false);
  });

  test("takes a project's flags only if it is trusted, and those named on the command line always", async () => {
    const place = makePlace();
    mkdirSync(join(place.cwd, ".bough", "extensions"), { recursive: true });
    const ran = join(place.cwd, "ran");
    const leaves = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(ran)}, "");`;
    writeFileSync(join(place.cwd, ".bough", "extensions", "flags.js"), `${leaves}\n${OURS}`);
    writeFileSync(join(place.cwd, "named.js"), OURS.replaceAll("look-at", "other").replaceAll("loud", "low"));
    const flags = async (...args: string[]) => {
      const [, section = ""] = (await runHere(place, ["--help", ...args])).stdout.split("Flags of extensions:");
      return [...section.matchAll(/--([a-z-]+)/g)].map((match) => match[1]);
    };
    expect((await runHere(place, ["--help"])).stdout).not.toContain("--look-at");
    expect(await flags("--extension", "named.js")).toEqual(["other", "low"]);
    expect(existsSync(ran)).toBe(false);
    expect(await flags("--trust", "--extension", "named.js")).toEqual(["look-at", "loud", "other", "low"]);
    expect(await flags("--trust", "--no-extensions", "--extension", "named.js")).toEqual(["other", "low"]);
  });

  test("is complete though an extension fails to load, is missing, or the other arguments make no sense", async () => {
    const place = placeWith({
      "a-broken.js": "export default () => { throw new Error('no luck'); };",
      "flags.js": OURS,
    });
    const { code, stdout, stderr } = await runHere(place, ["--help", "--extension", "missing.js"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Exit codes: 0 success");
    expect(stdout).toContain("--look-at <value>");
    expect(stderr).toContain("a-broken failed (load): no luck");
    expect(stderr).toContain("missing.js does not exist");
    expect((await runHere(place, ["--help", "--model"])).stdout).toContain("--look-at <value>");
  });

  test("exits though an extension keeps timers running", async () => {
    const place = placeWith({ "timer.js": "export default () => { setInterval(() => {}, 1000); };" });
    expect(await bough(place, ["--help"])).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("a system prompt on the command line", () => {
  const SHOWS =
    'export default (bough) => bough.on("agent_start", (event, ctx) => process.stdout.write(ctx.getSystemPrompt()));';

  test("is a text, or the file that is named, and several are appended in order", async () => {
    const place = placeWith({ "shows.js": SHOWS });
    const file = join(place.cwd, "role.md");
    writeFileSync(file, "You review.\nBe brief.\n");
    const appended = ["--append-system-prompt", file, "--append-system-prompt", "And be kind."];
    const added = await runHere(place, ["-p", ...appended, "go"]);
    expect(added.code).toBe(0);
    expect(added.stderr).toMatch(/You review\.\n.*Be brief\.\n[\s\S]*And be kind\./);
    expect(added.stderr).not.toContain(file);
    const replaced = await runHere(place, ["-p", "--system-prompt", "role.md", "go"]);
    expect(replaced.stderr).toMatch(/^\[shows\] You review\.\n.*Be brief\./);
  });

  test("that starts like a path has to be a file", async () => {
    const place = placeWith({});
    for (const flag of ["--append-system-prompt", "--system-prompt"]) {
      const missing = await runHere(place, ["-p", flag, "./nowhere.md", "go"]);
      expect([missing.code, missing.stdout]).toEqual([2, ""]);
      expect(missing.stderr).toContain(`${flag}: File not found: ${join(place.cwd, "nowhere.md")}`);
      expect((await runHere(place, ["-p", flag, "/ means a file", "go"])).code).toBe(0);
    }
  });
});
