/** How version 0.1.0 read a files record, unchanged: records written now must not be lost there. */
import { isRecord } from "../text/index.js";

/** The type of the custom entry that a checkpoint is. */
export const FILES_TYPE = "bough.files";

/**
 * What is at a path: a file by the SHA-256 of its content in hex, a symbolic link by its target, or nothing. Of the mode
 * only the executable bit is followed. `access` is there if the file gave less than 644: who could read and write it, in
 * octal. It does not make another file of it, but a restore never gives more.
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

/** Who changed the files: a tool, the person, a restore, or an attempt that was taken over. */
export const FILES_BY = ["tool", "person", "restore", "attempt"] as const;

/** Why a change is not in a checkpoint. */
export const FILES_SKIPPED = ["too-large", "not-stored", "unreadable", "special", "repository", "name"] as const;

export interface SkippedFile {
  readonly path: string;
  readonly why: (typeof FILES_SKIPPED)[number];
  readonly size?: number;
}

export interface FilesRecord {
  readonly v: 1;
  readonly by: (typeof FILES_BY)[number];
  /** The tools of the step, and their calls. */
  readonly tool?: string;
  readonly callIds?: readonly string[];
  readonly changes: readonly FileDelta[];
  /** The hash of a blob that holds the changes, if they are too many for a line; then `changes` is empty. */
  readonly changesIn?: string;
  readonly skipped?: readonly SkippedFile[];
}

const HASH = /^[0-9a-f]{64}$/;

/** Undefined for anything that is not a whole record: half of one would restore half of a step. */
export function filesRecord(data: unknown): FilesRecord | undefined {
  if (!isRecord(data) || data.v !== 1) return undefined;
  const { by, tool, callIds, changes, changesIn, skipped } = data;
  const author = FILES_BY.find((one) => one === by);
  const deltas = fileDeltas(changes);
  if (author === undefined || deltas === undefined) return undefined;
  if (changesIn !== undefined && !(typeof changesIn === "string" && HASH.test(changesIn))) return undefined;
  return {
    v: 1,
    by: author,
    ...(typeof tool === "string" ? { tool } : {}),
    ...(Array.isArray(callIds) ? { callIds: callIds.filter((id) => typeof id === "string") } : {}),
    changes: deltas,
    ...(changesIn === undefined ? {} : { changesIn }),
    ...(Array.isArray(skipped) ? { skipped: skipped.flatMap(skippedFile) } : {}),
  };
}

/** A list of changes, as it is in a record or in a blob. Undefined if any of them is not one. */
export function fileDeltas(value: unknown): readonly FileDelta[] | undefined {
  if (!Array.isArray(value)) return undefined;
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
 * Whether a path is below the root and is written in one way only: nothing absolute, no `..`, no empty part. Nothing in a
 * `.git` is a file of ours, in whatever case, because some file systems do not tell cases apart.
 */
export function isFilePath(path: string): boolean {
  if (path === "" || path.includes("\0") || path.includes("\\")) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !/^\.git$/i.test(part.trim()));
}

/** Whether two states are the same file, apart from what is not kept, such as times. */
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

function skippedFile(value: unknown): readonly SkippedFile[] {
  if (!isRecord(value) || typeof value.path !== "string") return [];
  const why = FILES_SKIPPED.find((one) => one === value.why);
  if (why === undefined) return [];
  return [{ path: value.path, why, ...(typeof value.size === "number" ? { size: value.size } : {}) }];
}
