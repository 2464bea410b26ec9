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
  session_before_compact: "the compaction was cancelled",
  session_before_files: "the files stayed as they are",
  session_before_switch: "the session was not changed",
};

interface FailedGuard {
  /** Added to the report of the failure. */
  readonly consequence: string;
  /** The answer in place of the one the handler did not give. */
  answer(failure: GuardFailure): object;
}

export interface GuardFailure {
  readonly extension: string;
  readonly message: string;
}

/** Undefined for events that handlers only react to: those let things happen, whatever goes wrong. */
export function failedGuard(event: string): FailedGuard | undefined {
  const consequence = GUARDS[event as ExtensionEventName];
  if (consequence === undefined) return undefined;
  return {
    consequence,
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
