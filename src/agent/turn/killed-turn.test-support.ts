import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { tempFolder } from "../../../test/support/temp-folder.js";

const CHILD = fileURLToPath(new URL("../../../test/support/killed-turn.mjs", import.meta.url));

/** Runs a turn in a process that kills itself with SIGKILL; see the script for when. Returns the session's file. */
export function runAndKill(entries: number): string {
  const folder = tempFolder();
  const file = join(folder, "session.jsonl");
  const child = spawnSync(process.execPath, [CHILD, file, folder, String(entries)], { encoding: "utf8" });
  expect({ signal: child.signal, stderr: child.stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  return file;
}
