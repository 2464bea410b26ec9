import type { ExtensionUi } from "./extension-api.js";

/**
 * The answers if it cannot ask: nothing chosen, nothing confirmed, nothing typed; components are closed at
 * once; notices go to `say`.
 */
export function silentUi(say: (message: string, level: "info" | "warning" | "error") => void): ExtensionUi {
  return {
    select: async () => undefined,
    confirm: async () => false,
    input: async () => undefined,
    editor: async () => undefined,
    notify: (message, level = "info") => say(message, level),
    custom: (_component, done) => {
      done();
      return () => {};
    },
  };
}
