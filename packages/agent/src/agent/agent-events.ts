/** What front ends receive from a running agent. Plain data: every event can be written as one line of JSON. */
import type { AgentMessage, AssistantMessage, EntryId, ToolResultMessage } from "@bough/session/entry/index.js";
import type { ModelFailure } from "../model/index.js";
import type { Attempt } from "./attempt/attempt.js";
import type { OperationName } from "./operation-name.js";
import type { SubAgent } from "./spawn/sub-agent.js";
import type { RunLimits } from "./turn/run-limits.js";

/** A tool call that permissions, a user, the program or an extension did not allow. */
export interface ToolDenial {
  readonly toolCallId: string;
  readonly toolName: string;
  /** What the model was told. */
  readonly reason: string;
}

export type AgentEvent =
  /** A run: one prompt and everything that follows until the model has nothing more to do. */
  | { readonly type: "run_start" }
  | {
      readonly type: "run_end";
      readonly outcome: RunOutcome;
      /** Tool calls of the run that were not allowed; absent if there were none. */
      readonly denials?: readonly ToolDenial[];
    }
  /** A turn: one model step and its tool calls. */
  | { readonly type: "turn_start"; readonly turn: number }
  | { readonly type: "turn_end"; readonly turn: number }
  /** Another agent that drives the session has the prompt. Its entry comes when the agent is done. */
  | { readonly type: "prompt_sent"; readonly text: string }
  /** A message begins; assistant messages then grow by updates. */
  | { readonly type: "message_start"; readonly role: AgentMessage["role"] }
  | { readonly type: "message_update"; readonly part: "text" | "thinking"; readonly delta: string }
  | { readonly type: "tool_input"; readonly toolCallId: string; readonly toolName: string; readonly delta: string }
  /** A message is complete and in the file. */
  | { readonly type: "message_end"; readonly entryId: EntryId; readonly message: AgentMessage }
  /** A tool runs. A user's shell command has the first two as well, and ends with its message. */
  | { readonly type: "tool_start"; readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  | {
      readonly type: "tool_update";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly update: { readonly text: string; readonly details?: unknown };
    }
  | {
      readonly type: "tool_end";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly result: ToolResultMessage;
    }
  /** The step failed and is retried; discard what was streamed so far. */
  | { readonly type: "retry"; readonly attempt: number; readonly delayMs: number; readonly failure: ModelFailure }
  | { readonly type: "queue"; readonly steering: readonly string[]; readonly followUp: readonly string[] }
  /** Queued texts that will not be sent: the run failed, it was stopped, or the session moved. They go back to the user. */
  | {
      readonly type: "queue_returned";
      readonly reason: "failed" | "stopped" | "moved";
      readonly steering: readonly string[];
      readonly followUp: readonly string[];
    }
  /** The running operation was told to stop but has not ended. A text sent from now on is the next prompt. */
  | { readonly type: "stopping"; readonly operation: OperationName }
  | { readonly type: "summary_start"; readonly purpose: "branch" | "compaction" }
  | { readonly type: "summary_update"; readonly delta: string }
  | {
      readonly type: "summary_end";
      readonly purpose: "branch" | "compaction";
      readonly outcome: "done" | "failed" | "aborted";
    }
  | { readonly type: "moved"; readonly oldLeafId: EntryId | null; readonly newLeafId: EntryId | null }
  | {
      readonly type: "compacted";
      readonly entryId: EntryId;
      /** Tokens of the whole context. */
      readonly tokensBefore: number;
      /** An estimate. */
      readonly tokensAfter: number;
      readonly automatic: boolean;
    }
  | { readonly type: "session_changed"; readonly reason: "new" | "resume" | "fork"; readonly file?: string }
  | { readonly type: "model_changed"; readonly model: string; readonly thinkingLevel: string }
  /** Who does the turns from now on: the name of another agent, or null for Bough's own. Also after a choice of its model, effort or mode. */
  | { readonly type: "driver_changed"; readonly driver: string | null }
  /** Changes to files were recorded. `files` are the first hundred. */
  | {
      readonly type: "files_changed";
      readonly entryId: EntryId;
      readonly by: "tool" | "person" | "restore" | "attempt";
      readonly count: number;
      readonly files: readonly { readonly path: string; readonly change: "added" | "changed" | "deleted" }[];
    }
  /** A sub-agent starts, does something else, or has ended. */
  | { readonly type: "subagent_start" | "subagent_update" | "subagent_end"; readonly agent: SubAgent }
  | { readonly type: "entries"; readonly ids: readonly EntryId[] }
  /** Something changed about an attempt on another branch. */
  | { readonly type: "attempt"; readonly attempt: Attempt }
  /** An extension threw, was too slow, or could not be loaded. A guard that fails blocks; the message says what. */
  | { readonly type: "extension_problem"; readonly extension: string; readonly event: string; readonly message: string }
  | {
      readonly type: "notice";
      readonly level: "info" | "warning" | "error";
      readonly message: string;
      readonly hint?: string;
      /** What it is about, for front ends that show that elsewhere: `output-limit` is shown with the answer. */
      readonly about?: "output-limit";
    };

/** How a run ended. All messages are kept in every case. */
export type RunOutcome<Output = unknown> =
  /** `message` is the last answer. `output` is set if one was requested. */
  | { readonly kind: "done"; readonly message: AssistantMessage; readonly output?: Output }
  /** It was stopped; with `limit`, because it reached that limit. */
  | { readonly kind: "aborted"; readonly limit?: keyof RunLimits }
  /** `by`: the agent that drives the session failed, which no entry says. */
  | { readonly kind: "failed"; readonly failure: ModelFailure; readonly by?: string }
  /** An extension handled the prompt itself. */
  | { readonly kind: "cancelled"; readonly by: string };

/** How a run with a requested `output` ended: `done` always has it. */
export type OutputOutcome<Output> =
  | { readonly kind: "done"; readonly message: AssistantMessage; readonly output: Output }
  | Exclude<RunOutcome<Output>, { readonly kind: "done" }>;
