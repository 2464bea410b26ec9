import { describe, expect, test } from "vitest";
import { isPrompt, kindOf, roleOf, type SessionEntry, startsTurn } from "../entry/index.js";
import { isExtensionMessageAt, isPromptAt, startsTurnAt } from "./turn-start.js";

const ENTRIES = [
  ...["user", "assistant", "toolResult", "bashExecution", "custom", "hookMessage", "system", 7, undefined].map(
    (role) => ({ type: "message", message: { role } }),
  ),
  { type: "message", message: null },
  ...["custom_message", "branch_summary", "compaction", "label", "custom", "new_kind"].map((type) => ({ type })),
] as unknown as SessionEntry[];

const INDEX = {
  kindOf: (n: number) => kindOf(ENTRIES[n] as SessionEntry),
  roleOf: (n: number) => roleOf(ENTRIES[n] as SessionEntry),
};

describe("where a turn starts", () => {
  test("the index and the entry say the same", () => {
    const numbers = [...ENTRIES.keys()];
    expect(numbers.map((n) => isPromptAt(INDEX, n))).toEqual(ENTRIES.map(isPrompt));
    expect(numbers.map((n) => startsTurnAt(INDEX, n))).toEqual(ENTRIES.map(startsTurn));
    expect(ENTRIES.filter(startsTurn)).toEqual([
      { type: "message", message: { role: "user" } },
      { type: "message", message: { role: "custom" } },
      { type: "message", message: { role: "hookMessage" } },
      { type: "custom_message" },
    ]);
  });

  test("no turn starts before the first entry", () => {
    expect([isPromptAt, isExtensionMessageAt, startsTurnAt].map((question) => question(INDEX, -1))).toEqual([
      false,
      false,
      false,
    ]);
  });
});
