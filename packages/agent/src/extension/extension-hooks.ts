/** How the agent asks extensions. The runner implements it; without extensions no one answers. */
import type { ExtensionEventName, ExtensionEvents } from "./event/extension-events.js";

/** What one handler said; handlers that said nothing are omitted. */
export interface HookAnswer<Name extends ExtensionEventName> {
  /** Name of the extension. */
  readonly extension: string;
  /** What it returned; an empty object where it only called `cancel`. */
  readonly result: ExtensionEvents[Name]["result"];
  /** It called the `cancel` method of the event. */
  readonly calledCancel?: true;
  /** It failed, and the result is what a guard that fails says. */
  readonly failed?: true;
}

export interface HookOptions {
  /** Asks no one any more once it fires. */
  readonly signal?: AbortSignal;
  /** Once it fires, everyone is still told, but has only a moment: no one holds up an end. */
  readonly hurry?: AbortSignal;
}

export interface ExtensionHooks {
  /** Whether anyone listens: spares making an event no one hears. */
  has(name: ExtensionEventName): boolean;
  /**
   * Runs the handlers in load order, one after the other. Never throws: a handler that throws or is too slow is
   * reported. Of `tool_call` and `session_before_*` that is a no (`block`, `cancel`), of `tool_result` an error in place of
   * the result; of every other event, nothing.
   */
  emit<Name extends ExtensionEventName>(
    event: ExtensionEvents[Name]["event"] & { readonly type: Name },
    options?: HookOptions,
  ): Promise<readonly HookAnswer<Name>[]>;
}

/** Hooks for an agent without extensions. */
export const NO_HOOKS: ExtensionHooks = {
  has: () => false,
  emit: async () => [],
};
