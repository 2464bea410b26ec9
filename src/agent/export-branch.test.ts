import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.js";
import { SessionManager } from "../session/index.js";
import { type ExportRequest, exportBranch } from "./export-branch.js";
import { drawSession, operationParts, user } from "./operation-parts.test-support.js";

function exported(session: SessionManager, request: Omit<ExportRequest, "file" | "newSessionId">): SessionManager {
  const file = join(tempFolder(), "deep", "part.jsonl");
  exportBranch(operationParts({ session }), { ...request, file, newSessionId: () => "the-part" });
  const part = SessionManager.open(file, undefined, { readOnly: true });
  expect([part.getProblems(), part.getReadOnlyReason()?.kind, part.getSessionId()]).toEqual([[], "asked", "the-part"]);
  return part;
}

describe("exporting a part of a session", () => {
  test("a subtree: the entry as the root, everything below it, and nothing else", () => {
    const session = drawSession("A-b-C-d-E; C-f*; b-G");
    const part = exported(session, { entryId: "C" });
    expect(part.getEntries().map(({ id, parentId }) => [id, parentId])).toEqual([
      ["C", null],
      ["d", "C"],
      ["E", "d"],
      ["f", "C"],
    ]);
    expect(part.getEntry("d")).toEqual(session.getEntry("d"));
    part.close();
  });

  test("a path: from the root to the entry, with the same context", () => {
    const session = drawSession("A-b-k-C-d*; b-G", { k: (on) => void on.appendCompaction("sum", "b", 9) });
    const part = exported(session, { entryId: "d", scope: "path" });
    expect(part.buildSessionContext()).toEqual(session.buildSessionContext());
    expect(part.getEntry("G")).toBeUndefined();
    part.close();
  });

  test("labels that stand on the part come along; other labels do not, and nothing hangs from one", () => {
    const session = drawSession("A-b*");
    session.appendLabelChange("A", "outside");
    session.appendLabelChange("b", "inside");
    const added = session.appendMessage(user("C"));
    const part = exported(session, { entryId: "b" });
    expect(part.getEntries().map(({ id, parentId, type }) => [id, parentId, type])).toEqual([
      ["b", null, "message"],
      [added, "b", "message"],
      ["label-b", added, "label"],
    ]);
    expect(part.getLabel("b")).toBe("inside");
    part.close();
  });

  test("a compaction whose anchor is above the part keeps all of the part above it", () => {
    const session = drawSession("A-b-C-k-d*", { k: (on) => void on.appendCompaction("sum", "b", 9) });
    const part = exported(session, { entryId: "C" });
    expect(part.buildSessionContext().messages.map(({ role }) => role)).toEqual([
      "compactionSummary",
      "user",
      "assistant",
    ]);
    part.close();
  });

  test("the file is private, never overwrites another, and leaves no half behind", () => {
    const folder = tempFolder();
    const on = operationParts({ session: drawSession("A-b*") });
    const file = join(folder, "part.jsonl");
    expect(exportBranch(on, { entryId: "A", file })).toEqual({ file, entries: 2 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(() => exportBranch(on, { entryId: "A", file })).toThrow(expect.objectContaining({ code: "export-failed" }));
    const blocked = join(folder, "a-file");
    writeFileSync(blocked, "");
    const below = join(blocked, "part.jsonl");
    expect(() => exportBranch(on, { entryId: "A", file: below })).toThrow(
      expect.objectContaining({ code: "export-failed" }),
    );
    expect(readdirSync(folder).sort()).toEqual(["a-file", "part.jsonl"]);
  });
});
