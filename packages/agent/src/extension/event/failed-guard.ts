/** What a guard that fails decides: it was asked whether something may happen or be kept, so no answer means no. */
import type { ExtensionEventName } from "./extension-events.js";
import type { ToolResultEventResult } from "./run-events.js";

/** Events whose handlers may say no, and what a failure does, for the user who reads of it. */
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
 * Events whose handlers are asked too, but where no answer means to go on: without a compaction, a session that is full
 * could not be used any more, and one can be undone.
 */
const GO_ON: Partial<Record<ExtensionEventName, string>> = {
  session_before_compact: "the built-in compaction was used",
};

/** What a failure of a handler of this event does, for the report; undefined if nothing. */
export function consequenceOf(event: string): string | undefined {
  return GUARDS[event as ExtensionEventName] ?? GO_ON[event as ExtensionEventName];
}

interface FailedGuard {
  /** The answer in place of the one the handler did not give. */
  answer(failure: GuardFailure): object;
}

export interface GuardFailure {
  readonly extension: string;
  readonly message: string;
}

/** Undefined for events that handlers only react to: those let things happen, whatever goes wrong. */
export function failedGuard(event: string): FailedGuard | undefined {
  if (GUARDS[event as ExtensionEventName] === undefined) return undefined;
  return {
    answer: (failure) => {
      if (event === "tool_call") return { block: true, reason: `Blocked: ${failedWords(failure, "call")}` };
      return event === "tool_result" ? withheldResult(failure) : { cancel: true };
    },
  };
}

/** In place of a result that an extension should have looked at: what it would have taken out must not be kept. */
export function withheldResult(failure: GuardFailure): ToolResultEventResult {
  const text = `Result withheld: ${failedWords(failure, "result")}`;
  return { content: [{ type: "text", text }], details: null, isError: true };
}

function failedWords({ extension, message }: GuardFailure, what: "call" | "result"): string {
  return `the extension ${extension} failed while checking this ${what}: ${message}`;
}
