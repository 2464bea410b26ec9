/** Decides how a log is opened: as it is, upgraded, or read-only, and why. */
import type { Stats } from "node:fs";
import { SessionError, type SessionHeader } from "../../entry/index.js";
import { sessionVersion } from "../../entry/internal.js";
import { type Durability, FileLog, type Log, statsOf } from "../../log/index.js";
import { recordIn, wholeLine } from "../scan/line-text.js";
import { upgradeFile, upgradeInMemory, whileUpgrading } from "./upgrade-file.js";

/** Why a session cannot be written to. */
export type ReadOnlyReason =
  | { readonly kind: "asked" }
  | { readonly kind: "future-version"; readonly version: unknown }
  /** A log that is not a file, so that its upgrade cannot replace it. */
  | { readonly kind: "old-version"; readonly version: number }
  | { readonly kind: "no-header" };

/** Says why a session cannot be written to, and what to do about it. */
export interface ReadOnlyText {
  readonly message: string;
  readonly hint: string;
}

export type ExplainedReadOnly = ReadOnlyReason & ReadOnlyText;

export interface OpenedLog {
  readonly log: Log;
  readonly readOnly: ReadOnlyReason | undefined;
  /** The copy of the original, if the file was upgraded on disk. */
  readonly backup?: string;
}

interface OpenLogOptions {
  readonly access: "read" | "write";
  readonly durability?: Durability;
}

export function openLog(path: string, options: OpenLogOptions): OpenedLog {
  const asked: ReadOnlyReason | undefined = options.access === "read" ? { kind: "asked" } : undefined;
  const stats = statsAt(path);
  if (stats === undefined && asked === undefined) return { log: new FileLog(path, options), readOnly: undefined };
  if (stats?.isDirectory()) {
    throw new SessionError("is-directory", `${path} is a folder, not a session file`, { data: { path } });
  }
  // A pipe might never open, and a device never end.
  if (stats?.isFile() === false) {
    throw new SessionError("not-a-session", `${path} is not a regular file`, { data: { path } });
  }
  const header = withLog(path, headerIn);
  if (header === undefined) return { log: new FileLog(path, options), readOnly: asked };
  const version = sessionVersion(header);
  if (version.kind === "unknown") {
    return {
      log: new FileLog(path, { access: "read" }),
      readOnly: { kind: "future-version", version: version.version },
    };
  }
  if (version.kind === "current") return { log: new FileLog(path, options), readOnly: asked };
  if (asked !== undefined) {
    return { log: withLog(path, (source) => upgradeInMemory(source, header, "read")), readOnly: asked };
  }
  return whileUpgrading(path, (file) => {
    // Another program may have upgraded it in the meantime.
    const present = withLog(file, headerIn);
    const isOld = present !== undefined && sessionVersion(present).kind === "old";
    const backup = isOld ? upgradeFile(file, present) : undefined;
    return { log: new FileLog(path, options), readOnly: undefined, ...(backup === undefined ? {} : { backup }) };
  });
}

/**
 * Like `openLog`, for a log that is not a file. One of an old version is read from its upgrade in memory; with
 * `upgrade: "write"` that becomes the session, otherwise it is read-only.
 */
export function openGivenLog(log: Log, options: GivenLogOptions): OpenedLog {
  const asked: ReadOnlyReason | undefined = options.readOnly || !log.writable ? { kind: "asked" } : undefined;
  const header = log.size() === 0 ? undefined : headerIn(log);
  const version = header === undefined ? undefined : sessionVersion(header);
  if (version?.kind === "unknown") return { log, readOnly: { kind: "future-version", version: version.version } };
  if (header === undefined || version?.kind !== "old") return { log, readOnly: asked };
  const upgraded = upgradeInMemory(log, header, options.upgrade);
  log.close();
  const old: ReadOnlyReason = { kind: "old-version", version: version.version };
  return { log: upgraded, readOnly: asked ?? (options.upgrade === "read" ? old : undefined) };
}

interface GivenLogOptions {
  readonly readOnly: boolean;
  readonly upgrade: "read" | "write";
}

const HEAD = 1 << 16;
const HEADER_LINES = 8;
const NEWLINE = 0x0a;

/** The header, searched for in the first lines only: enough for every undamaged file. */
export function peekHeader(path: string): SessionHeader | undefined {
  return withLog(path, firstHeader);
}

function withLog<Result>(path: string, read: (log: FileLog) => Result): Result {
  const log = new FileLog(path, { access: "read" });
  try {
    return read(log);
  } finally {
    log.close();
  }
}

/** The header, wherever it is: the version it names also applies to the lines above it. */
export function headerIn(log: Log): SessionHeader | undefined {
  return firstHeader(log) ?? lateHeader(log);
}

function firstHeader(log: Log): SessionHeader | undefined {
  return headerAtStart(log.readAt(0, HEAD));
}

/** The header in the first lines of a log. */
export function headerAtStart(bytes: Buffer): SessionHeader | undefined {
  let start = 0;
  for (let lines = 0; lines < HEADER_LINES && start < bytes.length; lines++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const record = recordIn(bytes.subarray(start, end));
    if (record.kind === "header") return record.header;
    start = end + 1;
  }
  return undefined;
}

/** The header of a log that has it further down. Reads the whole log. */
function lateHeader(log: Log): SessionHeader | undefined {
  let header: SessionHeader | undefined;
  log.scan(0, (line) => {
    if (header !== undefined || line.length > HEAD || !line.bytes.subarray(line.start, line.end).includes(SESSION))
      return;
    const record = recordIn(wholeLine(log, line));
    if (record.kind === "header") header = record.header;
  });
  return header;
}

const SESSION = '"session"';

function statsAt(path: string): Stats | undefined {
  try {
    return statsOf(path);
  } catch (cause) {
    throw new SessionError("read-failed", `Could not access ${path}`, {
      data: { path, systemCode: (cause as { code?: unknown }).code },
      hint: "Check that you have access to every folder in the path.",
      cause,
    });
  }
}

/** The reason in a sentence, and what to do about it. */
export function readOnlySentence(reason: ReadOnlyReason): ReadOnlyText {
  switch (reason.kind) {
    case "asked":
      return { message: "This session was opened read-only", hint: "Open it for writing." };
    case "future-version":
      return {
        message: `This session was written in version ${String(reason.version)} of the format, which is newer than this program`,
        hint: "Update Bough to continue it; until then it is read-only.",
      };
    case "old-version":
      return {
        message: `This session is in version ${reason.version} of the format, and its log cannot be upgraded in place`,
        hint: "Write the lines from toLines(), which are upgraded, to a new log and open that.",
      };
    case "no-header":
      return {
        message: "The header of this session is unreadable, so the session is read-only",
        hint: "Repair it into a new file, or fork from an entry.",
      };
  }
}
