/** Where imported lines go: into a new file that appears when it is complete, or after what a session file holds. */
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { FileLog, isLeftBehind, makeFolder, OWNER_MARK, WholeFile, writeError } from "@bough/session/log/index.js";

export interface EntrySink {
  /** Takes a line without its newline. */
  write(line: string): void;
  /** Everything is in place when this returns, and on the medium where that was asked for. */
  finish(): void;
  /** Gives up. A new file is gone; lines that were added to an old one stay. */
  abandon(): void;
}

/** Finishes what was written, or gives it up. */
export async function finishOrAbandon<T>(sink: EntrySink, write: () => Promise<T>): Promise<T> {
  try {
    const result = await write();
    sink.finish();
    return result;
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

/**
 * A file that is there whole or not at all, and never takes the place of another. One that is not durable is only looked
 * at: the disk is not waited for. What a killed process left in the same folder is removed first.
 */
export function newFileSink(path: string, { durable }: { readonly durable: boolean }): EntrySink {
  const failure = (cause: unknown): Error => writeError(path, cause);
  try {
    makeFolder(dirname(path));
    removeLeftFiles(dirname(path));
  } catch (cause) {
    throw failure(cause);
  }
  const file = new WholeFile(path, { existing: "refuse", durable, failure });
  return {
    write: (line) => file.write(`${line}\n`),
    finish() {
      file.moveIntoPlace();
      file.close();
    },
    abandon: () => file.close(),
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

/** Appends line by line, as every writer of a session does (keeps I1). Without a line it does not touch the file. */
export function appendSink(path: string): EntrySink {
  let log: FileLog | undefined;
  return {
    write(line) {
      log ??= openAtEnd(path);
      log.write(Buffer.from(`${line}\n`));
    },
    finish() {
      log?.sync();
      log?.close();
    },
    abandon: () => log?.close(),
  };
}

function openAtEnd(path: string): FileLog {
  const log = new FileLog(path, { access: "write" });
  log.accept(log.scan(0, () => {}));
  return log;
}
