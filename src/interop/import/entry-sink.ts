/** Where imported lines go: into a new file that appears when it is complete, or behind what a session file holds. */
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { FileLog, isLeftBehind, makeFolder, OWNER_MARK, ownerMark, writeError } from "../../log/index.js";

export interface EntrySink {
  /** Takes a line without its newline. */
  write(line: string): void;
  /** Everything is in place when this returns, and on the medium where that was asked for. */
  finish(): void;
  /** Gives up. A new file is gone; lines that were added to an old one stay. */
  abandon(): void;
}

/** Finishes what was written, or gives it up. */
export async function writeWhole<T>(sink: EntrySink, write: () => Promise<T>): Promise<T> {
  try {
    const result = await write();
    sink.finish();
    return result;
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

const BATCH = 1 << 20;

/**
 * A file that is there whole or not at all, and never takes the place of another. One that is not durable is only looked
 * at: the disk is not waited for. What a killed process left in the same folder is removed first.
 */
export function newFileSink(path: string, { durable }: { readonly durable: boolean }): EntrySink {
  const temporary = `${path}.${ownerMark()}.new`;
  let handle: number;
  try {
    makeFolder(dirname(path));
    removeLeftFiles(dirname(path));
    handle = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (cause) {
    throw writeError(path, cause);
  }
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  let batch: string[] = [];
  let size = 0;
  const flush = (): void => {
    const bytes = Buffer.from(batch.join(""));
    batch = [];
    size = 0;
    try {
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(handle, bytes, sent, bytes.length - sent);
    } catch (cause) {
      throw writeError(path, cause);
    }
  };
  return {
    write(line) {
      batch.push(line, "\n");
      size += line.length + 1;
      if (size >= BATCH) flush();
    },
    finish() {
      flush();
      if (durable) fsyncSync(handle);
      close();
      try {
        moveIntoPlace(temporary, path);
      } catch (cause) {
        throw writeError(path, cause);
      } finally {
        rmSync(temporary, { force: true });
      }
    },
    abandon() {
      close();
      rmSync(temporary, { force: true });
    },
  };
}

const LEFT_FILE = new RegExp(`\\.(${OWNER_MARK})\\.new$`);
const SWEPT = new Set<string>();

/** Each folder is looked through once. */
function removeLeftFiles(folder: string): void {
  if (SWEPT.has(folder)) return;
  SWEPT.add(folder);
  for (const name of readdirSync(folder)) {
    const mark = LEFT_FILE.exec(name)?.[1];
    if (mark !== undefined && isLeftBehind(mark)) rmSync(join(folder, name), { force: true });
  }
}

/** A rename would overwrite; a link does not. Where the disk has no links, a copy that refuses to. */
function moveIntoPlace(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as { code?: unknown }).code === "EEXIST") throw error;
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
  }
}

/** Appends line by line, as every writer of a session does (keeps I1). */
export function appendSink(path: string): EntrySink {
  const log = new FileLog(path, { access: "write" });
  log.accept(log.scan(0, () => {}));
  return {
    write(line) {
      log.write(Buffer.from(`${line}\n`));
    },
    finish() {
      log.sync();
      log.close();
    },
    abandon() {
      log.close();
    },
  };
}
