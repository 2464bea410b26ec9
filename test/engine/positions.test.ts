/** Rules I3 and I4: where the leaf is after reopening. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { runChild } from "../support/run-child.js";
import { brokenLine, HEADER_LINE, line, positionLine } from "../support/session-lines.js";
import { tempFolder } from "../support/temp-folder.js";
import { tree } from "../support/tree-notation.js";

function leafAfterReopening(session: SessionManager): string | null {
  session.close();
  const again = SessionManager.open(session.getSessionFile() as string, undefined, { readOnly: true });
  again.close();
  return again.getLeafId();
}

describe("the leaf after closing and reopening is the leaf before", () => {
  const moves: Readonly<Record<string, (session: SessionManager) => void>> = {
    "after nothing at all": () => {},
    "after a move": (session) => session.branch("b"),
    "after a move before the first entry": (session) => session.resetLeaf(),
    "after a move there and back": (session) => {
      session.branch("b");
      session.branch("d");
    },
    "after a move and an append": (session) => {
      session.branch("b");
      session.appendMessage(user("x"));
    },
    "after a move that was recorded, and another": (session) => {
      session.branch("b");
      session.recordPosition();
      session.branch("a");
    },
    "after a move and a label": (session) => {
      session.branch("b");
      session.appendLabelChange("d", "end");
    },
    "after a move before the first entry and a label": (session) => {
      session.resetLeaf();
      session.appendLabelChange("d", "end");
    },
    "after a move and a rename": (session) => {
      session.branch("b");
      session.appendSessionInfo("name");
    },
    "after a move and an extension's note": (session) => {
      session.branch("b");
      session.appendCustomEntry("note");
    },
    "after a move and a record of usage": (session) => {
      session.branch("b");
      const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
      session.appendUsage({ kind: "summary", provider: "acme", model: "m", usage });
    },
    "after a label at the leaf": (session) => session.appendLabelChange("a", "start"),
    "after a move to a label": (session) => session.branch(session.appendLabelChange("a", "start")),
  };

  it.each(Object.entries(moves))("%s", (_, move) => {
    const session = tree("a-b-c-d", { dir: tempFolder() });
    move(session);
    const leafId = session.getLeafId();
    expect(leafAfterReopening(session)).toBe(leafId);
  });

  it("and opening and closing again writes nothing", () => {
    const session = tree("a-b-c-d; b-e*", { dir: tempFolder() });
    session.branch("c");
    session.close();
    const file = session.getSessionFile() as string;
    const bytes = readFileSync(file);
    for (let i = 0; i < 3; i++) SessionManager.open(file).close();
    expect(readFileSync(file)).toEqual(bytes);
  });

  it.each([
    ["renames the session", "rename"],
    ["labels an entry", "label"],
    ["leaves a note", "note"],
    ["goes elsewhere and renames the session there", "rename-elsewhere"],
    ["opens and closes it", "look"],
  ])("also when another process %s meanwhile", async (_, act) => {
    for (const position of ["b", null]) {
      const session = tree("a-b-c-d", { dir: tempFolder() });
      if (position === null) session.resetLeaf();
      else session.branch(position);
      session.close();
      const file = session.getSessionFile() as string;
      await runChild("engine-writer.mjs", [file, act]);
      const again = SessionManager.open(file, undefined, { readOnly: true });
      // What the other process put below the position extends it: the way from the start is the same, and the context.
      const conversation = again.getBranch().filter(({ type }) => type === "message");
      expect(conversation.map(({ id }) => id)).toEqual(position === null ? [] : ["a", "b"]);
      if (act === "rename-elsewhere" || act === "look") expect(again.getLeafId()).toBe(position);
      again.close();
    }
  });

  it("stays for the one who has it, whatever another process appends; after both closed, the last one decides", async () => {
    const session = tree("a-b-c-d", { dir: tempFolder() });
    const file = session.getSessionFile() as string;
    session.branch("b");
    await runChild("engine-writer.mjs", [file, "append"]);
    session.refresh();
    expect(session.getLeafId()).toBe("b");
    session.close();
    expect(SessionManager.open(file, undefined, { readOnly: true }).getLeafId()).toBe("b");
  });
});

describe("the position with two writers", () => {
  /** Another writer moves to `a`, adds an entry there and closes. */
  function otherBranch(file: string): void {
    const other = SessionManager.open(file);
    other.branch("a");
    other.appendMessage(user("from elsewhere"));
    other.close();
  }

  it("recordPosition and close record the position when another writer moved the file's leaf", () => {
    const session = tree("a-b", { dir: tempFolder() });
    otherBranch(session.getSessionFile() as string);
    session.refresh();
    expect(session.recordPosition()).toBeDefined();
    expect(leafAfterReopening(session)).toBe("b");
  });

  it("close alone does, also where nothing was refreshed", () => {
    const session = tree("a-b", { dir: tempFolder() });
    otherBranch(session.getSessionFile() as string);
    expect(leafAfterReopening(session)).toBe("b");
  });

  it("a session that was only opened and stayed while others went on keeps its place too", () => {
    const first = tree("a-b", { dir: tempFolder() });
    first.close();
    const session = SessionManager.open(first.getSessionFile() as string);
    otherBranch(session.getSessionFile() as string);
    session.refresh();
    expect(leafAfterReopening(session)).toBe("b");
  });

  it("what was recorded once is recorded again after another writer moved on", () => {
    const session = tree("a-b-c", { dir: tempFolder() });
    session.branch("b");
    session.recordPosition();
    otherBranch(session.getSessionFile() as string);
    session.recordPosition();
    expect(leafAfterReopening(session)).toBe("b");
  });

  it("who only read, or only left a label, does not take the position from the one who writes", () => {
    const session = tree("a-b", { dir: tempFolder() });
    const file = session.getSessionFile() as string;
    const reader = SessionManager.open(file);
    const labeller = SessionManager.open(file);
    const last = session.appendMessage(user("more"));
    reader.close();
    labeller.appendLabelChange("a", "start");
    labeller.close();
    expect(leafAfterReopening(session)).toBe(last);
  });
});

