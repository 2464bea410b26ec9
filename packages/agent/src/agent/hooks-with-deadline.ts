import type { ExtensionHooks } from "../extension/run.js";

/**
 * The same hooks with a short deadline once the signal has aborted. Every event of an operation goes through here, so
 * that stopping never takes long and handlers still see messages and results.
 */
export function hooksWithDeadline(hooks: ExtensionHooks, signalNow: () => AbortSignal | undefined): ExtensionHooks {
  return {
    has: (name) => hooks.has(name),
    emit(event, options) {
      const hurry = signalNow();
      return hooks.emit(event, hurry === undefined ? options : { ...options, hurry });
    },
  };
}
