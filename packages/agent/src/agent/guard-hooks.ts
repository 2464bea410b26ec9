/** The hooks of an agent that works on a branch of its own. */
import type { ExtensionHooks } from "../extension/run.js";

/**
 * Extensions that guard tools and results guard every branch. All other events concern the session that the program
 * shows.
 */
const GUARDS: ReadonlySet<string> = new Set(["tool_call", "tool_result"]);

export function guardHooks(hooks: ExtensionHooks): ExtensionHooks {
  return {
    has: (name) => GUARDS.has(name) && hooks.has(name),
    emit: async (event, options) => (GUARDS.has(event.type) ? hooks.emit(event, options) : []),
  };
}
