/**
 * Old files become version 3: once and on disk when opened for writing, in memory when opened for reading.
 *
 * On disk: a new file next to the old one, counted, opened, synced and moved into place; the original stays as
 * `<name>.v<N>.bak`. Whatever goes wrong, the original is where it was.
 */
import { constants } from "node:buffer";
import { copyFileSync, existsSync, constants as fsConstants, rmSync, statSync } from "node:fs";
import { parseRecord, SessionError, type SessionHeader } from "../../entry/index.js";
import { createUpgrade } from "../../entry/internal.js";
import { FileLog, type Log, MemoryLog, type ScannedLine, WholeFile } from "../../log/index.js";
import { SessionStore } from "../session-store.js";

const BATCH = 1 << 20;

/** Upgrades the file at `path`; returns the path of the original's copy. `check` throws if the new file does not open. */
export function upgradeFile(path: string, header: SessionHeader, check = assertOpens): string {
  const source = new FileLog(path, { access: "read" });
  const target = openTarget(path);
  let backup: string | undefined;
  try {
    const { records: before, size } = upgradeLines(source, header, (bytes) => target.write(bytes));
    target.flush();
    const after = countRecords(target.temporary);
    if (after !== before) {
      throw new SessionError("upgrade-failed", `Upgrading ${path} gave ${after} records instead of ${before}`, {
        data: { path, before, after },
        hint: "The session can still be opened for reading.",
      });
    }
    check(target.temporary, header);
    const copy = backupName(path, header.version ?? 1);
    copyFileSync(path, copy, fsConstants.COPYFILE_EXCL);
    backup = copy;
    if (statSync(path).size !== size || statSync(backup).size !== size) {
      throw new SessionError("upgrade-failed", `${path} changed while it was upgraded`, {
        hint: "Another program is writing it; try again.",
      });
    }
    target.moveIntoPlace();
    return backup;
  } catch (cause) {
    if (backup !== undefined) rmSync(backup, { force: true });
    if (cause instanceof SessionError) throw cause;
    throw new SessionError("upgrade-failed", `Could not upgrade ${path}`, {
      data: { path },
      hint: "Nothing was changed; the session can still be opened for reading.",
      cause,
    });
  } finally {
    target.close();
    source.close();
  }
}

/** Opens the upgraded file as a session would, its leaf included: the original is not replaced by less. */
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
    throw new SessionError("upgrade-failed", `Could not write beside ${path}, so it was not upgraded`, {
      data: { path },
      hint: "Open it read-only, or copy it to a folder you can write to.",
      cause,
    });
  }
}

/** The upgraded lines of an old log, in memory. */
export function upgradeInMemory(source: Log, header: SessionHeader, access: "read" | "write"): MemoryLog {
  const log = new MemoryLog({ access });
  upgradeLines(source, header, (bytes) => log.fill(bytes));
  return log;
}

/** Sends the upgraded file on in batches; returns how many records and bytes the original has. */
function upgradeLines(
  source: Log,
  header: SessionHeader,
  send: (bytes: Buffer) => void,
): { readonly records: number; readonly size: number } {
  const upgrade = createUpgrade(JSON.stringify(header));
  let records = 0;
  let batch: Buffer[] = [];
  let size = 0;
  const flush = () => {
    if (size > 0) send(Buffer.concat(batch));
    batch = [];
    size = 0;
  };
  const { end } = source.scan(0, (line) => {
    const text = textOf(source, line);
    const upgraded = text === undefined ? undefined : upgrade.upgradeLine(text);
    // A line that does not change keeps its bytes: damage and odd encodings stay as they are.
    const bytes =
      upgraded === undefined || upgraded === text ? rawBytes(source, line) : Buffer.from(upgraded, "latin1");
    if (upgraded !== undefined && parseRecord(upgraded).kind !== "bad") records += 1;
    batch.push(bytes);
    if (line.terminated) batch.push(Buffer.from("\n"));
    size += bytes.length + 1;
    if (size >= BATCH) flush();
  });
  flush();
  return { records, size: end };
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

/** One character per byte: the edits are ASCII, and bytes that are not UTF-8 come out as they went in. */
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
