/**
 * The archive: holds sessions that a user took off the list, until they are restored.
 *
 *     sessions/--project--/a.jsonl             archive/--project--/a.jsonl
 *     sessions/--project--/a.jsonl.v1.bak  ->  archive/--project--/a.jsonl.v1.bak
 *     output/<session id>/                     archive/--project--/a.jsonl.output/
 *                                              archive/--project--/a.jsonl.archived.json    where it was, since when
 *
 * Nothing is ever overwritten or removed: if a name is taken, a number is added. The record is created first and by
 * only one process, so that two that archive at once cannot choose the same name.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { makeFolder, namesIn, type PresentRecord, readPresence } from "../log/index.js";
import { attempt, jsonObject } from "../text/index.js";
import { moveFile, moveFolder } from "./archive/move-file.js";
import { boughHome } from "./locations.js";
import { peekHeader } from "./open/open-log.js";
import { type OnUnreadable, projectFolders } from "./sessions-folder.js";

export interface ArchiveOptions {
  readonly now: () => Date;
  /** Default: `$BOUGH_HOME`. */
  readonly home?: string;
}

export type ArchiveOutcome =
  | { readonly kind: "archived"; readonly path: string; readonly leftBehind: readonly string[] }
  /** Open in this or another process. Nothing changed. */
  | { readonly kind: "in-use"; readonly by: readonly PresentRecord[] }
  /** The file does not exist. */
  | { readonly kind: "missing" }
  /** A disk operation failed. The session is where it was. */
  | { readonly kind: "failed"; readonly reason: string };

export type RestoreOutcome =
  | { readonly kind: "restored"; readonly path: string; readonly leftBehind: readonly string[] }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly reason: string };

export interface ArchivedSession {
  /** Its current path. */
  readonly path: string;
  /** Its path before it was archived. */
  readonly from: string;
  /** ISO time; undefined without a record. */
  readonly archivedAt: string | undefined;
}

/** The folder of archived sessions, with a subfolder per project. */
export function archiveRoot(home = boughHome()): string {
  return join(home, "archive");
}

/**
 * Moves a session file and its sidecar files to the archive. Refuses if a living process has it open. Anything that
 * could not be moved with it stays where it was and is listed in `leftBehind`.
 */
export function archiveSession(file: string, { now, home = boughHome() }: ArchiveOptions): ArchiveOutcome {
  const path = resolve(file);
  if (!existsSync(path)) return { kind: "missing" };
  const by = readPresence(path, { now }).present;
  if (by.length > 0) return { kind: "in-use", by };
  const output = outputFolderOf(path, home);
  const record = { from: path, archivedAt: now().toISOString(), ...(output === undefined ? {} : { output }) };
  const wanted = join(archiveRoot(home), basename(dirname(path)), basename(path));
  for (let number = 1; ; number++) {
    const target = numbered(wanted, number);
    if (existsSync(target)) continue;
    const written = writeArchiveRecord(target, record);
    if (written === "taken") continue;
    if (written !== "written") return { kind: "failed", reason: written.reason };
    const moved = moveFile(path, target);
    if (moved.kind !== "moved") removeArchiveRecord(target);
    if (moved.kind === "taken") continue;
    if (moved.kind !== "moved") return moved;
    const leftBehind = moveSidecars(path, target);
    if (output !== undefined && !moveFolder(output, `${target}.output`)) leftBehind.push(output);
    return { kind: "archived", path: target, leftBehind };
  }
}

/** Moves an archived session back to its old path, or next to it if that name is taken now. */
export function restoreSession(
  file: string,
  { home = boughHome() }: Pick<ArchiveOptions, "home"> = {},
): RestoreOutcome {
  const path = resolve(file);
  if (!existsSync(path)) return { kind: "missing" };
  const record = readArchiveRecord(path);
  const wanted = record?.from ?? join(home, "sessions", basename(dirname(path)), basename(path));
  for (let number = 1; ; number++) {
    const target = numbered(wanted, number);
    if (existsSync(target)) continue;
    const moved = moveFile(path, target);
    if (moved.kind === "taken") continue;
    if (moved.kind !== "moved") return moved;
    const leftBehind = moveSidecars(path, target);
    const output = `${path}.output`;
    if (existsSync(output) && !(record?.output !== undefined && moveFolder(output, record.output))) {
      leftBehind.push(output);
    }
    removeArchiveRecord(path);
    return { kind: "restored", path: target, leftBehind };
  }
}

