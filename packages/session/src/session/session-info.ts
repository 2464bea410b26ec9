/** What a list shows of a session. */
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
  /** Undefined if it has none, or if it is not near the start or the end of a large file: see `exact`. */
  readonly name: string | undefined;
  readonly created: Date;
  /** Time of the last entry; of the file if that cannot be read. */
  readonly modified: Date;
  /** Bytes. */
  readonly size: number;
  /** First words of the first prompt, or "". */
  readonly firstMessage: string;
  /** Undefined until counted: see `exactSessionInfo`. */
  readonly messageCount: number | undefined;
  /** Prompts of the user, on all branches. */
  readonly turnCount: number | undefined;
  readonly branchCount: number | undefined;
  readonly cost: SessionCost | undefined;
  /** Whether name, counts and cost are certain. Small files are read whole and always are. */
  readonly exact: boolean;
  /** The session of another program that it was made of. */
  readonly importedFrom: ImportedFrom | undefined;
}

/** How much of each end of a file is read. */
const END = 1 << 15;
const NEWLINE = 0x0a;
/** Used again for every file: a list of thousands must not leave as many buffers to the collector. */
const HEAD = Buffer.allocUnsafe(END);
const TAIL = Buffer.allocUnsafe(END);

/** What the ends of a file tell; undefined if it is not a session, or cannot be read, which `onUnreadable` is told. */
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
    // Where the last line is longer than what was read, an entry near the start says nothing about the end.
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
    // All of it has been read already: only an old dialect needs the file once more.
    return sessionVersion(header).kind === "old" ? exactSessionInfo(info) : withCounts(info, countBytes(ends.head));
  } catch {
    // Gone since its bytes were read: they were a session, and told enough for a list.
    return info;
  }
}

/** The same with name, counts and cost from the whole file. Reads bytes, parses only what it must. */
export function exactSessionInfo(info: SessionInfo): SessionInfo {
  return withCounts(info, countSession(info.path));
}

function withCounts(info: SessionInfo, counts: SessionCounts): SessionInfo {
  return { ...info, ...counts, exact: true };
}

/** Counts in a whole session file. Throws if it cannot be read. */
export function countSession(path: string): SessionCounts {
  const { log } = openLog(path, { access: "read" });
  try {
    return countLog(log);
  } finally {
    log.close();
  }
}

function countBytes(bytes: Buffer): SessionCounts {
  const log = new MemoryLog({ access: "read" });
  log.fill(bytes);
  return countLog(log);
}

/** Bytes of the file, valid until the next one is read. A small one has no tail: its head is the whole. */
interface Ends {
  readonly head: Buffer;
  readonly tail: Buffer | undefined;
}

function readEnds(file: SessionFileStat, onUnreadable: OnUnreadable | undefined): Ends | undefined {
  let fd: number;
  try {
    fd = openSync(file.path, "r");
  } catch (error) {
    // Gone since the folder was read, or not ours to read: a list leaves it out.
    tellUnreadable(file.path, error, onUnreadable);
    return undefined;
  }
  try {
    const head = HEAD.subarray(0, readSync(fd, HEAD, 0, Math.min(END, file.size), 0));
    if (file.size <= END) return { head, tail: undefined };
    const start = Math.max(END, file.size - END);
    const tail = TAIL.subarray(0, readSync(fd, TAIL, 0, file.size - start, start));
    return { head, tail: tail.subarray(tail.indexOf(NEWLINE) + 1) };
  } catch (error) {
    // The disk does not give the bytes.
    tellUnreadable(file.path, error, onUnreadable);
    return undefined;
  } finally {
    closeSync(fd);
  }
}

function tellUnreadable(path: string, cause: unknown, onUnreadable: OnUnreadable | undefined): void {
  if (onUnreadable === undefined || (cause as NodeJS.ErrnoException).code === "ENOENT") return;
  const hint = `Check its owner: ls -l ${path}`;
  onUnreadable(
    new SessionError("read-failed", `Cannot read the session: ${path}`, { data: { path }, hint, cause }),
    path,
  );
}
