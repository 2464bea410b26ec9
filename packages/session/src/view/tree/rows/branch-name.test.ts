/** The names of the branches of sub-agents. */
import { describe, expect, test } from "vitest";
import { answer, says, tree, user } from "../../../context/tree-notation.test-support.js";
import { kindOf, roleOf, type SessionEntry } from "../../../entry/index.js";
import { TreeIndex, type TreeSource } from "../../../tree/index.js";
import { branchName } from "./branch-name.js";

function sourceOf({ entries }: ReturnType<typeof tree>): TreeSource {
  const index = new TreeIndex();
  for (const entry of entries) {
    index.add(entry.id, entry.parentId, { kind: kindOf(entry), role: roleOf(entry), offset: 0, length: 100 });
  }
  return {
    ...{ tree: index, leaf: entries.length - 1, name: undefined, labelOf: () => undefined },
    entryAt: (n) => entries[n] as SessionEntry,
  };
}

const task = (input: Record<string, unknown>) => ({
  ...{ type: "toolCall" as const, id: "c1", name: "Task" },
  arguments: input,
});
const link = { agent: "claude-code", agentId: "x", toolCallId: "c1", callEntryId: "a1" };

/** A session with a sub-agent below its first answer. */
function named({
  input = {},
  data = link,
  told,
}: {
  input?: Record<string, unknown>;
  data?: Record<string, unknown>;
  told?: string;
}) {
  const source = sourceOf(
    tree("p1-a1-a2; a1-s1-s2-s3", {
      p1: says(user("go")),
      a1: says(answer(task(input))),
      a2: says(answer("done")),
      s1: { type: "custom", customType: "bough.subagent", data },
      s2:
        told === undefined
          ? { type: "custom", customType: "bough.import", data: {} }
          : { type: "custom_message", customType: "subagent.prompt", content: told, display: true },
      s3: says(answer("found")),
    }),
  );
  return branchName(source, 2);
}

describe("the branch of a sub-agent is called", () => {
  test.each([
    [
      "what its program says of it",
      { data: { ...link, meta: { description: "Find the parser" } }, told: "Look." },
      "Find the parser",
    ],
    [
      "what its call says",
      { input: { description: "Find the parser", prompt: "Look." }, told: "Look." },
      "Find the parser",
    ],
    ["its title", { data: { ...link, meta: { title: "Find it (@general subagent)" } } }, "Find it (@general subagent)"],
    ["what it was told", { told: "Look for\nthe parser." }, "Look for the parser."],
    ["what it was told, if its call is not here", { data: { ...link, callEntryId: "gone" }, told: "Look." }, "Look."],
    ["its nickname", { data: { ...link, meta: { nickname: "Atlas" } } }, "Atlas"],
    ["a sub-agent, if nothing says more", { data: { agent: "codex", meta: 5 } }, "(sub-agent)"],
  ])("%s", (_what, session, name) => {
    expect(named(session)).toBe(name);
  });
});
