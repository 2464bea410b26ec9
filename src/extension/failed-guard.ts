/** What a guard that fails decides: it was asked whether something may happen, so no answer means no. */
import type { ExtensionEventName } from "./extension-events.js";

/** Events whose handlers may say no, and what a failure does, for the person who reads of it. */
const GUARDS: Partial<Record<ExtensionEventName, string>> = {
  tool_call: "the tool call was blocked",
  session_before_tree: "the move was cancelled",
  session_before_fork: "the fork was cancelled",
  session_before_branch: "the fork was cancelled",
  session_before_compact: "the compaction was cancelled",
  session_before_switch: "the session was not changed",
};

export interface FailedGuard {
  /** Added to the report of the failure. */
  readonly consequence: string;
  /** The answer in place of the one the handler did not give. */
  answer(failure: { readonly extension: string; readonly message: string }): object;
}

/** Undefined for events that handlers only react to: those let things happen, whatever goes wrong. */
export function failedGuard(event: string): FailedGuard | undefined {
  const consequence = GUARDS[event as ExtensionEventName];
  if (consequence === undefined) return undefined;
  return {
    consequence,
    answer: ({ extension, message }) =>
      event === "tool_call"
        ? { block: true, reason: `Blocked: the extension ${extension} failed while checking this call: ${message}` }
        : { cancel: true },
  };
}
