/** Which extension's code is running: prints of extensions are told apart by it. */
import { AsyncLocalStorage } from "node:async_hooks";

const speaking = new AsyncLocalStorage<string>();

/** Runs code of an extension. Everything it starts, timers and promises too, counts as its own. */
export function asExtension<Result>(extension: string, work: () => Result): Result {
  return speaking.run(extension, work);
}

/** The extension whose code this call came from, if it came from one. */
export function speakingExtension(): string | undefined {
  return speaking.getStore();
}
