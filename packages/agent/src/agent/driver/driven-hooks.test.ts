/** What extensions hear of another agent's turns, and what they can stop. */
import { expect, test } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import type { ExtensionFactory } from "../../extension/index.js";
import { createAgentSession } from "../create-agent-session.js";
import { drivenPlace, steps, told } from "./driven-place.test-support.js";

test("extensions change prompts, hear turns and messages, and block calls that are asked about", async () => {
  const { root, driver, read } = drivenPlace();
  const heard: unknown[] = [];
  const extension: ExtensionFactory = (bough) => {
    bough.on("input", ({ text }) => ({ action: "transform", text: text.replace("NAME", "a.txt") }));
    for (const name of ["agent_start", "turn_start"] as const) bough.on(name, () => void heard.push(name));
    bough.on("message_end", ({ message }) => void heard.push(message.role));
    bough.on("tool_call", ({ toolName, input }) => {
      heard.push([toolName, input.path]);
      return { block: true, reason: "Not this file." };
    });
    bough.on("turn_end", ({ message, toolResults }) => void heard.push([message?.role, toolResults.length]));
    bough.on("agent_end", ({ messages }) => void heard.push(messages.map(({ role }) => role)));
  };
  const agent = await createAgentSession({
    ...{ cwd: root, driver: driver(), permissions: "auto", extensions: [extension] },
  });
  afterTest(() => agent.dispose());
  expect(await agent.prompt(steps(["ask", "NAME", "x"], ["say", "Then not."]))).toMatchObject({ kind: "done" });
  expect(read()).toBe("start\n");
  expect(told(agent).at(-1)).toBe("toolResult: Not this file.");
  const roles = ["user", "assistant", "assistant", "toolResult"];
  expect(heard).toEqual([...["agent_start", "turn_start", ["edit", "a.txt"]], ...roles, ["assistant", 1], roles]);
});