export interface ListArchivedOptions extends Pick<ArchiveOptions, "home"> {
  /** Called for each project folder that cannot be read; the others are still listed. Without it, the call throws. */
  readonly onUnreadable?: OnUnreadable;
}

/** Lists the archive, latest first. Throws `read-failed` if the folder exists but cannot be read. */
export function listArchived({ home = boughHome(), onUnreadable }: ListArchivedOptions = {}): ArchivedSession[] {
  const root = archiveRoot(home);
  const found: ArchivedSession[] = [];
  for (const { folder, name: project, names } of projectFolders(root, onUnreadable)) {
    for (const name of names) {
      if (!name.endsWith(".jsonl")) continue;
      const path = join(folder, name);
      const record = readArchiveRecord(path);
      const from = record?.from ?? join(home, "sessions", project, name);
      found.push({ path, from, archivedAt: record?.archivedAt });
    }
  }
  return found.sort((a, b) => ((a.archivedAt ?? "") < (b.archivedAt ?? "") ? 1 : -1));
}

/** `a.jsonl`, `a-2.jsonl`, `a-3.jsonl`. */
function numbered(path: string, number: number): string {
  if (number === 1) return path;
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-${number}${extension}`;
}

/** Moves copies that an upgrade kept: `<name>.v1.bak`. Returns those that stayed. */
function moveSidecars(path: string, target: string): string[] {
  const stayed: string[] = [];
  const prefix = `${basename(path)}.`;
  for (const name of namesIn(dirname(path))) {
    const ending = name.startsWith(prefix) ? name.slice(prefix.length - 1) : "";
    if (!/^\.v\d+\.bak(\.\d+)?$/.test(ending)) continue;
    const sidecar = join(dirname(path), name);
    if (existsSync(`${target}${ending}`) || moveFile(sidecar, `${target}${ending}`).kind !== "moved") {
      stayed.push(sidecar);
    }
  }
  return stayed;
}

/** The folder of output that was too long for the context, if there is one. */
function outputFolderOf(path: string, home: string): string | undefined {
  let id: unknown;
  try {
    id = peekHeader(path)?.id;
  } catch {
    // Saved output is found by the header's ID.
    return undefined;
  }
  // The ID comes from the file: reject path traversal.
  if (typeof id !== "string" || !/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(id)) return undefined;
  const folder = join(home, "output", id);
  return existsSync(folder) ? folder : undefined;
}

/** The small file next to an archived session that records its old path. */
interface ArchiveRecord {
  readonly from: string;
  /** ISO time. */
  readonly archivedAt: string;
  /** The old path of its saved output. */
  readonly output?: string;
}

function recordName(path: string): string {
  return `${path}.archived.json`;
}

/** `taken` if the record exists already; it is never overwritten. */
function writeArchiveRecord(path: string, record: ArchiveRecord): "written" | "taken" | { readonly reason: string } {
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

/** Undefined if there is no usable record: the old path is then derived from the names. */
function readArchiveRecord(path: string): ArchiveRecord | undefined {
  // The session may have been moved there by hand, or the record damaged; neither must hide the session.
  const record = jsonObject(attempt(() => readFileSync(recordName(path), "utf8")) ?? "");
  const { from, archivedAt, output } = record ?? {};
  if (typeof from !== "string" || typeof archivedAt !== "string") return undefined;
  return { from, archivedAt, ...(typeof output === "string" ? { output } : {}) };
}

function removeArchiveRecord(path: string): void {
  rmSync(recordName(path), { force: true });
}
