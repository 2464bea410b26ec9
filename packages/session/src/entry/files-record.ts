/**
 * `bough.files`: the files that a step changed, each with its state before and after. Read from files that anyone may
 * have written.
 */
import { isRecord } from "../text/index.js";

/** The `customType` of the entry for a checkpoint. */
export const FILES_TYPE = "bough.files";

/**
 * The state of a path: a file by the SHA-256 of its content in hex, a symbolic link by its target, or nothing. Of the
 * mode, only the executable bit is recorded. `access` is set if the permissions were narrower than 644: who could read
 * and write the file, in octal. It does not make the file a different one, but a restore never grants more.
 */
export type FileState =
  | { readonly hash: string; readonly mode: "644" | "755"; readonly size: number; readonly access?: string }
  | { readonly link: string }
  | null;

export interface FileDelta {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

/** Who changed the files: a tool, the user, a restore, or an attempt that was adopted. */
const FILES_BY = ["tool", "person", "restore", "attempt"] as const;

/** Why a change is not in a checkpoint. */
export const FILES_SKIPPED = ["too-large", "not-stored", "unreadable", "special", "repository", "name"] as const;

export interface SkippedFile {
  readonly path: string;
  readonly why: (typeof FILES_SKIPPED)[number];
  readonly size?: number;
}

/** Another session in the same folder, and those of its calls that ran at the time. */
export interface OtherSession {
  /** The ID of the session. */
  readonly session: string;
  readonly callIds?: readonly string[];
}

/** Merges duplicates: each session once, with all of its calls. */
export function joinedSessions(others: readonly OtherSession[]): readonly OtherSession[] {
  const calls = new Map<string, Set<string>>();
  for (const { session, callIds = [] } of others) {
    calls.set(session, new Set([...(calls.get(session) ?? []), ...callIds]));
  }
  return [...calls].map(([session, ids]) => (ids.size === 0 ? { session } : { session, callIds: [...ids] }));
}

export interface FilesRecord {
  readonly v: 1;
  /**
   * Anyone except this session's tools, such as another session, is a `person`: 0.1.0 drops a record with an unknown
   * value.
   */
  readonly by: (typeof FILES_BY)[number];
  /** The tools of the step, and their calls. */
  readonly tool?: string;
  readonly callIds?: readonly string[];
  /** Calls of this session that ran while a person or another session made the changes. */
  readonly during?: readonly string[];
  /**
   * Other sessions that made, or may have made, the changes: going back keeps these files unless the user decides
   * otherwise.
   */
  readonly with?: readonly OtherSession[];
  readonly changes: readonly FileDelta[];
  /** The hash of a blob that holds the changes, if they are too many for a line; then `changes` is empty. */
  readonly changesIn?: string;
  readonly skipped?: readonly SkippedFile[];
  /**
   * Folders that exist independently of their files: they were empty before these files were added, or are empty now
   * that these files are gone. A restore keeps them; every other folder is removed with its last file.
   */
  readonly folders?: readonly string[];
  /** The changes were brought from another branch. */
  readonly brought?: BroughtFiles;
}

/** Where changes of another branch came from: the end of a merged branch, or the records of picked steps. */
export interface BroughtFiles {
  readonly via: "merge" | "cherry-pick";
  readonly from: readonly string[];
  /** Paths that were left as they were, because they decide what runs or a content was missing: a later merge has them. */
  readonly left?: readonly string[];
}

const HASH = /^[0-9a-f]{64}$/;

/** A step changes at most twice as many files as a recorded folder may have. A longer list is rejected. */
export const MOST_CHANGES = 1_000_000;

/** Whether a value claims to be a record with too many changes. */
export function hasTooManyChanges(data: unknown): boolean {
  return isRecord(data) && Array.isArray(data.changes) && data.changes.length > MOST_CHANGES;
}

/** Undefined for anything that is not a complete record: a partial one would restore only part of a step. */
export function filesRecord(data: unknown): FilesRecord | undefined {
  if (!isRecord(data) || data.v !== 1) return undefined;
  const { by, tool, callIds, during, with: others, changes, changesIn, skipped, folders, brought } = data;
  const author = FILES_BY.find((one) => one === by);
  const deltas = fileDeltas(changes);
  if (author === undefined || deltas === undefined) return undefined;
  if (changesIn !== undefined && !(typeof changesIn === "string" && HASH.test(changesIn))) return undefined;
  return {
    v: 1,
    by: author,
    ...(typeof tool === "string" ? { tool } : {}),
    ...(Array.isArray(callIds) ? { callIds: callIds.filter((id) => typeof id === "string") } : {}),
    ...(Array.isArray(during) ? { during: during.filter((id) => typeof id === "string") } : {}),
    ...(Array.isArray(others) ? { with: others.flatMap(otherSession) } : {}),
    changes: deltas,
    ...(changesIn === undefined ? {} : { changesIn }),
    ...(Array.isArray(skipped) ? { skipped: skipped.flatMap(skippedFile) } : {}),
    ...(Array.isArray(folders) ? { folders: folders.filter(isPath) } : {}),
    ...broughtFiles(brought),
  };
}

function broughtFiles(value: unknown): Pick<FilesRecord, "brought"> {
  if (!isRecord(value) || !Array.isArray(value.from)) return {};
  const { via, left } = value;
  if (via !== "merge" && via !== "cherry-pick") return {};
  const from = value.from.filter((id) => typeof id === "string");
  return { brought: { via, from, ...(Array.isArray(left) ? { left: left.filter(isPath) } : {}) } };
}

function isPath(value: unknown): value is string {
  return typeof value === "string" && isFilePath(value);
}

/** A list of changes, from a record or a blob. Undefined if any of them is invalid, or if there are too many. */
export function fileDeltas(value: unknown): readonly FileDelta[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_CHANGES) return undefined;
  const deltas: FileDelta[] = [];
  for (const item of value) {
    if (!isRecord(item) || typeof item.path !== "string" || !isFilePath(item.path)) return undefined;
    const [before, after] = [fileState(item.before), fileState(item.after)];
    if (before === undefined || after === undefined) return undefined;
    deltas.push({ path: item.path, before, after });
  }
  return deltas;
}

