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
    | EntryShapes["ResetBoundaryEntry"]
    | EntryShapes["UsageEntry"]
    | EntryShapes["UnreadableEntry"];
  readonly MessageEntry: {
    readonly type: "message";
    readonly message: MessageShapes["Message"];
  } & EntryShapes["EntryBase"];
  readonly ModelChangeEntry: {
    readonly type: "model_change";
    readonly provider?: string;
    readonly modelId?: string;
    /** provider/model, in files of other programs. */
    readonly model?: string;
    readonly role?: string;
  } & EntryShapes["EntryBase"];
  readonly ThinkingLevelChangeEntry: {
    readonly type: "thinking_level_change";
    readonly thinkingLevel: string | null;
  } & EntryShapes["EntryBase"];
  readonly ModeChangeEntry: {
    readonly type: "mode_change";
    readonly mode: string;
    readonly data?: unknown;
  } & EntryShapes["EntryBase"];
  readonly RuleInjectionEntry: {
    readonly type: "ttsr_injection";
    readonly injectedRules: readonly string[];
  } & EntryShapes["EntryBase"];
  readonly CompactionEntry: {
    readonly type: "compaction";
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
  } & EntryShapes["EntryBase"];
  readonly BranchSummaryEntry: {
    readonly type: "branch_summary";
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
  } & EntryShapes["EntryBase"];
  /** State of an extension or of Bough; the model never sees it. */
  readonly CustomEntry: {
    readonly type: "custom";
    readonly customType: string;
    /** Depends on who wrote it. */
    readonly data?: unknown;
  } & EntryShapes["EntryBase"];
  readonly CustomMessageEntry: {
    readonly type: "custom_message";
    readonly customType: string;
    readonly content: MessageShapes["Content"];
    readonly display: boolean;
    /** Depends on the extension. */
    readonly details?: unknown;
  } & EntryShapes["EntryBase"];
  readonly LabelEntry: {
    readonly type: "label";
    /** Entry ID. */
    readonly targetId: string;
    /** Absent or empty: the label was removed. */
    readonly label?: string;
  } & EntryShapes["EntryBase"];
  readonly SessionInfoEntry: {
    readonly type: "session_info";
    readonly name?: string;
  } & EntryShapes["EntryBase"];
  readonly ContextEditEntry: {
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
  } & EntryShapes["EntryBase"];
  /** The context starts after it. From oh-my-pi's /clear. */
  readonly ResetBoundaryEntry: {
    readonly type: "reset_boundary";
  } & EntryShapes["EntryBase"];
  /** Tokens spent outside the conversation. */
  readonly UsageEntry: {
    readonly type: "usage";
    readonly kind: string;
    readonly provider: string;
    readonly model: string;
    readonly usage: MessageShapes["Usage"];
  } & EntryShapes["EntryBase"];
  /** In place of a damaged line; never in the file. */
  readonly UnreadableEntry: {
    readonly type: "unreadable";
    readonly reason: string;
  } & EntryShapes["EntryBase"];
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
  readonly EntryBase: {
    /** Entry ID. */
    readonly id: string;
    /** null for a root. */
    readonly parentId: string | null;
    /** ISO time. */
    readonly timestamp: string;
    readonly cut?: MessageShapes["Cut"];
  };
}
