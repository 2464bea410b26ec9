import type { LineVisitor, Log, LogState, ScanEnd, ScannedLine } from "../../log/index.js";

/** A log that also passes its lines to an observer during the first scan, so that one pass serves both. */
export class TappedLog implements Log {
  readonly #log: Log;
  readonly #tap: LineVisitor;
  #isDone = false;

  constructor(log: Log, tap: LineVisitor) {
    this.#log = log;
    this.#tap = tap;
  }

  /** In the first scan, the tap sees each line before `visit` does. */
  scan(from: number, visit: LineVisitor): ScanEnd {
    if (this.#isDone) return this.#log.scan(from, visit);
    this.#isDone = true;
    return this.#log.scan(from, (line) => {
      this.#tap(line);
      visit(line);
    });
  }

  get writable(): boolean {
    return this.#log.writable;
  }

  get certain(): number {
    return this.#log.certain;
  }

  get end(): number {
    return this.#log.end;
  }

  size(): number {
    return this.#log.size();
  }

  prepare(): LogState {
    return this.#log.prepare();
  }

  prepareToWrite(): LogState {
    return this.#log.prepareToWrite();
  }

  write(line: Uint8Array): number {
    return this.#log.write(line);
  }

  accept(end: ScanEnd): void {
    this.#log.accept(end);
  }

  readAt(offset: number, length: number): Buffer {
    return this.#log.readAt(offset, length);
  }

  sync(): void {
    this.#log.sync();
  }

  syncInBackground(): Promise<void> {
    return this.#log.syncInBackground();
  }

  close(): void {
    this.#log.close();
  }
}

/** Bytes that hold a line, from `start` up to `end`. */
export type LineBytes = (bytes: Buffer, start: number, end: number) => void;

/** Passes on the whole line, which is read again if it is longer than a scan holds. */
export function withWholeLine(log: Log, line: ScannedLine, then: LineBytes): void {
  const isWhole = line.length === line.end - line.start;
  if (isWhole) then(line.bytes, line.start, line.end);
  else then(log.readAt(line.offset, line.length), 0, line.length);
}
