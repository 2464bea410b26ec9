// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { MessageShapes } from "./messages.js";
import type { OutcomeShapes } from "./outcomes.js";

/** What events say besides their type, which is their name here. */
export interface RpcEventFields {
  /** Always the first line: version, session, working directory, model. */
  readonly session: {
    readonly version: string;
    /** RPC: the version of the protocol. */
    readonly protocol?: number;
    readonly sessionId: string;
    readonly sessionFile: string | null;
    readonly cwd: string;
    readonly model: string | null;
    readonly thinkingLevel: string;
  };
  /** RPC: an event of an agent that `spawnBranch` started. */
  readonly agent_event: {
    readonly agent: string;
    /** One of the other events. */
    readonly event: {
      readonly type: string;
    };
  };
  /** RPC: the question with this `id` no longer needs an answer. */
  readonly question_closed: {
    readonly id: string;
  };
  /** RPC: the store of the current session was reached, is away, or lacks other entries than before. */
  readonly store_status: {
    /** Its name. */
    readonly store: string;
    /** `away`: it is tried again by itself. `held`: what is new may contain secrets. `failed`: `error` says why. */
    readonly state: "idle" | "syncing" | "away" | "held" | "failed";
    /** Entries that the store does not have yet. */
    readonly pending: number;
    readonly error?: {
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
    };
  };
  /** RPC: entries of the current session went to its store or came from there. */
  readonly store_synced: {
    /** Its name. */
    readonly store: string;
    readonly synced: OutcomeShapes["SyncedSession"];
  };
  /** RPC: an extension shows `text` in the status line under its `key`; null removes it. */
  readonly ui_status: {
    readonly key: string;
    readonly text: string | null;
  };
  /** RPC: an extension shows `lines` above or below the editor (`placement`) under its `key`; null removes them. */
  readonly ui_widget: {
    readonly key: string;
    readonly lines: readonly string[] | null;
    readonly placement: "aboveEditor" | "belowEditor";
  };
  /** RPC: an extension sets the title of the window. */
  readonly ui_title: {
    readonly title: string;
  };
  /** RPC: an extension puts `text` into the editor, to be edited and sent. */
  readonly ui_editor_text: {
    readonly text: string;
  };
  /** JSON mode: the prompt could not be processed; `code`, `message`, `hint` and `data` say why. */
  readonly error: {
    /** Stable; docs/reference/errors.md lists them. */
    readonly code: string;
    /** A sentence for people. */
    readonly message: string;
    /** What to do next. */
    readonly hint?: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
  /** A run starts: one prompt and everything that follows. */
  readonly run_start: unknown;
  /** A run is over; `outcome` says how, and `denials` which tool calls were not allowed. */
  readonly run_end: {
    readonly outcome: OutcomeShapes["RunOutcome"];
    readonly denials?: readonly {
      readonly toolCallId: string;
      readonly toolName: string;
      readonly reason: string;
    }[];
  };
  /** One model step and its tool calls start. */
  readonly turn_start: {
    readonly turn: number;
  };
  /** One model step and its tool calls are over. */
  readonly turn_end: {
    readonly turn: number;
  };
  /** A message starts. */
  readonly message_start: {
    readonly role: string;
  };
  /** A piece of the answer, or of the thinking. */
  readonly message_update: {
    readonly part: "text" | "thinking";
    readonly delta: string;
  };
  /** A piece of a tool's input, as JSON text. */
  readonly tool_input: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly delta: string;
  };
  /** A message is complete and in the file. */
  readonly message_end: {
    /** Entry ID. */
    readonly entryId: string;
    readonly message: MessageShapes["Message"];
  };
  /** A tool runs. */
  readonly tool_start: {
    readonly toolCallId: string;
    readonly toolName: string;
    /** Depends on the tool. */
    readonly input?: unknown;
  };
  /** Output of a running tool so far. */
  readonly tool_update: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly update: {
      readonly text: string;
      readonly details?: unknown;
    };
  };
  /** A tool is done. */
  readonly tool_end: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly result: MessageShapes["ToolResultMessage"];
  };
  /** The step failed and is retried; discard what it said. */
  readonly retry: {
    readonly attempt: number;
    readonly delayMs: number;
    readonly failure: OutcomeShapes["ModelFailure"];
  };
  /** The queue has changed. */
  readonly queue: {
    readonly steering: readonly string[];
    readonly followUp: readonly string[];
  };
  /** Queued texts that will not be sent, and why: the run failed, it was stopped, or the session moved. */
  readonly queue_returned: {
    readonly reason: "failed" | "stopped" | "moved";
    readonly steering: readonly string[];
    readonly followUp: readonly string[];
  };
  /** The run is being stopped. A text sent with `steer` or `followUp` from now on becomes the next prompt. */
  readonly stopping: {
    readonly operation: string;
  };
  /** A summary is being written. */
  readonly summary_start: {
    readonly purpose: "branch" | "compaction";
  };
  /** A piece of the summary. */
  readonly summary_update: {
    readonly delta: string;
  };
  /** The summary is done, has failed, or was stopped. */
  readonly summary_end: {
    readonly purpose: "branch" | "compaction";
    readonly outcome: "done" | "failed" | "aborted";
  };
  /** The leaf has moved. */
  readonly moved: {
    readonly oldLeafId: string | null;
    readonly newLeafId: string | null;
  };
  /** A compaction was written. */
  readonly compacted: {
    /** Entry ID. */
    readonly entryId: string;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly automatic: boolean;
  };
  /** The agent switched to another session. */
  readonly session_changed: {
    readonly reason: "new" | "resume" | "fork";
    readonly file?: string;
  };
  /** Another model or thinking level is in use. */
  readonly model_changed: {
    readonly model: string;
    readonly thinkingLevel: string;
  };
  /** Changes to files were recorded, by a tool, a person or a restore. `files` has the first hundred. */
  readonly files_changed: {
    /** Entry ID. */
    readonly entryId: string;
    readonly by: "tool" | "person" | "restore" | "attempt";
    readonly count: number;
    readonly files: readonly OutcomeShapes["ChangedFile"][];
  };
  /** Entries other than messages were written. */
  readonly entries: {
    readonly ids: readonly string[];
  };
  /** An extension failed. If a guard fails, the action it guards is blocked, and the message says so. */
  readonly extension_problem: {
    readonly extension: string;
    readonly event: string;
    readonly message: string;
  };
  /** A notice for the user. */
  readonly notice: {
    readonly level: "info" | "warning" | "error";
    readonly message: string;
    readonly hint?: string;
  };
}

/** Events, by their type. */
export type RpcEvents = {
  readonly [Type in keyof RpcEventFields]: RpcEventFields[Type] & {
    readonly type: Type;
    readonly cut?: MessageShapes["Cut"];
  };
};
