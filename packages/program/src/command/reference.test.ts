import { drawSession, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { testContext } from "./command-context.test-support.js";
import { matchBranch, resolveReference } from "./reference.js";
import { workingNotice } from "./sentences.js";

function withIds(...ids: readonly string[]): SessionManager {
  const left = [...ids];
  const session = SessionManager.inMemory("/home/dev", { newId: () => left.shift() as string });
  for (const id of ids) session.appendMessage({ role: "user", content: `says ${id}`, timestamp: 1 });
  return session;
}

describe("what a person types for an entry", () => {
  test("is an id, the start of one, a label, a branch's number, the leaf, or the way back", () => {
    const { context, agent } = testContext({ drawing: "Alpha-bravo-Charlie-delta*; bravo-Echo-foxtrot" });
    agent.label("Charlie", "good point");
    const resolved = ["delta", "delt", "good point", "#1", "#2", "##2", "@", "-"].map((text) =>
      resolveReference(context, text),
    );
    expect(resolved).toEqual(["delta", "delta", "Charlie", "delta", "foxtrot", "foxtrot", "delta", "foxtrot"]);
  });

  test("matching several entries names the next characters", () => {
    const { context } = testContext({ session: withIds("3f0021", "3f00a1", "3f00a2", "3f00b7", "3f00e0", "77aa00") });
    expect(() => resolveReference(context, "3f00")).toThrow(
      expect.objectContaining({
        code: "ambiguous-reference",
        message: "3f00 matches 5 entries.",
        hint: "One more character: 3f002 3f00a 3f00b 3f00e",
      }),
    );
  });

  test("matching nothing says so", () => {
    const { context } = testContext();
    const unknown = (message: string, hint: string) => expect.objectContaining({ message, hint });
    expect(() => resolveReference(context, "3fzz")).toThrow(
      unknown("No entry ID starts with 3fzz.", "Press y in the tree to copy an ID."),
    );
    expect(() => resolveReference(context, "3fz")).toThrow(
      unknown("No entry is named 3fz.", "Give at least 4 characters of an ID, or #2 for a branch."),
    );
    expect(() => resolveReference(context, "#9")).toThrow(unknown('No branch matches "#9".', "/branches lists them."));
    expect(() => resolveReference(context, "-")).toThrow(
      unknown("No other branch to go back to.", "/branches lists them."),
    );
  });

  test("sentences name the keys of the front end", () => {
    const { context } = testContext();
    const front = {
      ...context.front,
      keyHint: (id: string) => ({ "tree.copy": "Ctrl+Y", "chat.stop": "F9" })[id] ?? "",
    };
    expect(() => resolveReference({ ...context, front }, "3fzz")).toThrow(
      expect.objectContaining({ hint: "Press Ctrl+Y in the tree to copy an ID." }),
    );
    expect(workingNotice("move", front)).toEqual({
      message: "Agent is working.",
      hint: "F9 stops it, then you can move.",
    });
  });

  test("shared by several entries as one label is ambiguous", () => {
    const { context, agent } = testContext({ drawing: "A-b-C" });
    agent.label("A", "twice");
    agent.label("C", "twice");
    expect(() => resolveReference(context, "twice")).toThrow(
      expect.objectContaining({ message: '"twice" labels several entries.', hint: "Use an ID instead." }),
    );
  });
});

describe("what a person types for a branch", () => {
  const contents = {
    A: says(user("wire the tokenizer")),
    E: says(user("try a hand-written lexer")),
    G: says(user("use an off-the-shelf grammar")),
  };
  const drawing = "A-b-C-d*; b-E-f; b-G-h";

  test("is also its name, or a part of it", () => {
    const { context } = testContext({ drawing, contents });
    expect(matchBranch(context, "hand-written")).toEqual({ kind: "one", entryId: "f", means: "branch" });
    expect(matchBranch(context, "tokenizer")).toEqual({ kind: "one", entryId: "d", means: "branch" });
  });

  test("is main for the first one, as it was called once, unless another has that name", () => {
    const { context, agent } = testContext({ drawing, contents });
    expect(matchBranch(context, "main")).toEqual({ kind: "one", entryId: "d", means: "branch" });
    agent.label("E", "the main idea");
    expect(matchBranch(context, "main")).toEqual({ kind: "one", entryId: "f", means: "branch" });
  });

  test("several are an answer; none names the closest", () => {
    const { context, agent } = testContext({ drawing, contents });
    expect(matchBranch(context, "a")).toEqual({
      kind: "several",
      sentence: '"a" matches 2 branches: #2 try a hand-written lexer, #3 use an off-the-shelf grammar',
    });
    agent.label("E", "lexer");
    expect(() => matchBranch(context, "lexr")).toThrow(
      expect.objectContaining({ message: 'No branch matches "lexr".', hint: "Closest: lexer (#2)." }),
    );
  });
});

describe("the way back", () => {
  test("means the previous position, even after a restart", () => {
    const session = drawSession("A-b-C-d*; b-E-f");
    session.branch("f");
    session.recordPosition();
    const { context } = testContext({ session });
    expect(resolveReference(context, "-")).toBe("d");
  });
});
