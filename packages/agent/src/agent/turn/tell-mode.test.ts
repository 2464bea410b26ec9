import { type EntryId, MODE_TYPE } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { createPermissions, type PermissionMode } from "../../tool/index.js";
import { harness, lines, tool } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";

const ON = /^custom: Plan mode is on/;
const OFF = /^custom: Plan mode is off/;

function planned(mode: PermissionMode, answers: Parameters<typeof scriptedModel>[0]) {
  const model = scriptedModel(answers);
  const permissions = createPermissions({ mode, cwd: "/" });
  return { ...harness({ model, permissions, permit: permissions.permit, tools: [tool({ name: "echo" })] }), model };
}

const notes = (session: SessionManager) => lines(session).filter((line) => ON.test(line) || OFF.test(line));

describe("plan mode", () => {
  test("the model is told once, below the prompt, and once when it ends", async () => {
    const { agent, session, model } = planned("plan", ["a plan", "more of it", "done"]);
    await agent.prompt("add a cache");
    await agent.prompt("and tests?");
    agent.setPermissionMode("edits");
    expect(agent.permissionMode).toBe("edits");
    await agent.prompt("go");
    expect(lines(session).filter((line) => !line.startsWith("model_change"))).toEqual([
      "user: add a cache",
      expect.stringMatching(ON),
      "assistant(stop): a plan",
      "user: and tests?",
      "assistant(stop): more of it",
      "user: go",
      expect.stringMatching(OFF),
      "assistant(stop): done",
    ]);
    // What was sent stays as it was, so that a prompt cache holds.
    for (const [at, { system, messages }] of model.requests.slice(1).entries()) {
      const before = model.requests[at];
      expect([system, messages.slice(0, before?.messages.length)]).toEqual([before?.system, before?.messages]);
    }
  });

  test("if it is turned on during a run, the model is told before the next step", async () => {
    const { agent, session } = planned("ask", [{ calls: [{ name: "echo" }] }, "stopped there"]);
    agent.subscribe(({ type }) => {
      if (type === "tool_end") agent.setPermissionMode("plan");
    });
    await agent.prompt("go");
    expect(lines(session).slice(-2)).toEqual([expect.stringMatching(ON), "assistant(stop): stopped there"]);
  });

  test("follows the path: a branch where the model was told is told otherwise, and other branches are not affected", async () => {
    const { agent, session } = planned("ask", ["first", "a plan", "another", "acting"]);
    await agent.prompt("one");
    const fork = session.getLeafId() as EntryId;
    agent.setPermissionMode("plan");
    await agent.prompt("two");
    const told = session.getLeafId() as EntryId;
    agent.setPermissionMode("auto");
    await agent.switchTo(fork, { to: "entry" });
    await agent.prompt("three");
    expect(notes(session)).toEqual([]);
    await agent.switchTo(told, { to: "entry" });
    await agent.prompt("four");
    expect(notes(session)).toEqual([expect.stringMatching(ON), expect.stringMatching(OFF)]);
  });

  test("the model is told again after a compaction, which may have dropped it", async () => {
    const { agent, session } = planned("plan", ["a plan", "still planning"]);
    await agent.prompt("one");
    session.appendCompaction("what was said", session.getLeafId() as EntryId, 10);
    await agent.prompt("two");
    const told = session
      .getEntries()
      .filter((entry) => entry.type === "custom_message" && entry.customType === MODE_TYPE);
    expect(told).toHaveLength(2);
  });

  test("the model is not told if the program decides itself, and the mode cannot be set", async () => {
    const { agent, session } = harness({ model: scriptedModel(["hello"]) });
    await agent.prompt("one");
    expect(notes(session)).toEqual([]);
    expect(agent.permissionMode).toBeUndefined();
    expect(() => agent.setPermissionMode("plan")).toThrow(expect.objectContaining({ code: "no-modes" }));
  });
});
