import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawSession, user } from "@bough/session/session/draw-session.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { exportSession } from "./export-session.js";

type Part = { readonly entryId: string; readonly scope?: "path" | "subtree" };

function exportBranch(session: SessionManager, part: Part & { readonly file: string }) {
  return exportSession(session, { scope: "subtree", ...part, format: "jsonl", newSessionId: () => "the-part" });
}

async function exported(session: SessionManager, request: Part): Promise<SessionManager> {
  const file = join(tempFolder(), "deep", "part.jsonl");
  await exportBranch(session, { ...request, file });
  const part = SessionManager.open(file, undefined, { readOnly: true });
  expect([part.getProblems(), part.getReadOnlyReason()?.kind, part.getSessionId()]).toEqual([[], "asked", "the-part"]);
  return part;
}

describe("exporting a part of a session", () => {
  test("a subtree: the entry as the root, everything below it, and nothing else", async () => {
    const session = drawSession("A-b-C-d-E; C-f*; b-G");
    const part = await exported(session, { entryId: "C" });
    expect(part.getEntries().map(({ id, parentId }) => [id, parentId])).toEqual([
      ["C", null],
      ["d", "C"],
      ["E", "d"],
      ["f", "C"],
      ["position-f", "f"],
    ]);
    expect(part.getEntry("d")).toEqual(session.getEntry("d"));
    part.close();
  });

  test("a path: from the root to the entry, with the same context", async () => {
    const session = drawSession("A-b-k-C-d*; b-G", { k: (on) => void on.appendCompaction("sum", "b", 9) });
    const part = await exported(session, { entryId: "d", scope: "path" });
    expect(part.buildSessionContext()).toEqual(session.buildSessionContext());
    expect(part.getEntry("G")).toBeUndefined();
    part.close();
  });

  test("labels on the part are exported; other labels are not, and no entry has a label as its parent", async () => {
    const session = drawSession("A-b*");
    session.appendLabelChange("A", "outside");
    session.appendLabelChange("b", "inside");
    const added = session.appendMessage(user("C"));
    const part = await exported(session, { entryId: "b" });
    expect(part.getEntries().map(({ id, parentId, type }) => [id, parentId, type])).toEqual([
      ["b", null, "message"],
      [added, "b", "message"],
      ["label-b", added, "label"],
      [`position-${added}`, added, "custom"],
    ]);
    expect(part.getLabel("b")).toBe("inside");
    part.close();
  });

  test("a compaction whose anchor is above the part keeps everything in the part before it", async () => {
    const session = drawSession("A-b-C-k-d*", { k: (on) => void on.appendCompaction("sum", "b", 9) });
    const part = await exported(session, { entryId: "C" });
    expect(part.buildSessionContext().messages.map(({ role }) => role)).toEqual([
      "compactionSummary",
      "user",
      "assistant",
    ]);
    part.close();
  });

  test("the file is private, never overwrites another, and is never left incomplete", async () => {
    const folder = tempFolder();
    const session = drawSession("A-b*");
    const file = join(folder, "part.jsonl");
    expect(await exportBranch(session, { entryId: "A", file })).toMatchObject({ file, entries: 3, findings: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(exportBranch(session, { entryId: "A", file })).rejects.toMatchObject({ code: "export-failed" });
    const blocked = join(folder, "a-file");
    writeFileSync(blocked, "");
    const below = join(blocked, "part.jsonl");
    await expect(exportBranch(session, { entryId: "A", file: below })).rejects.toMatchObject({ code: "export-failed" });
    await expect(exportBranch(session, { entryId: "zz", file: below })).rejects.toMatchObject({
      code: "entry-not-found",
    });
    expect(readdirSync(folder).sort()).toEqual(["a-file", "part.jsonl"]);
  });
});
