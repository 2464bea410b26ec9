import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines, says, tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { promptsOf, scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { PLAIN_THEME } from "@bough/agent/extension/internal.js";
import { findExtensions } from "@bough/agent/extension/run.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { EXAMPLES, example, extendedAgent, script } from "./extended-agent.js";

test("all examples load together, without a clash, and a turn and a move work with them", async () => {
  const names = readdirSync(EXAMPLES).filter((name) => name.endsWith(".ts"));
  const made = await extendedAgent({ model: scriptedModel(["one"]), extensions: names.map(example) });
  expect(made.runner.sources).toHaveLength(names.length);
  expect(await made.agent.prompt("!!explain the parser")).toMatchObject({ kind: "done" });
  const [start] = made.session.getBranch();
  await made.agent.navigateTree(start?.id ?? "", { summarize: true });
  const summary = "## Asked\n- Explain the to somebody who has not seen this project before.\n\n## Last answer\none";
  expect(made.session.getBranch()[1]).toMatchObject({ type: "branch_summary", summary });
  await made.agent.dispose();
  expect(made.problems).toEqual([]);
});

describe("two extensions", () => {
  test("are asked in load order, each seeing what the one before it changed", async () => {
    const folder = tempFolder();
    const adds = (name: string) =>
      script(
        folder,
        `${name}.ts`,
        `export default (bough) => {
          bough.on("input", ({ text }) => ({ text: text + " ${name}" }));
          bough.on("tool_call", ({ input }) => ({ input: { seen: [...(input.seen ?? []), "${name}"] } }));
          bough.on("tool_result", ({ result }) => ({ content: [...result.content, { type: "text", text: "${name}" }] }));
        };`,
      );
    const echo = script(
      folder,
      "echo.ts",
      `export default (bough) => bough.registerTool({ name: "echo", description: "", parameters: { type: "object" },
        execute: async (_id, input) => ({ content: [{ type: "text", text: JSON.stringify(input) }] }) });`,
    );
    const made = await extendedAgent({
      model: scriptedModel([{ calls: [{ id: "c1", name: "echo" }] }, "done"]),
      cwd: folder,
      // The order in which they are named, not that of their names.
      extensions: [adds("second"), adds("first"), echo],
    });
    await made.agent.prompt("start");
    expect(lines(made.session).slice(1)).toEqual([
      "user: start second first",
      "assistant(toolUse): +echo#c1",
      'result#c1: {"seen":["second","first"]} | second | first',
      "assistant(stop): done",
    ]);
  });

  test("that both answer a move: the later summary counts, and a returned value wins over a method", async () => {
    const folder = tempFolder();
    const model = scriptedModel(["one", "two", "a summary"]);
    const methods = `export default (bough) => bough.on("session_before_tree", (event) => { event.setSummarize(true); event.setCustomInstructions("from a method"); });`;
    const returned = `export default (bough) => bough.on("session_before_tree", () => ({ customInstructions: "from a value", label: "tried" }));`;
    const made = await extendedAgent({
      model,
      cwd: folder,
      extensions: [script(folder, "a.ts", returned), script(folder, "b.ts", methods)],
    });
    await made.agent.prompt("first");
    const early = made.session.getLeafId() ?? "";
    await made.agent.prompt("second");
    const { summaryEntry } = await made.agent.navigateTree(early);
    expect(promptsOf(model)[2]).toMatch(/Pay special attention to this: from a value$/);
    expect(made.session.getLabel(summaryEntry?.id ?? "")).toBe("tried");
  });

  test("stop at the first that takes the input or blocks the call", async () => {
    const folder = tempFolder();
    const takes = `export default (bough) => {
      bough.on("input", ({ text }) => ({ handled: text === "take it" }));
      bough.on("tool_call", () => ({ block: true }));
    };`;
    const never = `export default (bough) => {
      bough.on("input", ({ text }) => { if (text === "take it") throw new Error("was asked"); });
      bough.on("tool_call", () => { throw new Error("was asked"); });
    };`;
    const made = await extendedAgent({
      model: scriptedModel([{ calls: [{ id: "c1", name: "look" }] }, "done"]),
      tools: [tool({ name: "look" })],
      cwd: folder,
      extensions: [script(folder, "takes.ts", takes), script(folder, "never.ts", never)],
    });
    expect(await made.agent.prompt("take it")).toEqual({ kind: "cancelled", by: "takes" });
    await made.agent.prompt("look");
    expect(lines(made.session)).toContain("result#c1!: The extension takes does not allow this call.");
    expect(made.problems).toEqual([]);
  });

  test("a built-in command stays, a built-in tool is replaced, and both are told with the extension's name", async () => {
    const folder = tempFolder();
    const source = `export default (bough) => {
      bough.registerCommand("/tree", { handler: () => "mine" });
      bough.registerCommand("mine", { handler: () => "mine" });
      bough.registerTool({ name: "bash", description: "confined", parameters: { type: "object" }, readOnly: true, execute: async () => "confined" });
    };`;
    const bash = tool({ name: "bash", execute: () => says("built in") });
    const model = scriptedModel([{ calls: [{ id: "c1", name: "bash" }] }, "done"]);
    const made = await extendedAgent({
      model,
      cwd: folder,
      tools: [bash],
      builtIn: { commands: ["tree"], tools: ["bash"] },
      extensions: [script(folder, "strict.ts", source)],
    });
    expect(made.problems).toEqual([
      {
        extension: "strict",
        event: "register",
        message: "/tree is a built-in command; this extension's is /tree:strict",
      },
      { extension: "strict", event: "register", message: "the tool bash replaces the built-in one" },
    ]);
    expect(made.runner.registrations.commands.map(({ name }) => name)).toEqual(["tree:strict", "mine"]);
    await made.agent.prompt("go");
    expect(lines(made.session)).toContain("result#c1: confined");
    expect(model.requests[0]?.tools.map(({ name, description }) => [name, description])).toEqual([
      ["bash", "confined"],
    ]);
  });

  test("with one name for a command, a tool, a shortcut and a renderer: the first stays, and each clash is told", async () => {
    const folder = tempFolder();
    const body = (from: string) => `export default (bough) => {
      bough.registerCommand("x", { handler: () => "${from}" });
      bough.registerShortcut("ctrl+x", { handler: () => "${from}" });
      bough.registerTool({ name: "x", description: "${from}", parameters: { type: "object" }, execute: async () => ({ content: [] }) });
      bough.${from === "a" ? "registerMessageRenderer" : "registerCustomMessageRenderer"}("x", () => "${from}");
    };`;
    const made = await extendedAgent({
      model: scriptedModel([]),
      cwd: folder,
      extensions: [script(folder, "a.ts", body("a")), script(folder, "b.ts", body("b"))],
    });
    const stays = "is already registered by a; the first one is used";
    expect(made.problems).toEqual(
      ["the command x", "the shortcut ctrl+x", "the tool x", "the renderer for x"].map((what) => ({
        extension: "b",
        event: "register",
        message: `${what} ${stays}`,
      })),
    );
    const message = { customType: "x", content: "", display: true };
    const drawn = made.runner.registrations.renderer("x")?.(message, { width: 1, expanded: false }, PLAIN_THEME);
    const answers = [await made.command("x"), await made.shortcut("ctrl+x"), made.agent.tools[0]?.description, drawn];
    const prompt = { kind: "done", prompt: "a" };
    expect(answers).toEqual([prompt, prompt, "a", "a"]);
  });
});

test("reload takes up changed code, also of the files an extension imports", async () => {
  const folder = tempFolder();
  const file = script(
    folder,
    "one.ts",
    `import { word } from "./word"; export default (bough) => bough.on("input", () => ({ text: word }));`,
  );
  script(folder, "word.ts", `export const word: string = "before";`);
  const made = await extendedAgent({ model: scriptedModel(["a", "b"]), cwd: folder, extensions: [file] });
  await made.agent.prompt("x");
  script(folder, "word.ts", `export const word: string = "after";`);
  await made.runner.reload();
  await made.agent.prompt("x");
  expect(lines(made.session).filter((line) => line.startsWith("user"))).toEqual(["user: before", "user: after"]);
});

test("an extension that fails while it loads leaves nothing behind, and the others load", async () => {
  const folder = tempFolder();
  const half = `export default (bough) => { bough.on("input", () => ({ handled: true })); bough.registerCommand("half", { handler() {} }); throw new Error("no luck"); };`;
  const typo = `export default (bough) => { bough.on("session_befor_tree", () => {}); };`;
  const made = await extendedAgent({
    model: scriptedModel(["one"]),
    cwd: folder,
    extensions: [
      script(folder, "half.ts", half),
      script(folder, "typo.js", typo),
      script(folder, "broken.ts", "export default function ( {"),
      example("08-shorthand.ts"),
    ],
  });
  expect(made.problems).toEqual([
    { extension: "half", event: "load", message: "no luck" },
    {
      extension: "typo",
      event: "register",
      message: "unknown event session_befor_tree; handler ignored; did you mean session_before_tree?",
    },
    { extension: "broken", event: "load", message: expect.stringMatching(/ParseError|Unexpected token/) },
  ]);
  expect(made.runner.registrations.commands).toEqual([]);
  expect(await made.agent.prompt("!!explain it")).toMatchObject({ kind: "done" });
});

test("extensions of a project are left out and named until it is trusted", () => {
  const folder = tempFolder();
  const places = { home: join(folder, "home"), cwd: join(folder, "project") };
  const put = (path: string) => {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, "export default () => {};");
    return path;
  };
  const user = put(join(places.home, "extensions", "mine.ts"));
  const project = put(join(places.cwd, ".bough", "extensions", "theirs.ts"));
  expect(findExtensions({ ...places, trusted: false })).toEqual({
    sources: [{ name: "mine", file: user, origin: "user" }],
    problems: [],
    untrusted: [project],
  });
  expect(findExtensions({ ...places, trusted: true })).toEqual({
    sources: [
      { name: "mine", file: user, origin: "user" },
      { name: "theirs", file: project, origin: "project" },
    ],
    problems: [],
    untrusted: [],
  });
});
