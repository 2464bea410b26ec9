import type { ExtensionHooks } from "../extension/run.js";

/**
 * The same hooks in a hurry once the signal has fired that counts when an event is told. Every event of an operation
 * goes this way, so that stopping it never waits for long, and messages and results are still shown to everyone.
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
