/** How a process is ended before its work is done: by a signal, or because the output is closed. */
import { shortBytes } from "@bough/session/text/index.js";
import { errorReportOf, errorReportText } from "./error-report.js";
import type { ProtocolOutput } from "./output/protocol-output.js";

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Whatever hangs while it closes, the process is gone after this. The session is valid at every moment, so nothing can be torn. */
const LIMIT_MS = 10_000;
/** How long a terminating process waits for a reader that does not read. */
const STALL_MS = 1_000;

/**
 * The first signal has the work stopped and the session closed, and then ends the process; the second ends it at once.
 * Before there is anything to close, the first ends it at once too.
 */
export class Interruption {
  #close: (() => Promise<void>) | undefined;
  #ending: Promise<never> | undefined;
  #reported: string | undefined;
  #interrupt: (() => boolean) | undefined;
  #output: ProtocolOutput | undefined;
  /** Whether the process was told to terminate and has not finished. */
  #isTold = false;

  constructor() {
    for (const [name, code] of Object.entries(SIGNALS)) {
      process.on(name, () => {
        if (name === "SIGINT" && this.#ending === undefined && this.#interrupt?.() === true) return;
        if (this.#ending !== undefined) process.exit(code);
        this.#isTold = true;
        void this.end(code);
      });
    }
    // The reader closed the pipe, as `head` does: not a failure, and nothing to report.
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      void this.end(error.code === "EPIPE" ? 0 : 1);
    });
    // Nothing can be said about it anywhere.
    process.stderr.on("error", () => {});
  }

  /** Whether the end has begun: then what fails, fails because of it. */
  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  /** Says on standard error what went wrong. A repeated message, such as when closing fails too, is printed once. */
  tell(error: unknown): void {
    const text = errorReportText(errorReportOf(error));
    if (text !== this.#reported) process.stderr.write(text);
    this.#reported = text;
  }

  /** What has to be done before the process may end. */
  onEnd(close: () => Promise<void>): void {
    this.#close = close;
  }

  /** Overrides Ctrl+C while the handler returns true. */
  intercept(handler: () => boolean): void {
    this.#interrupt = handler;
  }

  /** Takes standard output over for a protocol. A client that does not read ends the process with a sentence, before the memory is full. */
  async takeOutput(): Promise<ProtocolOutput> {
    // Help and lists need none, and it knows extensions.
    const { ProtocolOutput } = await import("./output/protocol-output.js");
    this.#output ??= new ProtocolOutput({
      stdout: process.stdout,
      stderr: process.stderr,
      onFull: (bytes) => {
        const message = `Stopped: standard output is not being read, and ${shortBytes(bytes)} are waiting`;
        const hint = "The session is saved. Read the output while the program runs.";
        process.stderr.write(errorReportText({ message, hint }));
        this.#isTold = true;
        void this.end(1);
      },
    });
    return this.#output;
  }

  /** Closes, lets what was written arrive, and ends the process. The first code counts. */
  end(code: number): Promise<never> {
    this.#ending ??= this.#end(code);
    return this.#ending;
  }

  async #end(code: number): Promise<never> {
    const limit = setTimeout(() => process.exit(code), LIMIT_MS).unref();
    try {
      await this.#close?.();
    } catch (error) {
      this.tell(error);
    }
    clearTimeout(limit);
    await this.#arrived();
    return process.exit(code);
  }

  /** Waits for the reader as long as it takes, unless the process is terminating and the reader does not read. */
  async #arrived(): Promise<void> {
    const output = this.#output;
    const arrived = output?.flushed() ?? new Promise<void>((done) => process.stdout.write("", () => done()));
    if (!this.#isTold) return arrived;
    const waiting = () => output?.waitingBytes ?? process.stdout.writableLength;
    let before = waiting();
    let watch: NodeJS.Timeout | undefined;
    const stalled = new Promise<void>((resolve) => {
      watch = setInterval(() => {
        const now = waiting();
        if (now >= before) resolve();
        before = now;
      }, STALL_MS);
    });
    await Promise.race([arrived, stalled]);
    clearInterval(watch);
    if (waiting() > 0) {
      process.stderr.write(errorReportText({ message: `${shortBytes(waiting())} of output were not read` }));
    }
  }
}
