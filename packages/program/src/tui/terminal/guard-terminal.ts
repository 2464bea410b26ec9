/** Restores the terminal however this process ends, and takes it over again after a suspend. */
import type { ScreenTerminal } from "./screen-terminal.js";

interface GuardOptions {
  /** What to print after a crash: where the session is. */
  readonly lastWords: () => string;
}

/** The exit code of a program ended by Ctrl+C. */
const INTERRUPTED = 130;
/** How long to wait for being stopped. If no one can continue us, the system does not stop us either. */
const ASLEEP_MS = 100;

export class TerminalGuard {
  readonly #terminal: ScreenTerminal;
  readonly #options: GuardOptions;
  #asleep = false;

  // Arrow functions, so that the same references can be removed again.
  readonly #onExit = (): void => this.#terminal.restoreNow();
  readonly #onCrash = (error: unknown): void => {
    this.#terminal.restoreNow();
    // Every entry is already in the file, so there is nothing to save or wait for.
    const last = this.#options.lastWords();
    process.stderr.write(`Bough crashed. ${stackText(error)}\n${last === "" ? "" : `\n${last}\n`}`);
    process.exit(1);
  };
  readonly #onContinue = (): void => {
    // Another program may have the terminal now, or it was never opened.
    if (!this.#asleep && !this.#terminal.isOn) return;
    this.#asleep = false;
    // The program that had the terminal in between may have left it in any state.
    this.#terminal.stop();
    this.#terminal.start();
  };

  constructor(terminal: ScreenTerminal, options: GuardOptions) {
    this.#terminal = terminal;
    this.#options = options;
    process.on("exit", this.#onExit);
    process.on("uncaughtException", this.#onCrash);
    if (process.platform !== "win32") process.on("SIGCONT", this.#onContinue);
  }

  /** Suspends to the shell until continued. False if the system does not support it. */
  suspend(): boolean {
    if (process.platform === "win32" || this.#asleep) return false;
    this.#asleep = true;
    this.#terminal.stop();
    // The whole process group: a program that started this one must release the terminal too.
    process.kill(0, "SIGTSTP");
    setTimeout(() => {
      if (this.#asleep) this.#onContinue();
    }, ASLEEP_MS);
    return true;
  }

  release(): void {
    process.off("exit", this.#onExit);
    process.off("uncaughtException", this.#onCrash);
    process.off("SIGCONT", this.#onContinue);
    // From now on Ctrl+C is handled by the system, which discards what has not been read from the terminal.
    process.once("exit", (code) => {
      if (code === INTERRUPTED) this.#terminal.restoreAgain();
    });
  }
}

function stackText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
