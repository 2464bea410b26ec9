/** Decides for guard handlers that fail: they were asked whether something is allowed, so a failure means no. */
import type { ExtensionEventName } from "./extension-events.js";
import type { ToolResultEventResult } from "./run-events.js";

/** Events whose handlers may refuse, each with the consequence of a failure, for the report to the user. */
const GUARDS: Partial<Record<ExtensionEventName, string>> = {
  tool_call: "the tool call was blocked",
  tool_result: "the result was withheld",
  user_bash: "the command was not run",
  session_before_tree: "the move was cancelled",
  session_before_fork: "the fork was cancelled",
  session_before_branch: "the fork was cancelled",
  session_before_files: "the files stayed as they are",
  session_before_switch: "the session was not changed",
};

/**
 * Events whose handlers may refuse, but whose failure is ignored: without a compaction, a full session would be
 * unusable, and a compaction can be undone. Trust that no extension gives is asked for, or not given.
 */
const IGNORED_FAILURES: Partial<Record<ExtensionEventName, string>> = {
  session_before_compact: "the built-in compaction was used",
  project_trust: "it does not decide whether the project is trusted",
};

/** The consequence of a failed handler of this event, for the report; undefined if there is none. */
export function consequenceOf(event: string): string | undefined {
  return GUARDS[event as ExtensionEventName] ?? IGNORED_FAILURES[event as ExtensionEventName];
}

interface FailedGuard {
  /** The answer that replaces the missing one. */
  answer(failure: GuardFailure): object;
}

export interface GuardFailure {
  readonly extension: string;
  readonly message: string;
}

/** Undefined for events whose handlers cannot refuse: their failures have no consequence. */
export function failedGuard(event: string): FailedGuard | undefined {
  if (GUARDS[event as ExtensionEventName] === undefined) return undefined;
  return {
    answer: (failure) => {
      if (event === "tool_call") return { block: true, reason: `Blocked: ${failureText(failure, "call")}` };
      return event === "tool_result" ? withheldResult(failure) : { cancel: true };
    },
  };
}

/** Replaces a result that an extension failed to check: what it would have removed must not be stored. */
export function withheldResult(failure: GuardFailure): ToolResultEventResult {
  const text = `Result withheld: ${failureText(failure, "result")}`;
  return { content: [{ type: "text", text }], details: null, isError: true };
}

function failureText({ extension, message }: GuardFailure, what: "call" | "result"): string {
  return `the extension ${extension} failed while checking this ${what}: ${message}`;
}
