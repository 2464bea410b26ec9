/**
 * Upgrades old files to version 3: once and on disk when opened for writing, in memory when opened read-only.
 *
 * On disk: a new file next to the old one is written, counted, opened, synced and moved into place; the original is
 * kept as `<name>.v<N>.bak`. If anything fails, the original is still in place. Programs that open the same file at
 * once take turns, and all but the first find it upgraded. Anything that a program unaware of this appends to the old
 * file at the last moment is added to the new one.
 */
import { constants } from "node:buffer";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  constants as fsConstants,
  linkSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { parseRecord, SessionError, type SessionHeader } from "../../entry/index.js";
import { createUpgrade } from "../../entry/internal.js";
import {
  FileLog,
  hasNoLinks,
  type Log,
  MemoryLog,
  type ScannedLine,
  WholeFile,
  withFileLockSync,
} from "../../log/index.js";
import { SessionStore } from "../session-store.js";

const BATCH = 1 << 20;
/** Upgrading a gigabyte takes less. */
const PATIENCE_MS = 120_000;

/** Runs `work` while no other program upgrades the file at `path`. Links are followed: `work` gets the target file. */
export function whileUpgrading<Result>(path: string, work: (file: string) => Result): Result {
  const file = realpathSync(path);
  const name = `upgrade-${createHash("sha256").update(basename(file)).digest("hex").slice(0, 16)}`;
  let hasBegun = false;
  try {
    return withFileLockSync({ folder: dirname(file), name, patience: PATIENCE_MS, busy: () => isBusy(path) }, () => {
      hasBegun = true;
      return work(file);
    });
  } catch (cause) {
    if (hasBegun || cause instanceof SessionError) throw cause;
    throw cannotWriteBeside(path, cause);
  }
}

/**
 * Upgrades the file at `path`; returns the path of the copy of the original. `check` throws if the new file does not
 * open.
 */
export function upgradeFile(path: string, header: SessionHeader, check = assertOpens): string {
  const source = new FileLog(path, { access: "read" });
  const target = openTarget(path);
  let backup: string | undefined;
  try {
    const upgrade = createUpgrade(JSON.stringify(header));
    const { records: before, end: size } = upgradeLines(source, { upgrade, send: (bytes) => target.write(bytes) });
    target.flush();
    const after = countRecords(target.temporary);
    if (after !== before) {
      throw new SessionError("upgrade-failed", `Upgrading ${path} gave ${after} records instead of ${before}`, {
        data: { path, before, after },
        hint: "The session can still be opened read-only.",
      });
    }
    check(target.temporary, header);
    const copy = backupName(path, header.version ?? 1);
    keepOriginal(path, copy);
    backup = copy;
    if (statSync(path).size !== size || statSync(backup).size !== size) {
      throw new SessionError("upgrade-failed", `${path} changed while it was upgraded`, {
        hint: "Another program is writing it; try again.",
      });
    }
    target.moveIntoPlace();
    backup = undefined;
    upgradeLines(source, { upgrade, from: size, send: (bytes) => appendFileSync(path, bytes) });
    return copy;
  } catch (cause) {
    if (backup !== undefined) rmSync(backup, { force: true });
    if (cause instanceof SessionError) throw cause;
    throw new SessionError("upgrade-failed", `Could not upgrade ${path}`, {
      data: { path },
      hint: "Nothing was changed; the session can still be opened read-only.",
      cause,
    });
  } finally {
    target.close();
    source.close();
  }
}

/**
 * Opens the upgraded file as a session would, including its leaf, so that the original is never replaced by a broken
 * file.
 */
function assertOpens(path: string, header: SessionHeader): void {
  const log = new FileLog(path, { access: "read" });
  try {
    const store = new SessionStore(log, { header, now: () => new Date(0) });
    if (store.index.header === undefined) throw new Error("the upgraded file has no header");
  } finally {
    log.close();
  }
}

function openTarget(path: string): WholeFile {
  try {
    return new WholeFile(path, { existing: "replace", durable: true });
  } catch (cause) {
    throw cannotWriteBeside(path, cause);
  }
}

function cannotWriteBeside(path: string, cause: unknown): SessionError {
  return new SessionError("upgrade-failed", `Could not write beside ${path}, so it was not upgraded`, {
    data: { path },
    hint: "Open it read-only, or copy it to a folder you can write to.",
    cause,
  });
}

function isBusy(path: string): SessionError {
  return new SessionError("upgrade-failed", `Another program has been upgrading ${path} for two minutes`, {
    data: { path },
    hint: "Nothing was changed. Try again when it is done, or open the session read-only.",
  });
}

/**
 * A hard link keeps the old file itself: a program that still has it open appends to the copy, not to a file without a
 * name.
 */
function keepOriginal(path: string, copy: string): void {
  try {
    linkSync(path, copy);
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    copyFileSync(path, copy, fsConstants.COPYFILE_EXCL);
  }
}

/** The upgraded lines of an old log, in memory. */
export function upgradeInMemory(source: Log, header: SessionHeader, access: "read" | "write"): MemoryLog {
  const log = new MemoryLog({ access });
  upgradeLines(source, { upgrade: createUpgrade(JSON.stringify(header)), send: (bytes) => log.fill(bytes) });
  return log;
}

/** Sends the upgraded lines in batches; returns the number of records and the end offset of the original. */
function upgradeLines(
  source: Log,
  { upgrade, send, from = 0 }: UpgradeLinesOptions,
): { readonly records: number; readonly end: number } {
  let records = 0;
  let batch: Buffer[] = [];
  let size = 0;
  const flush = () => {
    if (size > 0) send(Buffer.concat(batch));
    batch = [];
    size = 0;
  };
  const { end } = source.scan(from, (line) => {
    const text = textOf(source, line);
    const upgraded = text === undefined ? undefined : upgrade.upgradeLine(text);
    // An unchanged line keeps its bytes, so damage and odd encodings are preserved.
    const bytes =
      upgraded === undefined || upgraded === text ? rawBytes(source, line) : Buffer.from(upgraded, "latin1");
    if (upgraded !== undefined && parseRecord(upgraded).kind !== "bad") records += 1;
    batch.push(bytes);
    if (line.terminated) batch.push(Buffer.from("\n"));
    size += bytes.length + 1;
    if (size >= BATCH) flush();
  });
  flush();
  return { records, end };
}

interface UpgradeLinesOptions {
  readonly upgrade: ReturnType<typeof createUpgrade>;
  readonly send: (bytes: Buffer) => void;
  /** Where to start; everything before it is upgraded already. */
  readonly from?: number;
}

function countRecords(path: string): number {
  const log = new FileLog(path, { access: "read" });
  let records = 0;
  try {
    log.scan(0, (line) => {
      const text = textOf(log, line);
      if (text !== undefined && parseRecord(text).kind !== "bad") records += 1;
    });
  } finally {
    log.close();
  }
  return records;
}

/** One character per byte: the edits are ASCII, and bytes that are not UTF-8 are preserved. */
function textOf(log: Log, line: ScannedLine): string | undefined {
  const bytes = rawBytes(log, line);
  return bytes.length > constants.MAX_STRING_LENGTH ? undefined : bytes.toString("latin1");
}

function rawBytes(log: Log, line: ScannedLine): Buffer {
  const complete = line.length === line.end - line.start;
  return Buffer.from(complete ? line.bytes.subarray(line.start, line.end) : log.readAt(line.offset, line.length));
}

function backupName(path: string, version: number): string {
  for (let i = 0; ; i++) {
    const name = `${path}.v${version}.bak${i === 0 ? "" : `.${i}`}`;
    if (!existsSync(name)) return name;
  }
}
