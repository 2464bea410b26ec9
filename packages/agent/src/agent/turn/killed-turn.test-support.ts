import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";

const CHILD = fileURLToPath(new URL("../../../../../test/support/killed-turn.mjs", import.meta.url));
const SESSION = "session.jsonl";

interface LeftFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly mode: number;
}

/** What each turn left behind, by the number of its entries. */
const left = new Map<number, readonly LeftFile[]>();

/**
 * What is left of a turn in a process that killed itself with SIGKILL; see the script for when. Returns the session's file,
 * in a folder of its own. One process is enough for all tests that ask for the same: its files are copied.
 */
export function runAndKill(entries: number): string {
  const files = left.get(entries) ?? filesOfKilled(entries);
  left.set(entries, files);
  const folder = tempFolder();
  for (const { name, bytes, mode } of files) writeFileSync(join(folder, name), bytes, { mode });
  return join(folder, SESSION);
}

function filesOfKilled(entries: number): readonly LeftFile[] {
  const folder = tempFolder();
  const args = [CHILD, join(folder, SESSION), folder, String(entries)];
  const child = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ signal: child.signal, stderr: child.stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  return readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { name, bytes: readFileSync(path), mode: statSync(path).mode & 0o777 };
  });
}
