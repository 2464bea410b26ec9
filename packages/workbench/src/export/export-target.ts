/** Whether an export may be written to a file. Checked before the work, and again just before the final rename. */
import { existsSync, statSync } from "node:fs";
import { exportFailed, TAKEN } from "./export-failure.js";

export interface ExportTarget {
  readonly file: string;
  /** What to do with an existing file. Folders, devices and pipes are never replaced. */
  readonly existing: "refuse" | "replace";
  /** Files that are never replaced, not even through a link: session files are append-only. */
  readonly sources?: readonly string[];
}

/** Throws `export-failed`; `data.reason` says why in one word. */
export function checkExportTarget({ file, existing, sources = [] }: ExportTarget): void {
  // Links are followed: a link such as /dev/stdout must not be replaced by a file.
  if (!existsSync(file)) return;
  const stats = statSync(file);
  const isSameFile = (path: string) => {
    const other = statSync(path, { throwIfNoEntry: false });
    return other?.ino === stats.ino && other.dev === stats.dev;
  };
  if (sources.some(isSameFile)) throw exportFailed(file, "it is the session file itself", { reason: "own" });
  if (stats.isDirectory()) throw exportFailed(file, "there is a folder with this name", { reason: "folder" });
  if (!stats.isFile()) throw exportFailed(file, "it is a device, a pipe or a socket", { reason: "special" });
  if (existing === "refuse") throw exportFailed(file, TAKEN, { reason: "exists" });
}
