/** Turns and branches of real imports, for the first import and after the source has grown. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { copySource, recordsIn, writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { foreignSessionAt, type ImportOutcome, importSession } from "../index.js";
import { type ImportCounts, importCounts } from "./import-counts.js";

const samples = fileURLToPath(new URL("../../../../../test/fixtures/interop", import.meta.url));

async function imported(path: string, dir: string): Promise<ImportCounts & Pick<ImportOutcome, "kind">> {
  const outcome = await importSession(await foreignSessionAt(path), { dir });
  const session = SessionManager.open(outcome.path, undefined, { readOnly: true });
  try {
    return { kind: outcome.kind, ...importCounts(session, outcome) };
  } finally {
    session.close();
  }
}

describe("what an import added", () => {
  test("is the whole session first, then what is new, then nothing", async () => {
    const dir = tempFolder();
    const copy = copySource(await foreignSessionAt(join(samples, "claude-code/rewind.jsonl")), tempFolder());
    const records = recordsIn(copy);
    const half = records.findIndex((line) => line.includes("Triple it instead."));
    writeRecords(copy, records.slice(0, half));
    const { modified } = await foreignSessionAt(copy);
    expect(await imported(copy, dir)).toEqual({ kind: "imported", turns: 2, branches: 1, since: undefined });
    writeRecords(copy, records);
    const grown = await foreignSessionAt(copy);
    expect(await imported(copy, dir)).toEqual({ kind: "extended", turns: 1, branches: 1, since: modified });
    expect(await imported(copy, dir)).toEqual({ kind: "unchanged", turns: 0, branches: 0, since: grown.modified });
  });

  test("does not count what the user did in the imported session since", async () => {
    const dir = tempFolder();
    const copy = copySource(await foreignSessionAt(join(samples, "claude-code/rewind.jsonl")), tempFolder());
    const records = recordsIn(copy);
    const half = records.findIndex((line) => line.includes("Triple it instead."));
    writeRecords(copy, records.slice(0, half));
    const { path } = await importSession(await foreignSessionAt(copy), { dir });
    const mine = SessionManager.open(path);
    for (const content of ["My own question.", "Another one."]) {
      mine.appendMessage({ role: "user", content, timestamp: 0 });
    }
    mine.close();
    writeRecords(copy, records);
    expect(await imported(copy, dir)).toMatchObject({ kind: "extended", turns: 1, branches: 1 });
  });
});
