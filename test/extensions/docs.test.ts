import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { harness } from "@bough/agent/agent/agent-harness.test-support.js";
import type { AgentSession } from "@bough/agent/agent/index.js";
import * as agentDoor from "@bough/agent/agent/index.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { EXTENSION_EVENTS } from "@bough/agent/extension/index.js";
import * as extensionDoor from "@bough/agent/extension/run.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { EXAMPLES, extendedAgent, script } from "./extended-agent.js";

const page = readFileSync(join(EXAMPLES, "..", "..", "docs", "extensions.md"), "utf8");
const files = readdirSync(EXAMPLES);
const sources = files.map((name) => readFileSync(join(EXAMPLES, name), "utf8"));

describe("docs/extensions.md", () => {
  test("shows the table of events as the source has it", () => {
    const section = page.slice(page.indexOf("\n## Events"), page.indexOf("\n## Tools and permission"));
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
    expect(made.said).toEqual(["info: You moved"]);
    expect(made.problems).toEqual([]);
  });
});

describe("the agent of a program of one's own", () => {
  test("runs as the page says: session_start has the agent, and a tool registered later reaches it", async () => {
    const section = page.slice(page.indexOf("## In your own program"));
    const code = [...section.matchAll(/```js\n([\s\S]*?)```/g)][1]?.[1];
    const body = (code ?? "").replace(/^import .*$/gm, "");
    const cwd = tempFolder();
    mkdirSync(join(cwd, "home", "extensions"), { recursive: true });
    const extension = `export default (bough) => bough.on("session_start", (_event, ctx) => {
      bough.appendEntry("started", { file: ctx.sessionManager.getSessionId() });
      const parameters = { type: "object", properties: {} };
      bough.registerTool({ name: "late", description: "Late", parameters, readOnly: true, execute: () => ({ content: [{ type: "text", text: "late answer" }] }) });
    });`;
    writeFileSync(join(cwd, "home", "extensions", "starts.js"), extension);
    const model = scriptedModel([{ calls: [{ name: "late" }] }, "done"]);
    const { session } = harness({ model: scriptedModel([]) });
    const registry = agentDoor.createModelRegistry({ home: cwd, env: {} });
    const options = { session, registry, model, permit: async () => ({ allowed: true }), outputDir: cwd };
    const names = ["options", "tools", "cwd", "home", ...Object.keys(agentDoor), ...Object.keys(extensionDoor)];
    const values = [options, [], cwd, join(cwd, "home"), ...Object.values(agentDoor), ...Object.values(extensionDoor)];
    const unique = names.map((name, i) => [name, values[i]] as const).filter(([name], i) => names.indexOf(name) === i);
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    const run = AsyncFunction(...unique.map(([name]) => name), `${body}; return agent;`);
    const agent = (await run(...unique.map(([, value]) => value))) as AgentSession;
    expect(agent.session.getEntries()[0]).toMatchObject({ customType: "started" });
    expect(agent.tools.map(({ name }) => name)).toEqual(["late"]);
    await agent.prompt("call it");
    expect(JSON.stringify(agent.session.getBranch())).toContain("late answer");
    await agent.dispose();
  });
});

describe("the examples", () => {
  test("are fifteen, numbered and under 60 lines", () => {
    expect(files.map((name) => name.slice(0, 3)).sort()).toEqual(
      Array.from({ length: 15 }, (_, index) => `${String(index + 1).padStart(2, "0")}-`),
    );
    expect(files.filter((_name, index) => (sources[index] ?? "").split("\n").length > 60)).toEqual([]);
  });

  test("and the tests of events use every event between them", () => {
    const tests = ["events.test.ts", "run-events.test.ts"].map((name) =>
      readFileSync(join(import.meta.dirname, name), "utf8"),
    );
    const all = [...sources, ...tests].join("\n");
    expect(Object.keys(EXTENSION_EVENTS).filter((name) => !all.includes(`"${name}"`))).toEqual([]);
  });

  test("use every part of the API between them", () => {
    const all = sources.join("\n");
    const parts = [
      ...["registerCommand(", "registerShortcut(", "registerTool(", "registerMessageRenderer(", "appendEntry("],
      ...["sendMessage(", "onSession", "setSummarize(", "setCustomInstructions(", "setReplaceInstructions("],
      ...["select(", "confirm(", "input(", "editor(", "notify(", "custom("].map((call) => `ctx.ui.${call}`),
      ...["branch(", "branchInPlace(", "navigateTree(", "rebuildContext(", "exec("].map((call) => `ctx.${call}`),
      ...["entries", "currentPath", "sessionManager", "modelRegistry", "args", "hasUi"].map((name) => `ctx.${name}`),
    ];
    expect(parts.filter((part) => !all.includes(part))).toEqual([]);
  });
});
