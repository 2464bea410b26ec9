import { assertPromptPrefix } from "@bough/session/context/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { harness } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";

const project = { contextFiles: [], templates: [], skills: [], problems: [] };
const noon = (day: number) => new Date(2026, 10, day, 12);

test("the model is told the date and the platform before the first prompt, and nothing of it is in the session", async () => {
  const model = scriptedModel(["hello", "still here"]);
  const { agent, session } = harness({ model, project, now: () => noon(3) });
  await agent.prompt("hi");
  const note = `<environment>\nDate: 2026-11-03\nPlatform: ${process.platform} ${process.arch}\n</environment>`;
  expect(model.requests[0]?.messages).toEqual([
    { role: "user", content: note, timestamp: noon(3).getTime() },
    { role: "user", content: "hi", timestamp: noon(3).getTime() },
  ]);
  expect(model.requests[0]?.system).not.toContain("2026");
  expect(JSON.stringify(session.getEntries())).not.toContain("<environment>");
});

test("a session that is resumed days later sends what it sent before, so that the cache holds", async () => {
  const model = scriptedModel(["hello", "still here"]);
  const first = harness({ model, project, now: () => noon(3) });
  await first.agent.prompt("hi");
  await first.agent.dispose();
  const session = SessionManager.open(first.session.getSessionFile() as string);
  const { agent } = harness({ model, project, session, cwd: first.options.cwd, now: () => noon(9) });
  await agent.prompt("and now?");
  const [before, after] = model.requests;
  if (before === undefined || after === undefined) throw new Error("two requests were expected");
  assertPromptPrefix(before, after);
  expect(JSON.stringify(after.messages)).not.toContain("2026-11-09");
});

test("a program that gives no project, or its own prompt, decides itself what its model knows", async () => {
  for (const options of [{}, { project, systemPrompt: "You are a parrot." }]) {
    const model = scriptedModel(["hello"]);
    const { agent } = harness({ model, ...options });
    await agent.prompt("hi");
    expect(model.requests[0]?.messages).toMatchObject([{ role: "user", content: "hi" }]);
  }
});
