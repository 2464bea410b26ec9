import { describe, expect, test } from "vitest";
import { answer, says, tree, user } from "../../context/tree-notation.test-support.js";
import { DAY, NOW } from "../drawn-text.test-support.js";
import { sessionRow } from "../sessions/session-rows.js";
import { pathBlocks } from "../transcript/path-blocks.js";
import { plainBlock } from "./plain-block.js";
import { plainSessions } from "./plain-sessions.js";

describe("plain words", () => {
  test("of sessions, numbered by their place", () => {
    const facts = {
      path: "/s/a.jsonl",
      id: "a",
      cwd: "/home/ada/x",
      name: "parser",
      size: 2_400_000,
      firstMessage: "",
    };
    const row = sessionRow(
      { ...facts, modified: new Date(NOW - DAY), messageCount: 1, branchCount: 9 },
      { current: "/s/a.jsonl", home: "/home/ada" },
    );
    expect(plainSessions([row], NOW)).toEqual([
      "1 session.",
      " 1  parser, in ~/x, 1 message, 9 branches, 2.4 MB, 1 day ago, open here",
    ]);
    expect(plainSessions([], NOW)).toEqual(["No sessions."]);
  });

  test("of a conversation: who speaks and what was said, with the end of what tools printed", () => {
    const call = { type: "toolCall" as const, id: "1", name: "bash", arguments: { command: "npm test" } };
    const output = Array.from({ length: 5 }, (_, n) => `line ${n}`).join("\n");
    const { entries } = tree("p-a-r-s-c-f-m", {
      p: says(user("fix the tests\nplease")),
      a: says(answer("I look.", call)),
      r: says({
        role: "toolResult",
        toolCallId: "1",
        content: [{ type: "text", text: output }],
        isError: true,
        details: { exitCode: 1 },
      }),
      s: says({ role: "bashExecution", command: "git status", output: "clean", exitCode: 0, excludeFromContext: true }),
      c: { type: "compaction", summary: "We fixed it.", tokensBefore: 41_000, tokensAfter: 3_000 },
      f: says({ ...answer(), stopReason: "aborted" }),
      m: { type: "model_change", provider: "acme", modelId: "m-1" },
    });
    expect(pathBlocks(entries).flatMap((block) => plainBlock(block, { outputLines: 2 }))).toEqual([
      "You: fix the tests",
      "please",
      "Agent: I look.",
      "Tool: bash  npm test, exit code 1",
      "(3 earlier lines not shown)",
      "line 3",
      "line 4",
      "Command: git status, not shown to the model",
      "clean",
      "Note: summarized 41k tokens into 3k",
      "We fixed it.",
      "Ended: Stopped.",
      "Changed: model acme/m-1",
    ]);
  });
});