/**
 * Whether a path is below the root and normalized: nothing absolute, no `..`, no empty part. Nothing in a `.git` folder
 * counts as our file, in upper or lower case, because some file systems are case-insensitive.
 */
export function isFilePath(path: string): boolean {
  if (path === "" || path.includes("\0") || path.includes("\\")) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !/^\.git$/i.test(part.trim()));
}

/** Whether two states are the same file, ignoring anything not recorded, such as times. */
export function sameFile(a: FileState, b: FileState): boolean {
  if (a === null || b === null) return a === b;
  if ("link" in a || "link" in b) return "link" in a && "link" in b && a.link === b.link;
  return a.hash === b.hash && a.mode === b.mode;
}

function fileState(value: unknown): FileState | undefined {
  if (value === null) return null;
  if (!isRecord(value)) return undefined;
  const { hash, mode, size, link, access } = value;
  if (typeof link === "string") return link === "" || link.includes("\0") ? undefined : { link };
  if (typeof hash !== "string" || !HASH.test(hash) || (mode !== "644" && mode !== "755")) return undefined;
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return undefined;
  if (access === undefined) return { hash, mode, size };
  return typeof access === "string" && /^[0246]{3}$/.test(access) ? { hash, mode, size, access } : undefined;
}

function otherSession(value: unknown): readonly OtherSession[] {
  if (!isRecord(value) || typeof value.session !== "string") return [];
  const { session, callIds } = value;
  return [{ session, ...(Array.isArray(callIds) ? { callIds: callIds.filter((id) => typeof id === "string") } : {}) }];
}

function skippedFile(value: unknown): readonly SkippedFile[] {
  if (!isRecord(value) || typeof value.path !== "string") return [];
  const why = FILES_SKIPPED.find((one) => one === value.why);
  if (why === undefined) return [];
  return [{ path: value.path, why, ...(typeof value.size === "number" ? { size: value.size } : {}) }];
}
