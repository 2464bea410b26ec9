import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../scripts/remove-folder.mjs";
import { afterTest } from "./after-test.js";

/** A new empty folder that is deleted after the test, also with folders in it that the test closed. */
export function tempFolder(): string {
  return folderUnder(tmpdir());
}

/** The same in memory where the system has such a place, for tests that open tens of thousands of files. */
export function fastFolder(): string {
  return folderUnder(existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
}

/** The same outside of memory where the system has such a place: `npm test` has its temporary files in memory. */
export function diskFolder(): string {
  return folderUnder(existsSync("/tmp") ? "/tmp" : tmpdir());
}

function folderUnder(root: string): string {
  const folder = mkdtempSync(join(root, "bough-test-"));
  afterTest(() => removeFolder(folder));
  return folder;
}
