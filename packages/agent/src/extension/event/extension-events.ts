/** The events for extensions, their fields, and what handlers may return. */
import type { BranchSummaryEntry, CompactionEntry, EntryId, SessionEntry } from "@bough/session/entry/index.js";
import type { ModelInfo } from "../../model/index.js";
import type { RunEvents } from "./run-events.js";

/** The planned move. */
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

/** Returned values override calls to the methods of the event. */
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
  /** `at`: the entry itself is copied too. */
  readonly position: "before" | "at";
  cancel(): void;
}

export interface ForkEvent {
  readonly type: "session_fork" | "session_branch";
  readonly entryId: EntryId;
  readonly previousSessionFile: string | undefined;
  readonly newSessionFile: string | undefined;
}

export interface CompactionPreparation {
  /** The entries that the summary replaces, oldest first. */
  readonly entriesToSummarize: readonly SessionEntry[];
  readonly firstKeptEntryId: EntryId;
  readonly tokensBefore: number;
  readonly previousSummary: string | undefined;
  /** Whether the cut is inside a turn, whose first part is summarized too. */
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
  /** The entries of the current path. */
  readonly branchEntries: readonly SessionEntry[];
  readonly reason: CompactionReason;
  readonly signal: AbortSignal;
  cancel(): void;
}

/**
 * `threshold`: the context is nearly full. `overflow`: the provider rejected it as too long, and the step is retried.
 */
export type CompactionReason = "manual" | "threshold" | "overflow";

export interface BeforeCompactResult {
  readonly cancel?: boolean;
  readonly compaction?: CompactionResult;
}

/** Fires before the summary is requested; returned texts are added to the prompt. */
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
  readonly reason: CompactionReason;
  readonly fromHook: boolean;
  readonly fromExtension: boolean;
}

export interface BeforeSwitchEvent {
  readonly type: "session_before_switch";
  readonly reason: "new" | "resume" | "fork";
  readonly targetSessionFile: string | undefined;
  cancel(): void;
}

export interface CancelResult {
  readonly cancel?: boolean;
}

/** All events, with what their handlers may return; `undefined` if they can only react. */
export interface ExtensionEvents extends RunEvents {
  session_start: {
    event: {
      readonly type: "session_start";
      readonly reason: "startup" | "reload" | "new" | "resume" | "fork";
      readonly previousSessionFile?: string;
    };
    result: undefined;
  };
  session_shutdown: {
    event: {
      readonly type: "session_shutdown";
      readonly reason: "quit" | "reload" | "new" | "resume" | "fork";
      readonly targetSessionFile?: string;
    };
    result: undefined;
  };
  session_info_changed: {
    event: { readonly type: "session_info_changed"; readonly name: string | undefined };
    result: undefined;
  };
  resources_discover: {
    event: { readonly type: "resources_discover"; readonly cwd: string; readonly reason: "startup" | "reload" };
    result: {
      readonly skillPaths?: readonly string[];
      readonly promptPaths?: readonly string[];
      /** Not supported; a notice says so. */
      readonly themePaths?: readonly string[];
    };
  };
  session_before_tree: { event: BeforeTreeEvent; result: BeforeTreeResult };
  session_tree: { event: TreeEvent; result: undefined };
  session_before_files: {
    event: {
      readonly type: "session_before_files";
      readonly targetId: EntryId | null;
      /** The folder that the paths are relative to. */
      readonly root: string;
      readonly written: readonly string[];
      readonly deleted: readonly string[];
      readonly conflicts: readonly string[];
      cancel(): void;
    };
    result: CancelResult;
  };
  files_changed: {
    event: {
      readonly type: "files_changed";
      readonly entryId: EntryId;
      readonly by: "tool" | "person" | "restore" | "attempt";
      readonly count: number;
      /** The first 100 files. */
      readonly files: readonly { readonly path: string; readonly change: "added" | "changed" | "deleted" }[];
    };
    result: undefined;
  };
  session_before_fork: { event: BeforeForkEvent; result: CancelResult };
  session_before_branch: { event: BeforeForkEvent; result: CancelResult };
  session_fork: { event: ForkEvent; result: undefined };
  session_branch: { event: ForkEvent; result: undefined };
  session_before_compact: { event: BeforeCompactEvent; result: BeforeCompactResult };
  "session.compacting": { event: CompactingEvent; result: CompactingResult };
  session_compact: { event: CompactEvent; result: undefined };
  session_compact_failed: {
    event: {
      readonly type: "session_compact_failed";
      readonly reason: CompactionReason;
      readonly errorMessage?: string;
      readonly aborted: boolean;
    };
    result: undefined;
  };
  session_before_switch: { event: BeforeSwitchEvent; result: CancelResult };
  session_switch: {
    event: {
      readonly type: "session_switch";
      readonly reason: "new" | "resume" | "fork";
      readonly previousSessionFile: string | undefined;
    };
    result: undefined;
  };
}

export type ExtensionEventName = keyof ExtensionEvents;
