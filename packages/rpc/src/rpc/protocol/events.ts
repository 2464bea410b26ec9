// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Events: what the program tells a client without being asked. */
import type { Cut, Message, ToolResultMessage } from "./messages.js";
import type { ChangedFile, ModelFailure, RunOutcome, SyncedSession } from "./outcomes.js";

export type Event =
  | SessionEvent
  | AgentEventEvent
  | QuestionClosedEvent
  | StoreStatusEvent
  | StoreSyncedEvent
  | UiStatusEvent
  | UiWidgetEvent
  | UiTitleEvent
  | UiEditorTextEvent
  | ErrorEvent
  | RunStartEvent
  | RunEndEvent
  | TurnStartEvent
  | TurnEndEvent
  | MessageStartEvent
  | MessageUpdateEvent
  | ToolInputEvent
  | MessageEndEvent
  | ToolStartEvent
  | ToolUpdateEvent
  | ToolEndEvent
  | RetryEvent
  | QueueEvent
  | QueueReturnedEvent
  | StoppingEvent
  | SummaryStartEvent
  | SummaryUpdateEvent
  | SummaryEndEvent
  | MovedEvent
  | CompactedEvent
  | SessionChangedEvent
  | ModelChangedEvent
  | FilesChangedEvent
  | EntriesEvent
  | ExtensionProblemEvent
  | NoticeEvent;

/** Always the first line: version, session, working directory, model. */
export interface SessionEvent {
  readonly type: "session";
  readonly version: string;
  /** RPC: the version of the protocol. */
  readonly protocol?: number;
  readonly sessionId: string;
  readonly sessionFile: string | null;
  readonly cwd: string;
  readonly model: string | null;
  readonly thinkingLevel: string;
  readonly cut?: Cut;
}

/** RPC: an event of an agent that `spawnBranch` started. */
export interface AgentEventEvent {
  readonly type: "agent_event";
  readonly agent: string;
  /** One of the other events. */
  readonly event: {
    readonly type: string;
  };
  readonly cut?: Cut;
}

/** RPC: the question with this `id` no longer needs an answer. */
export interface QuestionClosedEvent {
  readonly type: "question_closed";
  readonly id: string;
  readonly cut?: Cut;
}

/** RPC: the store of the current session was reached, is unreachable, or lacks other entries than before. */
export interface StoreStatusEvent {
  readonly type: "store_status";
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
  readonly cut?: Cut;
}

/** RPC: entries of the current session went to its store or came from there. */
export interface StoreSyncedEvent {
  readonly type: "store_synced";
  /** Its name. */
  readonly store: string;
  readonly synced: SyncedSession;
  readonly cut?: Cut;
}

/** RPC: an extension shows `text` in the status line under its `key`; null removes it. */
export interface UiStatusEvent {
  readonly type: "ui_status";
  readonly key: string;
  readonly text: string | null;
  readonly cut?: Cut;
}

/** RPC: an extension shows `lines` above or below the editor (`placement`) under its `key`; null removes them. */
export interface UiWidgetEvent {
  readonly type: "ui_widget";
  readonly key: string;
  readonly lines: readonly string[] | null;
  readonly placement: "aboveEditor" | "belowEditor";
  readonly cut?: Cut;
}

/** RPC: an extension sets the title of the window. */
export interface UiTitleEvent {
  readonly type: "ui_title";
  readonly title: string;
  readonly cut?: Cut;
}

/** RPC: an extension puts `text` into the editor, to be edited and sent. */
export interface UiEditorTextEvent {
  readonly type: "ui_editor_text";
  readonly text: string;
  readonly cut?: Cut;
}

/** JSON mode: the prompt could not be processed; `code`, `message`, `hint` and `data` say why. */
export interface ErrorEvent {
  readonly type: "error";
  /** Stable; docs/reference/errors.md lists them. */
  readonly code: string;
  /** A sentence for people. */
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cut?: Cut;
}

/** A run starts: one prompt and everything that follows. */
export interface RunStartEvent {
  readonly type: "run_start";
  readonly cut?: Cut;
}

/** A run is over; `outcome` says how, and `denials` which tool calls were not allowed. */
export interface RunEndEvent {
  readonly type: "run_end";
  readonly outcome: RunOutcome;
  readonly denials?: readonly {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly reason: string;
  }[];
  readonly cut?: Cut;
}

/** One model step and its tool calls start. */
export interface TurnStartEvent {
  readonly type: "turn_start";
  readonly turn: number;
  readonly cut?: Cut;
}

/** One model step and its tool calls are over. */
export interface TurnEndEvent {
  readonly type: "turn_end";
  readonly turn: number;
  readonly cut?: Cut;
}

/** A message starts. */
export interface MessageStartEvent {
  readonly type: "message_start";
  readonly role: string;
  readonly cut?: Cut;
}

/** A piece of the answer, or of the thinking. */
export interface MessageUpdateEvent {
  readonly type: "message_update";
  readonly part: "text" | "thinking";
  readonly delta: string;
  readonly cut?: Cut;
}

/** A piece of a tool's input, as JSON text. */
export interface ToolInputEvent {
  readonly type: "tool_input";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly delta: string;
  readonly cut?: Cut;
}

/** A message is complete and in the file. */
export interface MessageEndEvent {
  readonly type: "message_end";
  /** Entry ID. */
  readonly entryId: string;
  readonly message: Message;
  readonly cut?: Cut;
}

/** A tool runs. */
export interface ToolStartEvent {
  readonly type: "tool_start";
  readonly toolCallId: string;
  readonly toolName: string;
  /** Depends on the tool. */
  readonly input?: unknown;
  readonly cut?: Cut;
}

