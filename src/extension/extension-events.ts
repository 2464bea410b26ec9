/** The events extensions can listen to, what they carry, and what a handler may answer. */
import type {
  AgentMessage,
  BranchSummaryEntry,
  CompactionEntry,
  EntryId,
  SessionEntry,
  ToolResultMessage,
} from "../entry/index.js";
import type { ModelInfo } from "../model/index.js";

/** What a move would do, before it is done. */
export interface TreePreparation {
  readonly targetId: EntryId;
  readonly oldLeafId: EntryId | null;
  readonly commonAncestorId: EntryId | null;
  /** Oldest first. */
  readonly entriesToSummarize: readonly SessionEntry[];
  readonly userWantsSummary: boolean;
  readonly customInstructions?: string;
  readonly replaceInstructions?: boolean;
  readonly label?: string;
}

export interface SummaryResult {
  readonly summary: string;
  readonly details?: unknown;
}

export interface BeforeTreeEvent {
  readonly type: "session_before_tree";
  readonly preparation: TreePreparation;
  readonly signal: AbortSignal;
  readonly targetId: EntryId;
  cancel(): void;
  setSummarize(summarize: boolean): void;
  setCustomInstructions(instructions: string): void;
  setReplaceInstructions(replace: boolean): void;
}

/** A returned value wins over what was said by the methods of the event. */
export interface BeforeTreeResult {
  readonly cancel?: boolean;
  readonly summary?: SummaryResult;
  readonly customInstructions?: string;
  readonly replaceInstructions?: boolean;
  readonly label?: string;
}

export interface TreeEvent {
  readonly type: "session_tree";
  readonly newLeafId: EntryId | null;
  readonly oldLeafId: EntryId | null;
  readonly targetId: EntryId;
  readonly summaryEntry?: BranchSummaryEntry;
  readonly fromHook: boolean;
  readonly fromExtension: boolean;
  readonly editorText?: string;
  readonly cancelled: boolean;
  readonly aborted: boolean;
}

/** Fires as `session_before_fork` and, for older extensions, as `session_before_branch`. */
export interface BeforeForkEvent {
  readonly type: "session_before_fork" | "session_before_branch";
  readonly entryId: EntryId;
  cancel(): void;
}

export interface ForkEvent {
  readonly type: "session_fork" | "session_branch";
  readonly entryId: EntryId;
  readonly previousSessionFile: string | undefined;
  readonly newSessionFile: string | undefined;
}

export interface CompactionPreparation {
  /** What the summary represents, oldest first. */
  readonly entriesToSummarize: readonly SessionEntry[];
  readonly firstKeptEntryId: EntryId;
  readonly tokensBefore: number;
  readonly previousSummary: string | undefined;
  /** The cut goes through a turn: its first part is summarized too. */
  readonly splitTurn: boolean;
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
  /** Texts that must stay verbatim. */
  readonly pins: readonly string[];
}

export interface CompactionResult<Details = unknown> {
  readonly summary: string;
  readonly firstKeptEntryId: EntryId;
  readonly tokensBefore: number;
  readonly details?: Details;
}

export interface BeforeCompactEvent {
  readonly type: "session_before_compact";
  readonly preparation: CompactionPreparation;
  /** Newest first. */
  readonly previousCompactions: readonly CompactionEntry[];
  readonly customInstructions: string | undefined;
  readonly model: ModelInfo;
  readonly signal: AbortSignal;
  cancel(): void;
}

export interface BeforeCompactResult {
  readonly cancel?: boolean;
  readonly compaction?: CompactionResult;
}

/** Runs before the prompt of the summary is sent; what it returns is added to it. */
export interface CompactingEvent {
  readonly type: "session.compacting";
  readonly preparation: CompactionPreparation;
  readonly signal: AbortSignal;
}

export interface CompactingResult {
  readonly context?: readonly string[];
  readonly prompt?: string;
}

export interface CompactEvent {
  readonly type: "session_compact";
  readonly compactionEntry: CompactionEntry;
  readonly fromHook: boolean;
  readonly fromExtension: boolean;
}

export interface BeforeSwitchEvent {
  readonly type: "session_before_switch";
  readonly reason: "new" | "resume" | "fork";
  readonly targetSessionFile: string | undefined;
  cancel(): void;
}

export interface SwitchEvent {
  readonly type: "session_switch";
  readonly reason: "new" | "resume" | "fork";
  readonly previousSessionFile: string | undefined;
}

export interface CancelResult {
  readonly cancel?: boolean;
}

export interface ToolCallEvent {
  readonly type: "tool_call";
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** `input` replaces what the model sent; it is checked again. */
export interface ToolCallEventResult {
  readonly block?: boolean;
  readonly reason?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

export interface ToolResultEvent {
  readonly type: "tool_result";
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ToolResultMessage;
}

export type ToolResultEventResult = Partial<Pick<ToolResultMessage, "content" | "details" | "isError">>;

export interface InputEvent {
  readonly type: "input";
  readonly text: string;
}

/** `handled` means nothing is sent to the model; `text` is sent instead of what was typed. */
export interface InputEventResult {
  readonly handled?: boolean;
  readonly text?: string;
}

/** Every event with what its handlers may return. `undefined` means they only react. */
export interface ExtensionEvents {
  session_start: { event: { readonly type: "session_start" }; result: undefined };
  session_shutdown: { event: { readonly type: "session_shutdown" }; result: undefined };
  session_before_tree: { event: BeforeTreeEvent; result: BeforeTreeResult };
  session_tree: { event: TreeEvent; result: undefined };
  session_before_fork: { event: BeforeForkEvent; result: CancelResult };
  session_before_branch: { event: BeforeForkEvent; result: CancelResult };
  session_fork: { event: ForkEvent; result: undefined };
  session_branch: { event: ForkEvent; result: undefined };
  session_before_compact: { event: BeforeCompactEvent; result: BeforeCompactResult };
  "session.compacting": { event: CompactingEvent; result: CompactingResult };
  session_compact: { event: CompactEvent; result: undefined };
  session_before_switch: { event: BeforeSwitchEvent; result: CancelResult };
  session_switch: { event: SwitchEvent; result: undefined };
  turn_start: { event: { readonly type: "turn_start"; readonly turn: number }; result: undefined };
  turn_end: {
    event: { readonly type: "turn_end"; readonly turn: number; readonly message: AgentMessage };
    result: void;
  };
  message_end: { event: { readonly type: "message_end"; readonly message: AgentMessage }; result: undefined };
  tool_call: { event: ToolCallEvent; result: ToolCallEventResult };
  tool_result: { event: ToolResultEvent; result: ToolResultEventResult };
  input: { event: InputEvent; result: InputEventResult };
}

export type ExtensionEventName = keyof ExtensionEvents;
