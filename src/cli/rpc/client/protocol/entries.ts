// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { MessageShapes } from "./messages.js";

/** Entries of a session file. */
export interface EntryShapes {
  /** An entry as it is in the session file. */
  readonly Entry:
    | EntryShapes["MessageEntry"]
    | EntryShapes["ModelChangeEntry"]
    | EntryShapes["ThinkingLevelChangeEntry"]
    | EntryShapes["ModeChangeEntry"]
    | EntryShapes["RuleInjectionEntry"]
    | EntryShapes["CompactionEntry"]
    | EntryShapes["BranchSummaryEntry"]
    | EntryShapes["CustomEntry"]
    | EntryShapes["CustomMessageEntry"]
    | EntryShapes["LabelEntry"]
    | EntryShapes["SessionInfoEntry"]
    | EntryShapes["ContextEditEntry"]
    | EntryShapes["UsageEntry"]
    | EntryShapes["UnreadableEntry"];
  readonly MessageEntry: {
    readonly type: "message";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly message: MessageShapes["Message"];
  };
  readonly ModelChangeEntry: {
    readonly type: "model_change";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly provider?: string;
    readonly modelId?: string;
    /** provider/model, in files of other programs. */
    readonly model?: string;
    readonly role?: string;
  };
  readonly ThinkingLevelChangeEntry: {
    readonly type: "thinking_level_change";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly thinkingLevel: string | null;
  };
  readonly ModeChangeEntry: {
    readonly type: "mode_change";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly mode: string;
    readonly data?: unknown;
  };
  readonly RuleInjectionEntry: {
    readonly type: "ttsr_injection";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly injectedRules: readonly string[];
  };
  readonly CompactionEntry: {
    readonly type: "compaction";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly summary: string;
    /** Usually readFiles and modifiedFiles. */
    readonly details?: unknown;
    /** Written by an extension. */
    readonly fromHook?: boolean;
    readonly fromExtension?: boolean;
    readonly usage?: MessageShapes["Usage"];
    /** First entry kept verbatim. */
    readonly firstKeptEntryId?: string;
    readonly tokensBefore: number;
    readonly tokensAfter?: number;
  };
  readonly BranchSummaryEntry: {
    readonly type: "branch_summary";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly summary: string;
    /** Usually readFiles and modifiedFiles. */
    readonly details?: unknown;
    /** Written by an extension. */
    readonly fromHook?: boolean;
    readonly fromExtension?: boolean;
    readonly usage?: MessageShapes["Usage"];
    /** The leaf that was left, or root. */
    readonly fromId: string;
    /** Entry ID. */
    readonly abandonedLeafId?: string;
    /** Why the move was made. */
    readonly cause?: string;
  };
  /** State of an extension or of Bough; the model never sees it. */
  readonly CustomEntry: {
    readonly type: "custom";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly customType: string;
    /** Depends on who wrote it. */
    readonly data?: unknown;
  };
  readonly CustomMessageEntry: {
    readonly type: "custom_message";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly customType: string;
    readonly content: MessageShapes["Content"];
    readonly display: boolean;
    /** Depends on the extension. */
    readonly details?: unknown;
  };
  readonly LabelEntry: {
    readonly type: "label";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    /** Entry ID. */
    readonly targetId: string;
    /** Absent or empty: the label was removed. */
    readonly label?: string;
  };
  readonly SessionInfoEntry: {
    readonly type: "session_info";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly name?: string;
  };
  readonly ContextEditEntry: {
    readonly type: "context_edit";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    /** Entry ID. */
    readonly targetId: string;
    /** null omits the entry; anything else replaces its content. */
    readonly replacement: null | string | readonly unknown[];
  };
  /** Tokens spent outside the conversation. */
  readonly UsageEntry: {
    readonly type: "usage";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly kind: string;
    readonly provider: string;
    readonly model: string;
    readonly usage: MessageShapes["Usage"];
  };
  /** In place of a damaged line; never in the file. */
  readonly UnreadableEntry: {
    readonly type: "unreadable";
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
    readonly reason: string;
  };
  /** An entry that Bough did not write: an unknown type, or unusual fields. */
  readonly OtherEntry: {
    readonly type: string;
    /** Entry ID. */
    readonly id: string;
    readonly parentId?: string | null;
  };
  /** First line of a session file. */
  readonly SessionHeader: {
    readonly type: "session";
    readonly version?: number;
    readonly id: string;
    readonly timestamp: string;
    readonly cwd: string;
    /** Path of the session this one was forked from. */
    readonly parentSession?: string;
  };
}
