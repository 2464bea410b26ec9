/** A log that also shows its lines to someone else while they are read for the first time, so that one pass does for both. */
import type { LineVisitor, Log, LogState, ScanEnd } from "../../log/index.js";

export class TappedLog implements Log {
  readonly #log: Log;
  readonly #tap: LineVisitor;
  #isDone = false;

  constructor(log: Log, tap: LineVisitor) {
    this.#log = log;
    this.#tap = tap;
  }

  /** The tap sees each line before `visit` does, in the first scan only. */
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
