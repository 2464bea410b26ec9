// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Entries of a session file. */
import type { Content, Cut, Message, Usage } from "./messages.js";

/** An entry as it is in the session file. */
export type Entry =
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

export interface MessageEntry extends EntryBase {
  readonly type: "message";
  readonly message: Message;
}

export interface ModelChangeEntry extends EntryBase {
  readonly type: "model_change";
  readonly provider?: string;
  readonly modelId?: string;
  /** provider/model, in files of other programs. */
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

export interface CompactionEntry extends EntryBase {
  readonly type: "compaction";
  readonly summary: string;
  /** Usually readFiles and modifiedFiles. */
  readonly details?: unknown;
  /** Written by an extension. */
  readonly fromHook?: boolean;
  readonly fromExtension?: boolean;
  readonly usage?: Usage;
  /** First entry kept verbatim. */
  readonly firstKeptEntryId?: string;
  readonly tokensBefore: number;
  readonly tokensAfter?: number;
}

export interface BranchSummaryEntry extends EntryBase {
  readonly type: "branch_summary";
  readonly summary: string;
  /** Usually readFiles and modifiedFiles. */
  readonly details?: unknown;
  /** Written by an extension. */
  readonly fromHook?: boolean;
  readonly fromExtension?: boolean;
  readonly usage?: Usage;
  /** The leaf that was left, or root. */
  readonly fromId: string;
  /** Entry ID. */
  readonly abandonedLeafId?: string;
  /** Why the move was made. */
  readonly cause?: string;
}

/** State of an extension or of Bough; the model never sees it. */
export interface CustomEntry extends EntryBase {
  readonly type: "custom";
  readonly customType: string;
  /** Depends on who wrote it. */
  readonly data?: unknown;
}

export interface CustomMessageEntry extends EntryBase {
  readonly type: "custom_message";
  readonly customType: string;
  readonly content: Content;
  readonly display: boolean;
  /** Depends on the extension. */
  readonly details?: unknown;
}

export interface LabelEntry extends EntryBase {
  readonly type: "label";
  /** Entry ID. */
  readonly targetId: string;
  /** Absent or empty: the label was removed. */
  readonly label?: string;
}

export interface SessionInfoEntry extends EntryBase {
  readonly type: "session_info";
  readonly name?: string;
}

export interface ContextEditEntry extends EntryBase {
  readonly type: "context_edit";
  /** Entry ID. */
  readonly targetId: string;
  /** null omits the entry; anything else replaces its content. pi writes an object that holds it. */
  readonly replacement:
    | null
    | string
    | readonly unknown[]
    | {
        readonly content: string | readonly unknown[];
      };
}

/** The context starts after it. From oh-my-pi's /clear. */
export interface ResetBoundaryEntry extends EntryBase {
  readonly type: "reset_boundary";
}

/** Tokens spent outside the conversation. */
export interface UsageEntry extends EntryBase {
  readonly type: "usage";
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
}

/** In place of a damaged line; never in the file. */
export interface UnreadableEntry extends EntryBase {
  readonly type: "unreadable";
  readonly reason: string;
}

/** An entry that Bough did not write: an unknown type, or unusual fields. */
export interface OtherEntry {
  readonly type: string;
  /** Entry ID. */
  readonly id: string;
  readonly parentId?: string | null;
}

/** First line of a session file. */
export interface SessionHeader {
  readonly type: "session";
  readonly version?: number;
  readonly id: string;
  readonly timestamp: string;
  readonly cwd: string;
  /** Path of the session this one was forked from. */
  readonly parentSession?: string;
}

export interface EntryBase {
  /** Entry ID. */
  readonly id: string;
  /** null for a root. */
  readonly parentId: string | null;
  /** ISO time. */
  readonly timestamp: string;
  readonly cut?: Cut;
}
