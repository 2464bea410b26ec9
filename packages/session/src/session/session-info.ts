/** The data that a list shows for a session. */
import { closeSync, openSync, readSync } from "node:fs";
import { SessionError } from "../entry/index.js";
import { sessionVersion } from "../entry/internal.js";
import { MemoryLog } from "../log/index.js";
import { countLog, type SessionCounts } from "./list/count-log.js";
import {
  endFacts,
  type ImportedFrom,
  importedFrom,
  lastTime,
  promptInCutLine,
  timeOf,
  titleOf,
} from "./list/end-records.js";
import type { SessionCost } from "./list/line-usage.js";
import type { SessionFileStat } from "./most-recent.js";
import { openLog } from "./open/open-log.js";
import type { OnUnreadable } from "./sessions-folder.js";

export interface SessionInfo {
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly parentSession: string | undefined;
  /** Undefined if it has none, or if the name is not near the start or the end of a large file: see `exact`. */
  readonly name: string | undefined;
  readonly created: Date;
  /** Time of the last entry, or of the file if that is unreadable. */
  readonly modified: Date;
  /** In bytes. */
  readonly size: number;
  /** The start of the first prompt, or "". */
  readonly firstMessage: string;
  /** Undefined until counted: see `exactSessionInfo`. */
  readonly messageCount: number | undefined;
  /** User prompts, on all branches. */
  readonly turnCount: number | undefined;
  readonly branchCount: number | undefined;
  readonly cost: SessionCost | undefined;
  /** Whether name, counts and cost are certain. Always true for small files, which are read whole. */
  readonly exact: boolean;
  /** The session of another program that it was imported from. */
  readonly importedFrom: ImportedFrom | undefined;
}

/** How much of each end of a file is read. */
const END = 1 << 15;
const NEWLINE = 0x0a;
/** Reused for every file: listing thousands must not leave thousands of buffers to the garbage collector. */
const HEAD = Buffer.allocUnsafe(END);
const TAIL = Buffer.allocUnsafe(END);

/**
 * The facts in both ends of a file; undefined if it is not a session or cannot be read, which is reported to
 * `onUnreadable`.
 */
export function sessionInfo(file: SessionFileStat, onUnreadable?: OnUnreadable): SessionInfo | undefined {
  const ends = readEnds(file, onUnreadable);
  if (ends === undefined) return undefined;
  const head = endFacts(ends.head);
  if (head.header === undefined) return undefined;
  const { header } = head;
  const tail = ends.tail === undefined ? head : endFacts(ends.tail);
  const info: SessionInfo = {
    path: file.path,
    id: header.id,
    cwd: typeof header.cwd === "string" ? header.cwd : "",
    parentSession: typeof header.parentSession === "string" ? header.parentSession : undefined,
    name: tail.name ?? head.name ?? head.title ?? titleOf(header),
    created: timeOf(header.timestamp) ?? new Date(file.modifiedMs),
    // If the last line is longer than the part read, an entry near the start says nothing about the end.
    modified: lastTime(ends.tail ?? ends.head) ?? new Date(file.modifiedMs),
    size: file.size,
    firstMessage: head.prompt ?? promptInCutLine(ends.head),
    messageCount: undefined,
    turnCount: undefined,
    branchCount: undefined,
    cost: undefined,
    exact: false,
    importedFrom: importedFrom(header),
  };
  if (ends.tail !== undefined) return info;
  try {
    // The whole file has been read already; only an old dialect needs it again.
    return sessionVersion(header).kind === "old" ? exactSessionInfo(info) : withCounts(info, countBytes(ends.head));
  } catch {
    // Gone since its bytes were read; they are enough for a list.
    return info;
  }
}

/** Like `sessionInfo`, with name, counts and cost from the whole file. Reads bytes and parses only what it must. */
export function exactSessionInfo(info: SessionInfo): SessionInfo {
  return withCounts(info, countSession(info.path));
}

function withCounts(info: SessionInfo, counts: SessionCounts): SessionInfo {
  return { ...info, ...counts, exact: true };
}

/** Counts a whole session file. Throws if it cannot be read. */
export function countSession(path: string): SessionCounts {
  const { log } = openLog(path, { access: "read" });
  try {
    return countLog(log);
  } finally {
    log.close();
  }
}

/** Like `countSession`, for the bytes of one in the current version. */
export function countBytes(bytes: Buffer): SessionCounts {
  const log = new MemoryLog({ access: "read" });
  log.fill(bytes);
  return countLog(log);
}

/** Bytes of the file, valid until the next file is read. A small file has no tail: the head is the whole file. */
interface Ends {
  readonly head: Buffer;
  readonly tail: Buffer | undefined;
}

function readEnds(file: SessionFileStat, onUnreadable: OnUnreadable | undefined): Ends | undefined {
  let fd: number;
  try {
    fd = openSync(file.path, "r");
  } catch (error) {
    // Gone since the folder was read, or no permission: a list skips it.
    reportUnreadable(file.path, error, onUnreadable);
    return undefined;
  }
  try {
    const head = HEAD.subarray(0, readSync(fd, HEAD, 0, Math.min(END, file.size), 0));
    if (file.size <= END) return { head, tail: undefined };
    const start = Math.max(END, file.size - END);
    const tail = TAIL.subarray(0, readSync(fd, TAIL, 0, file.size - start, start));
    return { head, tail: tail.subarray(tail.indexOf(NEWLINE) + 1) };
  } catch (error) {
    // A read error of the disk.
    reportUnreadable(file.path, error, onUnreadable);
    return undefined;
  } finally {
    closeSync(fd);
  }
}

function reportUnreadable(path: string, cause: unknown, onUnreadable: OnUnreadable | undefined): void {
  if (onUnreadable === undefined || (cause as NodeJS.ErrnoException).code === "ENOENT") return;
  const hint = `Check its owner: ls -l ${path}`;
  onUnreadable(
    new SessionError("read-failed", `Cannot read the session: ${path}`, { data: { path }, hint, cause }),
    path,
  );
}