describe("after close", () => {
  it.each([
    ["branch", (session: SessionManager) => session.branch("a")],
    ["resetLeaf", (session: SessionManager) => session.resetLeaf()],
    ["branchWithSummary", (session: SessionManager) => session.branchWithSummary("a", "s")],
    ["recordPosition", (session: SessionManager) => session.recordPosition()],
    ["appendMessage", (session: SessionManager) => session.appendMessage(user("x"))],
    ["createBranchedSession", (session: SessionManager) => session.createBranchedSession("a")],
    ["newSession", (session: SessionManager) => session.newSession()],
    ["setSessionFile", (session: SessionManager) => session.setSessionFile(session.getSessionFile() as string)],
    ["refresh", (session: SessionManager) => session.refresh()],
  ])("%s fails with the code closed", (_, act) => {
    const session = tree("a-b", { dir: tempFolder() });
    session.close();
    expect(() => act(session)).toThrowError(expect.objectContaining({ code: "closed" }));
  });
});

describe("while loading", () => {
  const rest = { message: undefined };
  const kinds: readonly (readonly [string, Readonly<Record<string, unknown>>, "sets" | "extends"])[] = [
    ["message", {}, "sets"],
    ["compaction", { ...rest, summary: "s", firstKeptEntryId: "a", tokensBefore: 1 }, "sets"],
    ["branch_summary", { ...rest, fromId: "a", summary: "s" }, "sets"],
    ["custom_message", { ...rest, customType: "t", content: "c", display: true }, "sets"],
    ["model_change", { ...rest, provider: "p", modelId: "m" }, "sets"],
    ["thinking_level_change", { ...rest, thinkingLevel: "high" }, "sets"],
    ["mode_change", { ...rest, mode: "plan" }, "sets"],
    ["ttsr_injection", { ...rest, injectedRules: [] }, "sets"],
    ["context_edit", { ...rest, targetId: "a", replacement: null }, "sets"],
    ["custom", { ...rest, customType: "t" }, "extends"],
    ["label", { ...rest, targetId: "a", label: "l" }, "extends"],
    ["session_info", { ...rest, name: "n" }, "extends"],
    ["usage", { ...rest, kind: "k" }, "extends"],
    ["dream", rest, "extends"],
  ];

  function leafOf(...lines: readonly string[]): string | null {
    const file = join(tempFolder(), "session.jsonl");
    writeFileSync(file, HEADER_LINE + line("a", null) + line("b", "a") + lines.join(""));
    const session = SessionManager.open(file, undefined, { readOnly: true });
    session.close();
    return session.getLeafId();
  }

  it.each(kinds)("an entry of type %s below the leaf becomes the leaf", (type, fields) => {
    expect(leafOf(line("x", "b", { type, ...fields }))).toBe("x");
  });

  it.each(kinds)("an entry of type %s elsewhere: %#", (type, fields, effect) => {
    expect(leafOf(line("x", "a", { type, ...fields }))).toBe(effect === "sets" ? "x" : "b");
    expect(leafOf(line("x", null, { type, ...fields }))).toBe(effect === "sets" ? "x" : "b");
  });

  it("the record of a position moves the leaf to its parent, and to the start where it has none", () => {
    expect([leafOf(positionLine("p", "a")), leafOf(positionLine("p", null))]).toEqual(["a", null]);
  });

  it("what hangs below the record of a position is a root of its own, and the record is no leaf", () => {
    expect(leafOf(positionLine("p", "a"), line("x", "p"), positionLine("q", "p"))).toBe("x");
  });

  it("a position that is not in the file says nothing", () => {
    expect(leafOf(positionLine("p", "gone"))).toBe("b");
  });
});

it("never hangs on a position that cannot be read, and goes on from what can", async () => {
  const file = join(tempFolder(), "session.jsonl");
  writeFileSync(file, HEADER_LINE + line("a", null) + brokenLine("b", "a") + line("c", "b") + positionLine("p", "b"));
  // In a process of its own, because an endless loop cannot be interrupted from within.
  const output = await runChild("engine-leaf.mjs", [file]);
  expect(output).toBe('"c"\n');
});

it("a move in memory is a move, and a record of it in the tree", () => {
  const session = tree("a-b-c*");
  expect(session.recordPosition()).toBeUndefined();
  session.branch("a");
  session.recordPosition();
  expect(session.getLeafId()).toBe("a");
});

it("a position of another process, appended later, does not move who is there", () => {
  const dir = tempFolder();
  const session = tree("a-b-c", { dir });
  const file = session.getSessionFile() as string;
  appendFileSync(file, positionLine("p", "a"));
  expect([session.refresh(), session.getLeafId()]).toEqual([["p"], "c"]);
});
