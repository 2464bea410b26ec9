import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { findToImport, matchForeign } from "./match-foreign.js";

test.skipIf(process.getuid?.() === 0)("a file that cannot be read is not taken for something else", async () => {
  const home = tempFolder();
  const path = join(home, "transcript.jsonl");
  writeFileSync(path, "{}\n");
  chmodSync(path, 0);
  const closed = { code: "read-failed", message: `Could not open ${path}`, data: { path } };
  await expect(findToImport(path, {})).rejects.toMatchObject(closed);
  const places = { cwd: home, home, sessionDir: join(home, "sessions") };
  await expect(matchForeign("transcript.jsonl", places)).rejects.toMatchObject(closed);
});
