/** How a process is ended before its work is done: by a signal, or because the output is closed. */
import { errorReportOf, errorReportText } from "./error-report.js";

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Whatever hangs, the process is gone after this. The session is valid at every moment, so nothing can be torn. */
const LIMIT_MS = 10_000;

/**
 * The first signal has the work stopped and the session closed, and then ends the process; the second ends it at once.
 * Before there is anything to close, the first ends it at once too.
 */
export class Interruption {
  #close: (() => Promise<void>) | undefined;
  #ending: Promise<never> | undefined;
  #reported: string | undefined;
  #interrupt: (() => boolean) | undefined;

  constructor() {
    for (const [name, code] of Object.entries(SIGNALS)) {
      process.on(name, () => {
        if (name === "SIGINT" && this.#ending === undefined && this.#interrupt?.() === true) return;
        if (this.#ending !== undefined) process.exit(code);
        void this.end(code);
      });
    }
    // Someone took what they wanted and left, as `head` does: no failure, and no one to tell.
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

  /** Says on standard error what went wrong. The same thing twice in a row, as where closing fails too, is said once. */
  tell(error: unknown): void {
    const text = errorReportText(errorReportOf(error));
    if (text !== this.#reported) process.stderr.write(text);
    this.#reported = text;
  }

  /** What has to be done before the process may end. */
  onEnd(close: () => Promise<void>): void {
    this.#close = close;
  }

  /** Gives Ctrl+C another meaning while the handler says that it took it. */
  intercept(handler: () => boolean): void {
    this.#interrupt = handler;
  }

  /** Closes, lets what was written arrive, and ends the process. The first code counts. */
  end(code: number): Promise<never> {
    this.#ending ??= this.#end(code);
    return this.#ending;
  }

  async #end(code: number): Promise<never> {
    setTimeout(() => process.exit(code), LIMIT_MS).unref();
    try {
      await this.#close?.();
    } catch (error) {
      this.tell(error);
    }
    await new Promise<void>((done) => process.stdout.write("", () => done()));
    return process.exit(code);
  }
}
