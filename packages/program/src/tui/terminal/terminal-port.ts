/** The minimal terminal interface: bytes in, bytes out, a size. */
import { writeSync } from "node:fs";

export interface PortListener {
  readonly onData: (data: string) => void;
  readonly onResize: () => void;
  /** No more input: the window was closed. */
  readonly onGone: () => void;
}

export interface TerminalPort {
  readonly columns: number;
  readonly rows: number;
  write(data: string): void;
  /** Writes synchronously, for the very end of a process. */
  writeNow(data: string): void;
  /** Enables raw mode: every key arrives at once and unchanged. */
  start(listener: PortListener): void;
  /** Restores the previous mode. */
  stop(): void;
}

/** The terminal this process was started in. */
export class ProcessPort implements TerminalPort {
  #end: (() => void) | undefined;

  get columns(): number {
    return process.stdout.columns || Number(process.env.COLUMNS) || 80;
  }

  get rows(): number {
    return process.stdout.rows || Number(process.env.LINES) || 24;
  }

  write(data: string): void {
    process.stdout.write(data);
  }

  writeNow(data: string): void {
    try {
      writeSync(process.stdout.fd, data);
    } catch {
      // The terminal is gone; there is nothing to report to.
    }
  }

  start({ onData, onResize, onGone }: PortListener): void {
    this.stop();
    const { stdin, stdout } = process;
    const wasRaw = stdin.isRaw === true;
    stdin.setRawMode?.(true);
    stdin.setEncoding("utf8");
    stdin.on("data", onData);
    stdin.on("end", onGone);
    stdin.on("error", onGone);
    stdin.resume();
    stdout.on("resize", onResize);
    // A suspended process gets no resize event, so send it now.
    if (process.platform !== "win32") process.kill(process.pid, "SIGWINCH");
    this.#end = () => {
      stdin.off("data", onData);
      stdin.off("end", onGone);
      stdin.off("error", onGone);
      stdout.off("resize", onResize);
      stdin.pause();
      stdin.setRawMode?.(wasRaw);
    };
  }

  stop(): void {
    this.#end?.();
    this.#end = undefined;
  }
}
