// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** What methods take and answer. */
import type { BranchSummaryEntry, CompactionEntry, Entry } from "./entries.js";

export type ArchiveOutcome =
  | {
      readonly kind: "archived";
      readonly path: string;
      readonly leftBehind: readonly string[];
    }
  | {
      readonly kind: "in-use";
      readonly by: readonly {
        readonly program: string;
        readonly pid: number;
        readonly host: string;
      }[];
    }
  | {
      readonly kind: "missing";
    }
  | {
      readonly kind: "failed";
      readonly reason: string;
    };

export type CherryPickOutcome =
  | {
      readonly kind: "done";
      readonly ids: readonly string[];
      readonly skipped: readonly SkippedPick[];
    }
  | {
      readonly kind: "unchanged";
      readonly skipped: readonly SkippedPick[];
    }
  | {
      readonly kind: "aborted";
    };

/** The outcome of a command. A code means that it failed. */
export type CommandOutcome =
  | {
      readonly kind: "done";
      /** For people. */
      readonly message?: string;
      /** For programs; the contents depend on the command. */
      readonly data?: unknown;
      /** Text to edit and send again. */
      readonly editorText?: string;
    }
  | {
      readonly kind: "unchanged";
      readonly message: string;
      readonly code?: string;
    }
  | {
      readonly kind: "shown";
    }
  | {
      readonly kind: "quit";
    };

export type CompactOutcome =
  | {
      readonly kind: "done";
      readonly entry: CompactionEntry;
      readonly tokensBefore: number;
      /** An estimate. */
      readonly tokensAfter: number;
      readonly fromHook: boolean;
      readonly loss: LossReport;
    }
  | {
      readonly kind: "cancelled";
      /** The extension that cancelled it. */
      readonly by: string;
    }
  | {
      readonly kind: "aborted";
    };

export type ContentInput =
  | string
  | readonly (
      | {
          readonly type: "text";
          readonly text: string;
        }
      | ImageInput
    )[];

export type ContextEdit =
  | {
      readonly kind: "leave-out";
    }
  | {
      readonly kind: "original";
    }
  | {
      readonly kind: "replace";
      readonly content: ContentInput;
    };

/** Another agent's session. */
export interface ForeignSession {
  readonly agent: "claude-code" | "codex" | "opencode" | "gemini" | "pi";
  readonly id: string;
  readonly path: string;
  /** Empty if unknown. */
  readonly cwd: string;
  /** Its name, or its first prompt. */
  readonly title: string | null;
  readonly created: string;
  readonly modified: string;
  /** Bytes. */
  readonly size: number;
}

export interface ForkResult {
  readonly kind: "done" | "cancelled" | "aborted";
  readonly selectedText: string;
  readonly cancelled: boolean;
  /** The extension that cancelled it. */
  readonly cancelledBy?: string;
  readonly inPlace: boolean;
  readonly newSessionFile?: string;
  readonly files?: MovedFiles;
}

export interface ImageInput {
  readonly type?: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ListedCommand {
  /** Without its slash. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly group: "tree" | "files" | "context" | "session" | "model" | "program";
  /** What comes after the name. */
  readonly usage: string;
  readonly summary: string;
  readonly details: string;
  readonly available: boolean;
  /** Why it cannot be used now. */
  readonly reason?: string;
}

/** Statements the summary may have lost. */
export interface LossReport {
  /** How many constraints, decisions and open tasks were looked for. */
  readonly checked: number;
  readonly lost: readonly {
    readonly kind: "constraint" | "decision" | "task";
    readonly text: string;
    readonly entryId: string | null;
  }[];
}

export type MergeOutcome =
  | {
      readonly kind: "done";
      readonly ids: readonly string[];
      readonly summaryEntry?: BranchSummaryEntry;
    }
  | {
      readonly kind: "unchanged";
    }
  | {
      readonly kind: "aborted";
    };

export interface ModelInUse {
  /** provider/model. */
  readonly model: string | null;
  readonly thinkingLevel: string;
}

export interface ModelInfo {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly api: string;
  /** Tokens. */
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly reasoning: boolean;
  readonly images: boolean;
  /** Dollars for a million tokens; absent if unknown. */
  readonly prices?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
  readonly baseUrl?: string;
  readonly available: boolean;
}

/** What happened to the files. */
export type MovedFiles =
  | {
      readonly kind: "followed";
      readonly written: readonly string[];
      readonly deleted: readonly string[];
      /** Conflicts that were kept. */
      readonly kept: readonly string[];
      /** Left alone: their contents are not on this machine. */
      readonly missing: readonly string[];
      /** Left alone: they decide what runs. */
      readonly protected?: readonly string[];
      /** Asked for by name, but no step of the session changed them. */
      readonly unrecorded?: readonly string[];
    }
  | {
      readonly kind: "stayed";
      /** How many files are not those of the place. */
      readonly differing: number;
      /** Other machines that recorded them: `files.onMove` does not apply those; a request can. */
      readonly recordedOn?: readonly string[];
    }
  | {
      readonly kind: "cancelled";
    }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly hint?: string;
    };

