/** Tracks which extension's code is running, to attribute console output. */
import { AsyncLocalStorage } from "node:async_hooks";

const speaking = new AsyncLocalStorage<string>();

/** Runs code of an extension. Everything it starts, including timers and promises, is attributed to it. */
export function asExtension<Result>(extension: string, work: () => Result): Result {
  return speaking.run(extension, work);
}

/** The extension whose code is running, if any. */
export function speakingExtension(): string | undefined {
  return speaking.getStore();
}
