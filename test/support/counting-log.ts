import { type LineVisitor, type Log, type LogState, MemoryLog, type ScanEnd } from "@bough/session/log/index.js";

/** A log in memory that counts what is asked of it, and can be told to fail. */
export class CountingLog implements Log {
  readonly writable = true;
  readonly #inner = new MemoryLog();
  scans = 0;
  reads = 0;
  writes = 0;
  /** Thrown by the next writes, until it is undefined again. */
  writeFault: Error | undefined;

  constructor(text: string) {
    this.#inner.fill(Buffer.from(text));
  }

  get certain(): number {
    return this.#inner.certain;
  }

  get end(): number {
    return this.#inner.end;
  }

  size(): number {
    return this.#inner.size();
  }

  prepare(): LogState {
    return this.#inner.prepare();
  }

  prepareToWrite(): LogState {
    return this.#inner.prepareToWrite();
  }

  write(line: Uint8Array): number {
    this.writes += 1;
    if (this.writeFault !== undefined) throw this.writeFault;
    return this.#inner.write(line);
  }

  scan(from: number, visit: LineVisitor): ScanEnd {
    this.scans += 1;
    return this.#inner.scan(from, visit);
  }

  accept(end: ScanEnd): void {
    this.#inner.accept(end);
  }

  readAt(offset: number, length: number): Buffer {
    this.reads += 1;
    return this.#inner.readAt(offset, length);
  }

  sync(): void {}

  async syncInBackground(): Promise<void> {}

  close(): void {}

  /** Everything the log holds. */
  text(): string {
    return this.#inner.readAt(0, this.#inner.end).toString("utf8");
  }
}
