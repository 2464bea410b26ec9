/** The blocks that a conversation is drawn from: one for each thing that a user can fold, copy or point at. */
import type { EntryId, ImageBlock } from "../../entry/index.js";

/** Texts in blocks have no control characters; newlines and tabs are kept. */
export interface BlockBase {
  /** Constant however often the block is rebuilt, so that folded blocks stay folded. */
  readonly id: string;
  readonly entryId: EntryId;
  /** Milliseconds; 0 if unknown. */
  readonly time: number;
}

export interface PromptBlock extends BlockBase {
  readonly kind: "prompt";
  readonly text: string;
  readonly images: readonly ImageBlock[];
}

/** The agent's text, as Markdown. */
export interface AnswerBlock extends BlockBase {
  readonly kind: "answer";
  readonly text: string;
}

export interface ThinkingBlock extends BlockBase {
  readonly kind: "thinking";
  readonly text: string;
  /** The provider keeps the text hidden. */
  readonly redacted: boolean;
}

/** A tool call together with its result. */
export interface ToolBlock extends BlockBase {
  readonly kind: "tool";
  readonly callId: string;
  readonly name: string;
  /** From the model: make it safe before showing it. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** "bash  npm test", "edit  src/lex.ts +3 -1". */
  readonly title: string;
  /** `interrupted`: the call never got a result. */
  readonly state: "done" | "failed" | "running" | "interrupted";
  /** It failed because it was not allowed: a user, a rule or an extension refused it. */
  readonly isRefused: boolean;
  /** It failed because the user stopped it. */
  readonly isStopped: boolean;
  readonly output: string;
  readonly images: readonly ImageBlock[];
  /** A unified diff of the change to a file. */
  readonly diff: string | undefined;
  /** `null` if a command ended without an exit code; undefined if there is no command. */
  readonly exitCode: number | null | undefined;
  /** There was more output than this. */
  readonly truncated: boolean;
  readonly fullOutputPath: string | undefined;
  readonly resultEntryId: EntryId | undefined;
}

/** A command the user ran. */
export interface ShellBlock extends BlockBase {
  readonly kind: "shell";
  readonly command: string;
  readonly output: string;
  readonly exitCode: number | null | undefined;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly fullOutputPath: string | undefined;
  /** Not shown to the model. */
  readonly outsideContext: boolean;
}

/** A summary of a branch or of a compacted part, or the position where a merge or a cherry-pick added entries. */
export interface NoteBlock extends BlockBase {
  readonly kind: "note";
  readonly note: "summary" | "compaction" | "merge" | "cherry-pick";
  /** Names its source: "summary of #1 wire the tokenizer". */
  readonly title: string;
  readonly text: string;
  /** The tip of the source branch. */
  readonly sourceId: EntryId | undefined;
}

/** An extension's message. */
export interface CustomBlock extends BlockBase {
  readonly kind: "custom";
  readonly customType: string;
  readonly text: string;
  readonly images: readonly ImageBlock[];
  /** From the extension: make it safe before showing it. */
  readonly details: unknown;
}

/** The user's label for the entry above it. */
export interface LabelBlock extends BlockBase {
  readonly kind: "label";
  readonly text: string;
}

/** A change of model, thinking, mode or context, as one muted line. */
export interface ChangeBlock extends BlockBase {
  readonly kind: "change";
  readonly text: string;
}

/** Why an answer ends where it does, if it did not end normally. */
export interface FailureBlock extends BlockBase {
  readonly kind: "failure";
  readonly reason: "error" | "aborted" | "length";
  readonly text: string;
}

export interface UnreadableBlock extends BlockBase {
  readonly kind: "unreadable";
  readonly text: string;
}

export type TranscriptBlock =
  | PromptBlock
  | AnswerBlock
  | ThinkingBlock
  | ToolBlock
  | ShellBlock
  | NoteBlock
  | CustomBlock
  /** Files that a step changed, with diffs. */
  | (BlockBase & {
      readonly kind: "files";
      /** "3 files changed by bash". */
      readonly title: string;
      readonly files: readonly {
        /** "M src/a.ts  +3 -1". */
        readonly title: string;
        /** The hunks of a unified diff; empty if there are none to show. */
        readonly diff: string;
        /** The number of its lines that were cut off. */
        readonly moreLines: number;
      }[];
      /** The number of files not listed. */
      readonly moreFiles: number;
    })
  | LabelBlock
  | ChangeBlock
  | FailureBlock
  | UnreadableBlock;

/** Files that a step changed. */
export type FilesBlock = Extract<TranscriptBlock, { readonly kind: "files" }>;