export type NavigatePlan =
  | {
      /** The target is the leaf already. */
      readonly kind: "stay";
    }
  | {
      readonly kind: "move";
      readonly targetId: string | null;
      readonly oldLeafId: string | null;
      readonly newLeafId: string | null;
      readonly commonAncestorId: string | null;
      /** What a summary would cover. */
      readonly leaves: PlannedEntries;
      readonly summarize: boolean;
      readonly editorText?: string;
      readonly cause: string;
    };

export interface NavigateResult {
  readonly kind: "done" | "unchanged" | "cancelled" | "aborted";
  readonly cancelled: boolean;
  /** The extension that cancelled it. */
  readonly cancelledBy?: string;
  readonly aborted?: boolean;
  /** Text of the selected message, to edit and send again. */
  readonly editorText?: string;
  readonly summaryEntry?: BranchSummaryEntry;
  readonly files?: MovedFiles;
}

export type PinPlan =
  | {
      readonly kind: "pin";
      /** Entry ID. */
      readonly entryId: string;
      readonly pinned: boolean;
    }
  | {
      readonly kind: "unchanged";
    };

/** Entries an operation would touch, oldest first. */
export interface PlannedEntries {
  readonly total: number;
  /** The first 1000. */
  readonly ids: readonly string[];
}

export interface QueuedTexts {
  readonly steering: readonly string[];
  readonly followUp: readonly string[];
}

export type RestoreOutcome =
  | {
      readonly kind: "restored";
      readonly path: string;
      readonly leftBehind: readonly string[];
    }
  | {
      readonly kind: "missing";
    }
  | {
      readonly kind: "failed";
      readonly reason: string;
    };

export interface SearchProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly problems: readonly {
    readonly path: string;
    readonly code: string;
    readonly message: string;
  }[];
}

export interface Setting {
  /** Such as compaction.enabled. */
  readonly name: string;
  readonly kind: "text" | "number" | "boolean" | "choice" | "list" | "object";
  readonly choices: readonly string[];
  readonly description: string;
  /** Which files may set it: any, a project's once it is trusted, or only the user's. */
  readonly counts: "any" | "trusted" | "yours";
  readonly value?: unknown;
  readonly from: "project" | "user" | "default";
  readonly file?: string;
}

export interface SkippedPick {
  /** Entry ID. */
  readonly id: string;
  readonly reason: "on-this-path" | "copied-before" | "no-content";
}

export type SwitchResult =
  | {
      readonly kind: "done";
      readonly previousSessionFile?: string;
      readonly file?: string;
    }
  | {
      readonly kind: "cancelled";
      /** The extension that cancelled it. */
      readonly by: string;
    }
  | {
      readonly kind: "aborted";
    };

/** A part of a JSON text. All parts joined are the whole. */
export interface TextPart {
  /** Characters of the whole JSON text. */
  readonly total: number;
  readonly offset: number;
  /** The offset of the next part; null in the last one. */
  readonly next: number | null;
  readonly text: string;
}

/** An entry with its label and the number of its children. */
export interface TreeNode {
  readonly entry: Entry;
  readonly label?: string;
  readonly childCount: number;
}

export interface UndoneCompaction {
  /** Entry ID. */
  readonly compactionId: string;
  readonly oldLeafId: string | null;
  readonly newLeafId: string | null;
  /** Messages after the compaction; they stay on the branch you leave. */
  readonly leftBehind: number;
}

/** The entry that was written, if any. */
export interface Written {
  readonly entryId: string | null;
}
