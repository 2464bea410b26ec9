/** Tracks which extension's code is running, to attribute console output. */
import { AsyncLocalStorage } from "node:async_hooks";

const running = new AsyncLocalStorage<string>();

/** Runs code of an extension. Everything it starts, including timers and promises, is attributed to it. */
export function asExtension<Result>(extension: string, work: () => Result): Result {
  return running.run(extension, work);
}

/** The extension whose code is running, if any. */
export function runningExtension(): string | undefined {
  return running.getStore();
}
