/** Whether an export may go to a file: decided here, before the work and again when the file is about to get its name. */
import { existsSync, statSync } from "node:fs";
import { exportFailed, TAKEN } from "./export-failure.js";

export interface ExportTarget {
  readonly file: string;
  /** What to do with a file that is already there. Folders, devices and pipes are never replaced. */
  readonly existing: "refuse" | "replace";
  /** Files that are never replaced, also not through a link: a session is only ever added to. */
  readonly sources?: readonly string[];
}

/** Throws `export-failed`; `data.reason` says why in one word. */
export function checkExportTarget({ file, existing, sources = [] }: ExportTarget): void {
  // What a link leads to counts: the place where standard output is written must not become a file.
  if (!existsSync(file)) return;
  const there = statSync(file);
  const isThere = (path: string) => {
    const other = statSync(path, { throwIfNoEntry: false });
    return other?.ino === there.ino && other.dev === there.dev;
  };
  if (sources.some(isThere)) throw exportFailed(file, "it is the session file itself", { reason: "own" });
  if (there.isDirectory()) throw exportFailed(file, "there is a folder with this name", { reason: "folder" });
  if (!there.isFile()) throw exportFailed(file, "it is a device, a pipe or a socket", { reason: "special" });
  if (existing === "refuse") throw exportFailed(file, TAKEN, { reason: "exists" });
}
