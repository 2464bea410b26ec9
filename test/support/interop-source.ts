/** Copies of foreign sessions that a test may cut, grow and damage. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { ForeignSession } from "../../src/interop/index.js";

/** Samples of other projects, and of the programs themselves. They are read where they are, and may not be here. */
export const FIXTURES =
  process.env.BOUGH_FIXTURES ?? fileURLToPath(new URL("../../../shared/fixtures", import.meta.url));

/** Copies every file of a session, laid out as it was; returns the path of the main file's copy. */
export function copySource(source: ForeignSession, folder: string): string {
  const base = dirname(source.path);
  for (const file of source.files) {
    const target = join(folder, relative(base, file));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
  }
  return join(folder, relative(base, source.path));
}

/** The records of a file: its lines that are not empty. */
export function recordsIn(file: string): string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
}

export function writeRecords(file: string, records: readonly string[]): void {
  writeFileSync(file, records.map((record) => `${record}\n`).join(""));
}
