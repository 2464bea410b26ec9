/** Paths whose calls and results are not next to each other. */

import type { SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { pairedSteps } from "./paired-steps.js";

const answer = { api: "a", provider: "b", model: "c", usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };

/** `a: 1 2` is an answer with calls, `r: 1` a result, `u: words` a prompt, `n: x` state of an extension. */
function path(...lines: readonly string[]): SessionEntry[] {
  const session = SessionManager.inMemory("/home/dev/project");
  for (const line of lines) {
    const [kind, ...words] = line.split(/:? /);
    if (kind === "u") session.appendMessage({ role: "user", content: words.join(" "), timestamp: 0 });
    else if (kind === "n") session.appendCustomEntry("notes.state", words);
    else if (kind === "r") session.appendMessage(resultOf(words[0] as string));
    else {
      const content = words.map((id) => ({ type: "toolCall" as const, id, name: "bash", arguments: {} }));
      session.appendMessage({ role: "assistant", content, ...answer, stopReason: "toolUse", timestamp: 0 });
    }
  }
  return session.getBranch();
}

function resultOf(toolCallId: string) {
  return { role: "toolResult" as const, toolCallId, toolName: "bash", content: [], isError: false, timestamp: 0 };
}

function drawn(entries: readonly SessionEntry[], isFixed?: (entry: SessionEntry) => boolean): string[] {
  return [...pairedSteps(entries, isFixed)].map(({ entry, kind }) => {
    const words = kind === "given" ? "" : `${kind} `;
    if (entry.type !== "message") return `${words}${entry.type}`;
    const { message } = entry;
    if (message.role === "toolResult") return `${words}r: ${message.toolCallId}`;
    return message.role === "user" ? `u: ${String(message.content)}` : "a";
  });
}

describe("calls and results of a path", () => {
  it("stay as they are if no message is between them", () => {
    expect(drawn(path("u: Go", "a: 1 2", "r: 2", "n: x", "r: 1", "a:"))).toEqual([
      "u: Go",
      "a",
      "r: 2",
      "custom",
      "r: 1",
      "a",
    ]);
  });

  it("are moved together if a message is between them", () => {
    expect(drawn(path("a: 1 2", "r: 1", "u: Hurry", "r: 2", "a:"))).toEqual(["a", "r: 2", "r: 1", "u: Hurry", "a"]);
  });

  it("get a result directly after the call if there is none", () => {
    expect(drawn(path("a: 1 2", "r: 2", "u: Never mind"))).toEqual(["a", "made r: 1", "r: 2", "u: Never mind"]);
  });

  it("are matched to the nearest call with their ID, and only the first result counts", () => {
    expect(drawn(path("a: 1", "r: 1", "a: 1", "r: 1", "r: 1"))).toEqual(["a", "r: 1", "a", "r: 1", "repeated r: 1"]);
  });

  it("are distinguished from a result whose call is not on the path", () => {
    expect(drawn(path("u: Go", "r: 1"))).toEqual(["u: Go", "alone r: 1"]);
  });

  it("stay in place if they are fixed", () => {
    expect(drawn(path("a: 1", "u: Hurry", "r: 1"), () => true)).toEqual(["a", "u: Hurry", "r: 1"]);
  });
});
