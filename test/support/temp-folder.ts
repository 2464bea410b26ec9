import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new empty folder that is deleted after the test. */
export function tempFolder(): string {
  return folderUnder(tmpdir());
}

/** The same in memory where the system has such a place, for tests that open tens of thousands of files. */
export function fastFolder(): string {
  return folderUnder(existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
}

function folderUnder(root: string): string {
  const folder = mkdtempSync(join(root, "bough-test-"));
  made.push(folder);
  return folder;
}
