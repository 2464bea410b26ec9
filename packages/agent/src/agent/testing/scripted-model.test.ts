/** The model of `bough/testing`, as a test of a program uses it. */
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, textResult } from "../../tool/index.js";
import { createAgentSession } from "../create-agent-session.js";
import { promptsOf, scriptedModel } from "../testing.js";

const add = defineTool({
  name: "add",
  description: "Adds two numbers",
  input: z.object({ a: z.number(), b: z.number() }),
  readOnly: true,
  run: async ({ a, b }) => textResult(String(a + b), { a, b }),
});

test("answers with the steps in order: texts, calls of tools, and functions of the request", async () => {
  const model = scriptedModel([
    { calls: [{ name: "add", arguments: { a: 1, b: 2 } }] },
    ({ messages }) => `The sum is ${JSON.stringify(messages.at(-1)).match(/"text":"(\d+)"/)?.[1]}`,
    "second",
  ]);
  await using agent = await createAgentSession({ session: SessionManager.inMemory(), model, tools: [add] });
  const first = await agent.prompt("What is 1 + 2?");
  expect(first).toMatchObject({ kind: "done", message: { content: [{ type: "text", text: "The sum is 3" }] } });
  await agent.prompt("Again");
  expect(model.requests.map(({ messages, tools }) => [messages.length, tools.map(({ name }) => name)])).toEqual([
    [1, ["add"]],
    [3, ["add"]],
    [5, ["add"]],
  ]);
  expect(promptsOf(model)[2]).toContain("Again");
});

test("fails as told, hangs until it is stopped, and says when the script is over", async () => {
  const model = scriptedModel(
    [
      { text: "so far", failure: { message: "no credit" } },
      { text: "still", hang: true },
    ],
    { provider: "mine", id: "test", prices: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } },
  );
  await using agent = await createAgentSession({ session: SessionManager.inMemory(), model, tools: [] });
  expect(await agent.prompt("one")).toMatchObject({ kind: "failed", failure: { message: "no credit" } });
  const stopping = new AbortController();
  const second = agent.prompt("two", { signal: stopping.signal });
  await model.reached(2);
  stopping.abort();
  expect(await second).toMatchObject({ kind: "aborted" });
  expect(await agent.prompt("three")).toMatchObject({
    kind: "failed",
    failure: { message: "The script has no step 3" },
  });
  expect(agent.model?.info).toMatchObject({ provider: "mine", id: "test" });
});
