import type { PortListener, TerminalPort } from "./terminal-port.js";

/** A terminal in memory, for tests. */
export class MemoryTerminal implements TerminalPort {
  columns: number;
  rows: number;
  /** Everything written so far. */
  written = "";
  #listener: PortListener | undefined;

  constructor({ columns = 80, rows = 24 }: { readonly columns?: number; readonly rows?: number } = {}) {
    this.columns = columns;
    this.rows = rows;
  }

  get isStarted(): boolean {
    return this.#listener !== undefined;
  }

  write(data: string): void {
    this.written += data;
  }

  writeNow(data: string): void {
    this.written += data;
  }

  start(listener: PortListener): void {
    this.#listener = listener;
  }

  stop(): void {
    this.#listener = undefined;
  }

  /** As if a user had pressed keys. */
  feed(data: string): void {
    this.#listener?.onData(data);
  }

  /** As if the window had been closed. */
  hangUp(): void {
    this.#listener?.onGone();
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.#listener?.onResize();
  }
}
