/** Ends the process before its work is done: on a signal, or when the output is closed. */
import { errorText, shortBytes } from "@bough/session/text/index.js";
import { errorReportOf, errorReportText } from "./error-report.js";
import { EXITS } from "./exit-codes.js";
import type { ProtocolOutput } from "./output/protocol-output.js";

const SIGNALS = {
  SIGINT: EXITS.interrupted.code,
  SIGTERM: EXITS.terminated.code,
  SIGHUP: EXITS.hangup.code,
} as const;

/**
 * Even if closing hangs, the process exits after this. The session file is valid at any time, so nothing can be torn.
 */
const LIMIT_MS = 10_000;
/** How long a terminating process waits for a reader that does not read. */
const STALL_MS = 1_000;

/**
 * The first signal stops the work, closes the session and ends the process; the second ends it at once, as does the
 * first if there is nothing to close yet.
 */
export class Interruption {
  #close: (() => Promise<void>) | undefined;
  #ending: Promise<never> | undefined;
  #code: number | undefined;
  #reported: string | undefined;
  #interrupt: (() => boolean) | undefined;
  #output: ProtocolOutput | undefined;
  /** Whether the process was told to terminate and has not finished. */
  #isTold = false;
  /** Whether writing output failed for another reason than that its reader is gone. */
  #isLost = false;
  /** Set while there is work whose result somebody waits for: if the reader goes then, that is not a success. */
  isUnfinished = false;

  constructor() {
    for (const [name, code] of Object.entries(SIGNALS)) {
      process.on(name, () => {
        if (name === "SIGINT" && this.#ending === undefined && this.#interrupt?.() === true) return;
        if (this.#ending !== undefined) process.exit(code);
        this.#isTold = true;
        void this.end(code);
      });
    }
    process.stdout.on("error", (error) => {
      // The reader closed the pipe, as `head` does. That is not a failure, and nothing is reported.
      const isGone = (error as NodeJS.ErrnoException).code === "EPIPE";
      if (!isGone) this.tell(new Error(`Could not write to standard output: ${errorText(error)}`));
      this.#isLost ||= !isGone;
      void this.end(isGone && !this.isUnfinished ? EXITS.success.code : EXITS.failure.code);
    });
    // There is nowhere left to report it.
    process.stderr.on("error", () => {});
  }

  /** Whether the process is ending: failures from then on are a consequence. */
  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  /** The exit code once the end has begun. */
  get endCode(): number | undefined {
    return this.#code;
  }

  /** Reports an error on standard error. A repeated message, for example if closing fails too, is printed once. */
  tell(error: unknown): void {
    const text = errorReportText(errorReportOf(error));
    if (text !== this.#reported) process.stderr.write(text);
    this.#reported = text;
  }

  /** Registers what must be done before the process ends. */
  onEnd(close: () => Promise<void>): void {
    this.#close = close;
  }

  /** Overrides Ctrl+C while the handler returns true. */
  intercept(handler: () => boolean): void {
    this.#interrupt = handler;
  }

  /**
   * Takes over standard output for a protocol. If the client stops reading, ends the process with a message before
   * memory fills up.
   */
  async takeOutput(): Promise<ProtocolOutput> {
    // Lists and help do not need it, and it loads extensions.
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

  /** Closes, flushes the output, and ends the process. The first exit code wins. */
  end(code: number): Promise<never> {
    this.#code ??= code;
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
    // The last write may fail after the end began, and half a result must not look like a success.
    return process.exit(this.#isLost && code === EXITS.success.code ? EXITS.failure.code : code);
  }

  /** Waits for the reader as long as it takes, unless the process is terminating and the reader has stopped reading. */
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
