/** Values that cannot be written: a typed error, and an unchanged session. */
import { readFileSync } from "node:fs";
import type { AgentMessage } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { tempFolder } from "../support/temp-folder.js";
import { drawn, tree } from "../support/tree-notation.js";

function cycle(): unknown {
  const self: { self?: unknown } = {};
  self.self = self;
  return self;
}

function deep(): unknown {
  let value: unknown = "bottom";
  for (let i = 0; i < 100_000; i++) value = [value];
  return value;
}

const throwing = {
  toJSON() {
    throw new Error("will not");
  },
};

const VALUES: readonly (readonly [string, () => unknown])[] = [
  ["a big integer", () => 10n],
  ["a cycle", cycle],
  ["nesting 100,000 deep", deep],
  ["an object that refuses", () => throwing],
];

const APPENDS: readonly (readonly [string, (session: SessionManager, value: unknown) => unknown])[] = [
  [
    "a message",
    (s, value) => s.appendMessage({ role: "user", content: value, timestamp: 1 } as unknown as AgentMessage),
  ],
  ["an extension's state", (s, value) => s.appendCustomEntry("state", value)],
  ["details of a compaction", (s, value) => s.appendCompaction("s", "a", 1, value)],
  ["details of a branch summary", (s, value) => s.branchWithSummary("a", "s", value)],
  ["data of a mode", (s, value) => s.appendModeChange("plan", value)],
];

describe.each(VALUES)("%s", (_, make) => {
  it.each(APPENDS)("in %s is refused, and the session is as it was", (_name, append) => {
    const session = tree("a-b", { dir: tempFolder() });
    const file = session.getSessionFile() as string;
    const before = readFileSync(file);
    expect(() => append(session, make())).toThrow(
      expect.objectContaining({ name: "SessionError", code: "not-serializable" }),
    );
    expect([drawn(session), session.getWaitingCount(), readFileSync(file).equals(before)]).toEqual(["a-b*", 0, true]);
    session.appendMessage(user("goes on"));
    session.close();
    const again = SessionManager.open(file, undefined, { readOnly: true });
    expect([drawn(again), again.getProblems()]).toEqual([`a-b-${session.getLeafId()}*`, []]);
    again.close();
  });
});

it.each([undefined, null, 7, "text", {}, { role: 7 }])(
  "a message that is %j is refused, and the leaf stays",
  (value) => {
    const session = tree("a-b");
    expect(() => session.appendMessage(value as unknown as AgentMessage)).toThrow(
      expect.objectContaining({ name: "SessionError", code: "not-serializable" }),
    );
    expect([session.getLeafId(), session.getEntries().length]).toEqual(["b", 2]);
    session.appendMessage(user("c"));
    expect(session.getEntries().length).toBe(3);
  },
);

it.each([
  ["a label", (session: SessionManager) => session.appendLabelChange("nobody", "x")],
  ["an edit", (session: SessionManager) => session.appendContextEdit("nobody", null)],
  ["a move", (session: SessionManager) => session.branch("nobody")],
  ["a summary", (session: SessionManager) => session.branchWithSummary("nobody", "s")],
  ["a fork", (session: SessionManager) => session.createBranchedSession("nobody")],
  ["a path", (session: SessionManager) => session.getBranch("nobody")],
  ["children", (session: SessionManager) => session.getChildren("nobody")],
])("%s of an entry that is not there throws and leaves everything as it was", (_, act) => {
  const session = tree("a-b");
  expect(() => act(session)).toThrow(
    expect.objectContaining({ code: "entry-not-found", message: "Entry nobody not found" }),
  );
  expect(drawn(session)).toBe("a-b*");
});

it("a session that is closed refuses appends with a code, and closing it again does nothing", () => {
  const session = tree("a-b", { dir: tempFolder() });
  session.close();
  session.close();
  for (const act of [() => session.appendMessage(user("c")), () => session.refresh(), () => session.sync()]) {
    expect(act).toThrow(expect.objectContaining({ name: "SessionError", code: "closed" }));
  }
});
