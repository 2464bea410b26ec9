/** The interface through which the agent calls extensions. The runner implements it. */
import type { ExtensionEventName, ExtensionEvents } from "./event/extension-events.js";

/** The answer of one handler; handlers that return nothing are omitted. */
export interface HookAnswer<Name extends ExtensionEventName> {
  /** Name of the extension. */
  readonly extension: string;
  /** What it returned; an empty object if it only called `cancel`. */
  readonly result: ExtensionEvents[Name]["result"];
  /** Set if it called the `cancel` method of the event. */
  readonly calledCancel?: true;
  /** Set if it failed, and the result is that of a failed guard. */
  readonly failed?: true;
}

export interface HookOptions {
  /** Once aborted, no more handlers are called. */
  readonly signal?: AbortSignal;
  /** Once aborted, handlers are still called, but have only a short time, so that they cannot delay the end. */
  readonly hurry?: AbortSignal;
}

export interface ExtensionHooks {
  /** Whether there are handlers, to avoid creating an unused event. */
  has(name: ExtensionEventName): boolean;
  /**
   * Runs the handlers in load order, one after another. Never throws: a handler that throws or is too slow is reported.
   * For `tool_call` and `session_before_*` such a failure means no (`block`, `cancel`), for `tool_result` an error
   * replaces the result, and for all other events it has no effect.
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
