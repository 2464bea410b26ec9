import { expect, test } from "vitest";
import { createTools } from "../tool/index.js";
import { harness } from "./agent-harness.test-support.js";
import { scriptedModel } from "./scripted-model.test-support.js";
import { todoOnPath } from "./todo-on-path.js";

const sets = (id: string, ...texts: readonly string[]) => ({
  calls: [{ id, name: "todo", arguments: { items: texts.map((text) => ({ text, status: "pending" as const })) } }],
});
const texts = (list: ReturnType<typeof todoOnPath>) => list.map(({ text }) => text);

test("the todo list is that of the path: a move back brings the earlier one, another branch has its own", async () => {
  const tools = createTools().filter(({ name }) => name === "todo");
  const model = scriptedModel([sets("1", "a", "b"), "ok", sets("2", "a"), "ok", sets("3", "c"), "ok"]);
  const { agent, session } = harness({ model, tools });
  expect(todoOnPath(session)).toEqual([]);
  await agent.prompt("first");
  const afterFirst = session.getLeafId();
  await agent.prompt("second");
  const afterSecond = session.getLeafId();
  expect(texts(todoOnPath(session))).toEqual(["a"]);
  session.branch(afterFirst as string);
  expect(texts(todoOnPath(session))).toEqual(["a", "b"]);
  await agent.prompt("other way");
  expect(texts(todoOnPath(session))).toEqual(["c"]);
  session.branch(afterSecond as string);
  expect(texts(todoOnPath(session))).toEqual(["a"]);
});

test("a list that failed, or whose details are something else, sets nothing", async () => {
  const tools = createTools().filter(({ name }) => name === "todo");
  const wrong = { calls: [{ id: "2", name: "todo", arguments: { items: "none" } }] };
  const { agent, session } = harness({ model: scriptedModel([sets("1", "a"), "ok", wrong, "ok"]), tools });
  await agent.prompt("first");
  await agent.prompt("second");
  session.appendMessage({
    role: "toolResult",
    toolCallId: "9",
    toolName: "todo",
    content: [],
    details: {
      items: [{ text: 1, status: "done" }, null, { text: "kept", status: "done" }, { text: "x", status: "?" }],
    },
    isError: false,
    timestamp: 1,
  });
  expect(todoOnPath(session)).toEqual([{ text: "kept", status: "done" }]);
});
