import { INTERRUPTED_RESULT, type ModelInputMessage, toModelInput } from "@bough/session/context/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { harness, lines } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";
import { runAndKill } from "./killed-turn.test-support.js";

const ENTRIES = [
  "model_change",
  "user: go",
  "assistant(toolUse): looking +a#call-a +b#call-b +c#call-c",
  "result#call-a: result of a",
  "result#call-b: result of b",
  "result#call-c: result of c",
  "assistant(stop): done",
];

/** Results of the three calls as a model sees them, right after the answer that made the calls, and in its order. */
function expectedResults(finished: readonly string[]): unknown[] {
  return ["a", "b", "c"].map((name) => ({
    role: "toolResult",
    toolCallId: `call-${name}`,
    toolName: name,
    content: [{ type: "text", text: finished.includes(name) ? `result of ${name}` : INTERRUPTED_RESULT }],
    isError: !finished.includes(name),
  }));
}

function shownTo(provider: string, session: SessionManager): readonly ModelInputMessage[] {
  return toModelInput(session.buildSessionContext().messages, { provider });
}

test.each([
  [1, []],
  [2, []],
  [3, []],
  [0, []],
  [4, ["a"]],
  [5, ["a", "b"]],
  [6, ["a", "b", "c"]],
  [7, ["a", "b", "c"]],
] as const)(
  "killed with %i entries written (0: in the middle of all tools), a turn keeps them all, and every call has one result",
  async (entries, finished) => {
    const file = runAndKill(entries);
    const session = SessionManager.open(file);
    const written = ENTRIES.slice(0, entries === 0 ? 3 : entries);
    expect(lines(session)).toEqual(written);
    expect(session.getProblems()).toEqual([]);

    const asked = written.length >= 3;
    for (const provider of ["anthropic", "openai", "google", "scripted"]) {
      const shown = shownTo(provider, session);
      expect(shown.slice(2, asked ? 5 : 2)).toEqual(asked ? expectedResults(finished) : []);
      expect(shown.map((message) => message.role)).toEqual(
        written.length < 2
          ? []
          : [
              "user",
              ...(asked ? ["assistant", "toolResult", "toolResult", "toolResult"] : []),
              ...(entries === 7 ? ["assistant"] : []),
            ],
      );
    }

    // The conversation goes on from there, on the same file.
    const model = scriptedModel(["going on"]);
    const { agent } = harness({ model, session });
    expect(await agent.prompt("go on")).toMatchObject({ kind: "done" });
    const request = toModelInput(model.requests[0]?.messages ?? [], { provider: "scripted" });
    expect(request.slice(2, asked ? 5 : 2)).toEqual(asked ? expectedResults(finished) : []);
    await agent.dispose();
  },
);
