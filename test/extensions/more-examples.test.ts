/** The effects that the later examples state in their first lines. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { says, tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { example, extendedAgent } from "./extended-agent.js";

const LONG = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`).join("\n");
const tools = [
  tool({ name: "read", execute: () => says(LONG) }),
  tool({ name: "bash", execute: () => ({ ...says("no such command"), isError: true }) }),
];
const permit = async () => ({ allowed: true }) as const;

test("the example 11-team-rules adds the rules to the system prompt, as they are when the run starts", async () => {
  const model = scriptedModel(["one", "two", "three"]);
  const { agent, folder, problems } = await extendedAgent({ model, extensions: [example("11-team-rules.ts")] });
  await agent.prompt("without");
  writeFileSync(join(folder, "TEAM.md"), "Write tests first.\n");
  await agent.prompt("with");
  expect(model.requests.map(({ system }) => system.includes("Write tests first."))).toEqual([false, true]);
  expect(model.requests[1]?.system.startsWith(model.requests[0]?.system ?? "-")).toBe(true);
  expect(problems).toEqual([]);
});

test("the example 12-short-results shortens results of earlier turns for the model, and the session keeps them", async () => {
  const model = scriptedModel([{ calls: [{ id: "c1", name: "read" }] }, "seen", "again"]);
  const made = await extendedAgent({ model, tools, permit, extensions: [example("12-short-results.ts")] });
  await made.agent.prompt("read it");
  await made.agent.prompt("and now?");
  const seen = model.requests.map(({ messages }) => JSON.stringify(messages));
  // In its own turn the result is whole.
  expect(seen.map((text) => text.includes("line 12"))).toEqual([false, true, false]);
  expect(seen[2]).toContain("line 5\\n(7 more lines)");
  expect(JSON.stringify(made.file())).toContain("line 12");
  expect(made.problems).toEqual([]);
});

test("the example 13-look-only leaves the tools that read, and gives the others back", async () => {
  const model = scriptedModel(["one", "two", "three"]);
  const extensions = [example("13-look-only.ts")];
  const { agent, command, said, problems } = await extendedAgent({ model, tools, permit, extensions, answers: [] });
  await agent.prompt("before");
  await command("look", "on");
  await agent.prompt("meanwhile");
  await command("look", "off");
  await agent.prompt("after");
  const names = model.requests.map((request) => request.tools.map(({ name }) => name));
  expect(names).toEqual([["read", "bash"], ["read"], ["read", "bash"]]);
  expect(said).toEqual(["info: Available: read", "info: All tools are available"]);
  expect(problems).toEqual([]);
});

test("the example 14-auto-name names a session after its first prompt, and keeps a name that was given", async () => {
  const extensions = [example("14-auto-name.ts")];
  const { agent, session, problems } = await extendedAgent({ model: scriptedModel(["ok", "ok"]), extensions });
  await agent.prompt("Write a parser\nfor the configuration files of the old server");
  expect(session.getSessionName()).toBe("Write a parser for the configuration fi…");
  agent.rename("parser");
  await agent.prompt("and now the tests");
  expect([session.getSessionName(), problems]).toEqual(["parser", []]);
});

test("the example 15-tool-times counts the calls of the branch", async () => {
  const calls = [
    { id: "c1", name: "read" },
    { id: "c2", name: "bash" },
  ];
  const model = scriptedModel([{ calls }, "done"]);
  const extensions = [example("15-tool-times.ts")];
  const made = await extendedAgent({ model, tools, permit, cwd: tempFolder(), extensions, answers: [] });
  await made.command("times");
  await made.agent.prompt("go");
  await made.command("times");
  expect(made.said).toEqual(["info: No tool was called on this branch", "info: read: 1, 0 failed; bash: 1, 1 failed"]);
  expect(made.problems).toEqual([]);
});
