/** The small file next to an archived session that says where it was. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../log/index.js";
import { attempt, jsonObject } from "../../text/index.js";

interface ArchiveRecord {
  readonly from: string;
  /** ISO time. */
  readonly archivedAt: string;
  /** Where its kept output was. */
  readonly output?: string;
}

function recordName(path: string): string {
  return `${path}.archived.json`;
}

/** `taken` where there is one for this name already: it is never changed. */
export function writeArchiveRecord(
  path: string,
  record: ArchiveRecord,
): "written" | "taken" | { readonly reason: string } {
  try {
    makeFolder(dirname(path));
  } catch (error) {
    return { reason: (error as Error).message };
  }
  try {
    writeFileSync(recordName(path), `${JSON.stringify(record)}\n`, { mode: 0o600, flag: "wx" });
    return "written";
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "EEXIST" ? "taken" : { reason: message };
  }
}

/** Undefined if there is none that can be used: the place is then told from the names. */
export function readArchiveRecord(path: string): ArchiveRecord | undefined {
  // Moved there by hand, or damaged: the session itself is what counts.
  const record = jsonObject(attempt(() => readFileSync(recordName(path), "utf8")) ?? "");
  const { from, archivedAt, output } = record ?? {};
  if (typeof from !== "string" || typeof archivedAt !== "string") return undefined;
  return { from, archivedAt, ...(typeof output === "string" ? { output } : {}) };
}

export function removeArchiveRecord(path: string): void {
  rmSync(recordName(path), { force: true });
}
