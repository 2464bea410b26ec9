/** Which session files are pi's: not Bough's own, and not of an unknown version. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { foreignSessionAt } from "../agents.js";
import type { ForeignSession } from "../contract.js";
import { piReader } from "./pi-reader.js";

const HEADER = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/p" };
const PLACE = { id: "a", parentId: null, timestamp: "2026-01-01T00:00:01.000Z" };
const PROMPT = { type: "message", ...PLACE, message: { role: "user", content: "Name a  colour.", timestamp: 1 } };
const POSITION = { type: "custom", ...PLACE, id: "b", parentId: "a", customType: "bough.position" };
const IMPORTED = { ...HEADER, importedFrom: { agent: "codex", id: "x", path: "/x" } };

function fileOf(...records: readonly unknown[]): string {
  const path = join(tempFolder(), "a.jsonl");
  writeRecords(
    path,
    records.map((record) => JSON.stringify(record)),
  );
  return path;
}

describe("a session file", () => {
  it("is pi's if it contains nothing of Bough", async () => {
    const path = fileOf(HEADER, PROMPT);
    expect(await piReader.detect(path)).toBe(true);
    expect(await piReader.describe(path)).toMatchObject([{ title: "Name a colour.", firstPrompt: "Name a colour." }]);
  });

  it.each([
    ["was imported", [IMPORTED, PROMPT]],
    ["has a record only Bough writes", [HEADER, PROMPT, POSITION]],
  ])("is not pi's where it %s", async (_what, records) => {
    expect(await piReader.detect(fileOf(...records))).toBe(false);
  });

  it("of version 4 is refused with an error that names the version", async () => {
    const path = fileOf({ kind: "header", version: 4, id: "s", createdAt: 1, cwd: "/p" });
    await expect(foreignSessionAt(path)).rejects.toMatchObject({
      code: "not-a-transcript",
      message: expect.stringContaining("version 4"),
    });
  });
});

describe("pi's own folder", () => {
  it("lists its sessions, including one that Bough continued, but none that Bough imported", async () => {
    const home = tempFolder();
    const folder = join(home, ".pi/agent/sessions/--p--");
    mkdirSync(folder, { recursive: true });
    const lines = (...records: readonly unknown[]) => records.map((record) => JSON.stringify(record));
    writeRecords(join(folder, "plain.jsonl"), lines(HEADER, PROMPT));
    writeRecords(join(folder, "went-on.jsonl"), lines({ ...HEADER, id: "t" }, PROMPT, POSITION));
    writeRecords(join(folder, "imported.jsonl"), lines(IMPORTED, PROMPT));
    writeRecords(join(folder, "harness.jsonl"), lines({ kind: "header", version: 4, id: "s" }));
    writeRecords(join(folder, "notes.txt"), ["no session"]);
    const found: ForeignSession[] = [];
    for await (const session of piReader.find({ home })) found.push(session);
    expect(found.map(({ id }) => id).sort()).toEqual(["s", "t"]);
  });
});
