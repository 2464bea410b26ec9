/** Targets of imported lines: a new file that appears only when complete, or the end of an existing session file. */
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { FileLog, isLeftBehind, makeFolder, OWNER_MARK, WholeFile, writeError } from "@bough/session/log/index.js";

export interface EntrySink {
  /** Writes a line, given without its newline. */
  write(line: string): void;
  /** When this returns, everything is in place and, if durable, on disk. */
  finish(): void;
  /** Gives up: removes a new file, but keeps lines already appended to an existing one. */
  abandon(): void;
}

/** Finishes the sink, or abandons it if `write` fails. */
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
 * Creates a file atomically, without replacing an existing one. Does not wait for the disk unless `durable` is set.
 * First removes files that a killed process left in the same folder.
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

/** Checks each folder only once. */
function removeLeftFiles(folder: string): void {
  if (SWEPT.has(folder)) return;
  SWEPT.add(folder);
  for (const name of readdirSync(folder)) {
    const mark = LEFT_FILE.exec(name)?.[1];
    if (mark !== undefined && isLeftBehind(mark)) rmSync(join(folder, name), { force: true });
  }
}

/** Characters gathered before they become bytes. */
const BATCH = 1 << 20;

/** Keeps the lines in memory. */
export class MemorySink implements EntrySink {
  readonly #blocks: Buffer[] = [];
  #batch = "";

  write(line: string): void {
    this.#batch += `${line}\n`;
    if (this.#batch.length >= BATCH) this.finish();
  }

  finish(): void {
    if (this.#batch !== "") this.#blocks.push(Buffer.from(this.#batch));
    this.#batch = "";
  }

  abandon(): void {
    this.#blocks.length = 0;
    this.#batch = "";
  }

  bytes(): Buffer {
    return Buffer.concat(this.#blocks);
  }
}

/**
 * Appends line by line, as every writer of a session does (keeps I1). Does not touch the file if nothing is written.
 */
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
