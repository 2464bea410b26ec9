/**
 * The lines of a session file, version 3: one header and then entries.
 *
 * Entries are never mutated. Fields this version does not know are kept on the objects and in the file.
 */
import type { AgentMessage, Usage, UserContent } from "./message.js";

/**
 * Opaque. New ones are 12 lowercase hex characters; any non-empty string is accepted. Untyped text can be used as an
 * ID, but a label or a session ID cannot.
 */
export type EntryId = string & { readonly is?: "entry" };

export type SessionId = string & { readonly is?: "session" };

/** What a user calls an entry. */
export type Label = string & { readonly is?: "label" };

/** The version this code writes. */
export const CURRENT_SESSION_VERSION = 3;

/** First line of a file: metadata, not part of the tree. */
export interface SessionHeader {
  readonly type: "session";
  /** Absent means 1. */
  readonly version?: number;
  readonly id: SessionId;
  readonly timestamp: string;
  readonly cwd: string;
  /** Path of the session this one was forked from. */
  readonly parentSession?: string;
}

export interface EntryBase {
  readonly type: string;
  readonly id: EntryId;
  /** `null` for a root. */
  readonly parentId: EntryId | null;
  /** ISO time. */
  readonly timestamp: string;
}

export interface MessageEntry extends EntryBase {
  readonly type: "message";
  readonly message: AgentMessage;
}

/** Either `provider` and `modelId`, or the dialect `model: "provider/id"` with an optional role. */
export interface ModelChangeEntry extends EntryBase {
  readonly type: "model_change";
  readonly provider?: string;
  readonly modelId?: string;
  readonly model?: string;
  readonly role?: string;
}

export interface ThinkingLevelChangeEntry extends EntryBase {
  readonly type: "thinking_level_change";
  readonly thinkingLevel: string | null;
}

export interface ModeChangeEntry extends EntryBase {
  readonly type: "mode_change";
  readonly mode: string;
  readonly data?: unknown;
}

export interface RuleInjectionEntry extends EntryBase {
  readonly type: "ttsr_injection";
  readonly injectedRules: readonly string[];
}

/** The usual `details` of both kinds of summary. */
export interface FileDetails {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

export interface CompactionEntry<Details = unknown> extends EntryBase {
  readonly type: "compaction";
  readonly summary: string;
  /** First entry kept verbatim. If this is the entry's own ID or an ID that is not on the path, nothing is kept. */
  readonly firstKeptEntryId?: EntryId;
  /** Tokens of the whole context, before and after. Files of other programs lack the second. */
  readonly tokensBefore: number;
  readonly tokensAfter?: number;
  readonly details?: Details;
  /** Made by an extension. `fromExtension` is oh-my-pi's name for it. */
  readonly fromHook?: boolean;
  readonly fromExtension?: boolean;
  readonly usage?: Usage;
}

export interface BranchSummaryEntry<Details = unknown> extends EntryBase {
  readonly type: "branch_summary";
  /** The leaf before the move, or `"root"`. */
  readonly fromId: string;
  readonly summary: string;
  readonly abandonedLeafId?: EntryId;
  /** Why the move was made. */
  readonly cause?: MoveCause;
  readonly details?: Details;
  readonly fromHook?: boolean;
  readonly fromExtension?: boolean;
  readonly usage?: Usage;
}

/** Extension state: never shown to the model. */
export interface CustomEntry<Data = unknown> extends EntryBase {
  readonly type: "custom";
  readonly customType: string;
  readonly data?: Data;
}

/** An extension's message: shown to the model. */
export interface CustomMessageEntry<Details = unknown> extends EntryBase {
  readonly type: "custom_message";
  readonly customType: string;
  readonly content: UserContent;
  readonly display: boolean;
  readonly details?: Details;
}

export interface LabelEntry extends EntryBase {
  readonly type: "label";
  readonly targetId: EntryId;
  /** If absent or empty, the label is removed. */
  readonly label?: Label;
}

export interface SessionInfoEntry extends EntryBase {
  readonly type: "session_info";
  readonly name?: string;
}

/** Changes what another entry contributes to the context; the file keeps the original. */
export interface ContextEditEntry extends EntryBase {
  readonly type: "context_edit";
  readonly targetId: EntryId;
  /**
   * `null` omits the target; anything else replaces its content. pi puts it into an object: read it with
   * `replacementOf`.
   */
  readonly replacement: ContextReplacement | { readonly content: Exclude<ContextReplacement, null> };
}

export type ContextReplacement = null | string | readonly unknown[];

/**
 * oh-my-pi's `/clear`: the context starts after it, and the file keeps the earlier conversation. Bough never writes
 * one.
 */
export interface ResetBoundaryEntry extends EntryBase {
  readonly type: "reset_boundary";
}

/** Tokens spent outside the conversation, for example on a summary. */
export interface UsageEntry extends EntryBase {
  readonly type: "usage";
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
}

/**
 * Replaces a record whose ID and parent are readable but whose content is not. Never written to a file: the damaged
 * line is unchanged.
 */
export interface UnreadableEntry extends EntryBase {
  readonly type: "unreadable";
  readonly reason: string;
}

/**
 * An entry of a type this version knows.
 *
 * Files may also contain other types. They arrive here with their own `type` and all their fields: give a `switch` a
 * `default`, or call `kindOf(entry)`.
 */
export type SessionEntry =
  | MessageEntry
  | ModelChangeEntry
  | ThinkingLevelChangeEntry
  | ModeChangeEntry
  | RuleInjectionEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | LabelEntry
  | SessionInfoEntry
  | ContextEditEntry
  | ResetBoundaryEntry
  | UsageEntry
  | UnreadableEntry;

/** Any line of a file. */
export type FileEntry = SessionHeader | SessionEntry;

/** The `customType` of the entry that records a position; its `parentId` is the position, its `data` a PositionData. */
export const POSITION_TYPE = "bough.position";

/** The `customType` of the entry that says which other agent does the turns from here on; its data has the `agent`. */
export const DRIVER_TYPE = "bough.driver";

/** The cause of the position record that a sync writes, so that entries of other machines do not move the leaf. */
export const SYNC_CAUSE = "sync";

/** The `customType` of the message that tells the model which files changed while it was on another branch. */
export const CHANGED_FILES_TYPE = "bough.changed-files";

/**
 * The `customType` of the message that tells the model that plan mode started or ended; its details have the `mode`.
 */
export const MODE_TYPE = "bough.mode";

/**
 * The `customType` of the message that tells the model about MCP servers: what they say about themselves, and which have
 * tools to search for; its details have what was said in `servers`.
 */
export const SERVERS_TYPE = "bough.servers";

/** What Bough itself tells the model below a prompt: part of that turn, and never said by anyone. */
export const NOTE_TYPES: readonly string[] = [CHANGED_FILES_TYPE, MODE_TYPE, SERVERS_TYPE];

/**
 * Why the leaf was moved, and so why a branch that starts there exists. `extension`: an extension asked for it. Files
 * may contain other values.
 */
export type MoveCause =
  | "tree"
  | "branch"
  | "switch"
  | "pop"
  | "undo"
  | "redo"
  | "undo-compaction"
  | "retry"
  | "attempt"
  | "extension"
  | (string & {});

/** The data of a position record, in addition to the position. */
export interface PositionData {
  readonly cause?: MoveCause;
}
