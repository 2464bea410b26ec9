import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scriptedModel } from "../../src/agent/scripted-model.test-support.js";
import { EXTENSION_EVENTS } from "../../src/extension/index.js";
import { tempFolder } from "../support/temp-folder.js";
import { EXAMPLES, extendedAgent, script } from "./extended-agent.js";

const page = readFileSync(join(EXAMPLES, "..", "..", "docs", "extensions.md"), "utf8");
const files = readdirSync(EXAMPLES);
const sources = files.map((name) => readFileSync(join(EXAMPLES, name), "utf8"));

describe("docs/extensions.md", () => {
  test("shows the table of events as the source has it", () => {
    const section = page.slice(page.indexOf("\n## Events"), page.indexOf("\n## State"));
    const rows = section.split("\n").filter((line) => line.startsWith("| `"));
    const expected = Object.entries(EXTENSION_EVENTS).map(
      ([name, { when, carries, may }]) => `| \`${name}\` | ${when} | ${carries} | ${may} |`,
    );
    expect(rows).toEqual(expected);
  });

  test("lists every example, and no other", () => {
    expect([...page.matchAll(/^\| `(\d\d-[^`]+)` \|/gm)].map((match) => match[1])).toEqual(files.sort());
  });

  test("begins with an extension that works", async () => {
    const folder = tempFolder();
    const [, code] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
    const hello = script(folder, "hello.ts", code ?? "");
    const made = await extendedAgent({ model: scriptedModel(["Hello"]), cwd: folder, extensions: [hello] });
    expect(await made.command("hello", "Ada")).toEqual({
      kind: "done",
      prompt: "Say hello to Ada in one short sentence.",
    });
    await made.agent.prompt("hi");
    await made.agent.navigateTree(made.session.getBranch()[0]?.id ?? "");
    expect(made.said).toEqual(["info: You are somewhere else now"]);
    expect(made.problems).toEqual([]);
  });
});

describe("the examples", () => {
  test("are ten, numbered and under 60 lines", () => {
    expect(files.map((name) => name.slice(0, 3)).sort()).toEqual(
      Array.from({ length: 10 }, (_, index) => `${String(index + 1).padStart(2, "0")}-`),
    );
    expect(files.filter((_name, index) => (sources[index] ?? "").split("\n").length > 60)).toEqual([]);
  });

  test("use every event and every part of the API between them", () => {
    const all = sources.join("\n");
    const parts = [
      ...Object.keys(EXTENSION_EVENTS).map((name) => `"${name}"`),
      ...["registerCommand(", "registerShortcut(", "registerTool(", "registerMessageRenderer(", "appendEntry("],
      ...["sendMessage(", "onSession", "setSummarize(", "setCustomInstructions(", "setReplaceInstructions("],
      ...["select(", "confirm(", "input(", "editor(", "notify(", "custom("].map((call) => `ctx.ui.${call}`),
      ...["branch(", "branchInPlace(", "navigateTree(", "rebuildContext(", "exec("].map((call) => `ctx.${call}`),
      ...["entries", "currentPath", "sessionManager", "modelRegistry", "args", "hasUi"].map((name) => `ctx.${name}`),
    ];
    expect(parts.filter((part) => !all.includes(part))).toEqual([]);
  });
});
