/**
 * `$BOUGH_HOME/attempts/<id>/`: the record of an attempt's folder, and the folder itself under the name of the project.
 * The record is written first and removed last, so that whatever a kill leaves is found again.
 */
import { realpathSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { itemsIn, type ProcessIdentity, readTextFile, writeWhole } from "@bough/session/log/index.js";
import { attemptIdOf, attemptsRoot } from "@bough/session/session/internal.js";
import { attempt, isRecord, parsedJson } from "@bough/session/text/index.js";

/** The folder of one attempt. */
export interface FolderRecord {
  readonly v: 1;
  readonly id: string;
  /** The name of the attempt, such as `attempt-2`. */
  readonly name: string;
  /** The top of the project it was copied from, and the working folder in it. */
  readonly root: string;
  readonly cwd: string;
  /** The session, and the entry that the branch of the attempt starts at. */
  readonly session?: { readonly id: string; readonly file: string; readonly entry: string };
  /** A free port when the folder was made. */
  readonly port: number;
  /** The process that made it. */
  readonly owner: ProcessIdentity;
  /** Processes that work in it, each the first of its group. */
  readonly groups: readonly ProcessIdentity[];
  readonly createdAt: string;
  /** `stored`: everything in it that belongs to the branch is recorded. */
  readonly state: "making" | "ready" | "stored";
}

/** A record with its paths. */
export interface AttemptFolder extends FolderRecord {
  /** The copy of `root`. */
  readonly path: string;
  /** The copy of `cwd`. */
  readonly workingFolder: string;
}

/** Where everything about one attempt is. */
export function folderPlace(id: string, home: string): string {
  return join(attemptsRoot(home), id);
}

export function withPaths(record: FolderRecord, home: string): AttemptFolder {
  const path = join(folderPlace(record.id, home), basename(record.root));
  return { ...record, path, workingFolder: join(path, relative(record.root, record.cwd)) };
}

export function writeFolderRecord(folder: FolderRecord, home: string): void {
  const { v, id, name, root, cwd, session, port, owner, groups, createdAt, state } = folder;
  const record: FolderRecord = { v, id, name, root, cwd, session, port, owner, groups, createdAt, state };
  const file = join(folderPlace(id, home), "record.json");
  writeWhole(file, `${JSON.stringify(record)}\n`, { existing: "replace", durable: false });
}

/** Undefined if there is none, or if it cannot be read. */
export function readFolderRecord(id: string, home: string): AttemptFolder | undefined {
  const read = readTextFile(join(folderPlace(id, home), "record.json"));
  const value = read.kind === "text" ? parsedJson(read.text) : undefined;
  if (!isRecord(value) || value.v !== 1 || value.id !== id) return undefined;
  const isText = (name: string) => typeof value[name] === "string" && value[name] !== "";
  if (!["name", "root", "cwd", "createdAt"].every(isText)) return undefined;
  if (!isRecord(value.owner) || typeof value.owner.pid !== "number" || !Array.isArray(value.groups)) return undefined;
  if (typeof value.port !== "number" || basename(value.root as string) === "") return undefined;
  return withPaths(value as unknown as FolderRecord, home);
}

/** Every folder on this machine, oldest first. `damaged`: without a record that can be read. */
export function listFolders(home: string): {
  readonly folders: readonly AttemptFolder[];
  readonly damaged: readonly string[];
} {
  const folders: AttemptFolder[] = [];
  const damaged: string[] = [];
  for (const item of itemsIn(attemptsRoot(home))) {
    if (!item.isDirectory() || !/^[0-9a-f]{12}$/.test(item.name)) continue;
    const folder = readFolderRecord(item.name, home);
    if (folder === undefined) damaged.push(item.name);
    else folders.push(folder);
  }
  folders.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.name < b.name ? -1 : 1));
  return { folders, damaged };
}

/** The attempt that a folder belongs to; undefined for every other folder. */
export function attemptPlace(cwd: string, home: string): AttemptFolder | undefined {
  const real = attempt(() => realpathSync(cwd));
  const realHome = attempt(() => realpathSync(home));
  if (real === undefined || realHome === undefined) return undefined;
  const id = attemptIdOf(real, realHome);
  return id === undefined ? undefined : readFolderRecord(id, realHome);
}
