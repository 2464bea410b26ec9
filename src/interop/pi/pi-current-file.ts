/** A session file in the current version: the file itself, or an upgraded copy that lasts as long as it is read. */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseRecord } from "../../entry/index.js";
import { createUpgrade, sessionVersion } from "../../entry/internal.js";
import { temporaryFolder } from "../../log/index.js";
import { foreignLines } from "../foreign-lines.js";

interface CurrentFile {
  readonly path: string;
  close(): void;
}

/** The copy has the same lines under the same numbers. The file itself is only read. */
export function currentFile(path: string): CurrentFile {
  return isOld(path) ? upgradedCopy(path) : { path, close: () => {} };
}

function isOld(path: string): boolean {
  for (const { text } of foreignLines(path)) {
    const record = parseRecord(text.replace(/^\uFEFF/, ""));
    if (record.kind === "header") return sessionVersion(record.header).kind === "old";
  }
  return false;
}

function upgradedCopy(path: string): CurrentFile {
  const { path: folder, remove } = temporaryFolder("pi");
  const copy = join(folder, "session.jsonl");
  try {
    const file = openSync(copy, "wx", 0o600);
    try {
      const upgrade = createUpgrade();
      let written = 0;
      for (const { line, text, terminated } of foreignLines(path)) {
        const upgraded = upgrade.upgradeLine(text.replace(/^\uFEFF/, "").replace(/\r$/, ""));
        writeSync(file, `${"\n".repeat(line - 1 - written)}${upgraded}${terminated ? "\n" : ""}`);
        written = line;
      }
    } finally {
      closeSync(file);
    }
    return { path: copy, close: remove };
  } catch (error) {
    remove();
    throw error;
  }
}