/** Output of a running tool so far. */
export interface ToolUpdateEvent {
  readonly type: "tool_update";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly update: {
    readonly text: string;
    readonly details?: unknown;
  };
  readonly cut?: Cut;
}

/** A tool is done. */
export interface ToolEndEvent {
  readonly type: "tool_end";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly result: ToolResultMessage;
  readonly cut?: Cut;
}

/** The step failed and is retried; discard what it said. */
export interface RetryEvent {
  readonly type: "retry";
  readonly attempt: number;
  readonly delayMs: number;
  readonly failure: ModelFailure;
  readonly cut?: Cut;
}

/** The queue has changed. */
export interface QueueEvent {
  readonly type: "queue";
  readonly steering: readonly string[];
  readonly followUp: readonly string[];
  readonly cut?: Cut;
}

/** Queued texts that will not be sent, and why: the run failed, it was stopped, or the session moved. */
export interface QueueReturnedEvent {
  readonly type: "queue_returned";
  readonly reason: "failed" | "stopped" | "moved";
  readonly steering: readonly string[];
  readonly followUp: readonly string[];
  readonly cut?: Cut;
}

/** The run is being stopped. A text sent with `steer` or `followUp` from now on becomes the next prompt. */
export interface StoppingEvent {
  readonly type: "stopping";
  readonly operation: string;
  readonly cut?: Cut;
}

/** A summary is being written. */
export interface SummaryStartEvent {
  readonly type: "summary_start";
  readonly purpose: "branch" | "compaction";
  readonly cut?: Cut;
}

/** A piece of the summary. */
export interface SummaryUpdateEvent {
  readonly type: "summary_update";
  readonly delta: string;
  readonly cut?: Cut;
}

/** The summary is done, has failed, or was stopped. */
export interface SummaryEndEvent {
  readonly type: "summary_end";
  readonly purpose: "branch" | "compaction";
  readonly outcome: "done" | "failed" | "aborted";
  readonly cut?: Cut;
}

/** The leaf has moved. */
export interface MovedEvent {
  readonly type: "moved";
  readonly oldLeafId: string | null;
  readonly newLeafId: string | null;
  readonly cut?: Cut;
}

/** A compaction was written. */
export interface CompactedEvent {
  readonly type: "compacted";
  /** Entry ID. */
  readonly entryId: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly automatic: boolean;
  readonly cut?: Cut;
}

/** The agent switched to another session. */
export interface SessionChangedEvent {
  readonly type: "session_changed";
  readonly reason: "new" | "resume" | "fork";
  readonly file?: string;
  readonly cut?: Cut;
}

/** Another model or thinking level is in use. */
export interface ModelChangedEvent {
  readonly type: "model_changed";
  readonly model: string;
  readonly thinkingLevel: string;
  readonly cut?: Cut;
}

/** Changes to files were recorded, by a tool, a person or a restore. `files` has the first hundred. */
export interface FilesChangedEvent {
  readonly type: "files_changed";
  /** Entry ID. */
  readonly entryId: string;
  readonly by: "tool" | "person" | "restore" | "attempt";
  readonly count: number;
  readonly files: readonly ChangedFile[];
  readonly cut?: Cut;
}

/** Entries other than messages were written. */
export interface EntriesEvent {
  readonly type: "entries";
  readonly ids: readonly string[];
  readonly cut?: Cut;
}

/** An extension failed. If a guard fails, the action it guards is blocked, and the message says so. */
export interface ExtensionProblemEvent {
  readonly type: "extension_problem";
  readonly extension: string;
  readonly event: string;
  readonly message: string;
  readonly cut?: Cut;
}

/** A notice for the user. */
export interface NoticeEvent {
  readonly type: "notice";
  readonly level: "info" | "warning" | "error";
  readonly message: string;
  readonly hint?: string;
  /** Set if the notice is about the model's output limit. */
  readonly about?: "output-limit";
  readonly cut?: Cut;
}

/** Events, by their type. */
export interface RpcEvents {
  readonly session: SessionEvent;
  readonly agent_event: AgentEventEvent;
  readonly question_closed: QuestionClosedEvent;
  readonly store_status: StoreStatusEvent;
  readonly store_synced: StoreSyncedEvent;
  readonly ui_status: UiStatusEvent;
  readonly ui_widget: UiWidgetEvent;
  readonly ui_title: UiTitleEvent;
  readonly ui_editor_text: UiEditorTextEvent;
  readonly error: ErrorEvent;
  readonly run_start: RunStartEvent;
  readonly run_end: RunEndEvent;
  readonly turn_start: TurnStartEvent;
  readonly turn_end: TurnEndEvent;
  readonly message_start: MessageStartEvent;
  readonly message_update: MessageUpdateEvent;
  readonly tool_input: ToolInputEvent;
  readonly message_end: MessageEndEvent;
  readonly tool_start: ToolStartEvent;
  readonly tool_update: ToolUpdateEvent;
  readonly tool_end: ToolEndEvent;
  readonly retry: RetryEvent;
  readonly queue: QueueEvent;
  readonly queue_returned: QueueReturnedEvent;
  readonly stopping: StoppingEvent;
  readonly summary_start: SummaryStartEvent;
  readonly summary_update: SummaryUpdateEvent;
  readonly summary_end: SummaryEndEvent;
  readonly moved: MovedEvent;
  readonly compacted: CompactedEvent;
  readonly session_changed: SessionChangedEvent;
  readonly model_changed: ModelChangedEvent;
  readonly files_changed: FilesChangedEvent;
  readonly entries: EntriesEvent;
  readonly extension_problem: ExtensionProblemEvent;
  readonly notice: NoticeEvent;
}

/** What events say besides their type, which is their name here. */
export type RpcEventFields = { readonly [Type in keyof RpcEvents]: Omit<RpcEvents[Type], "type" | "cut"> };
