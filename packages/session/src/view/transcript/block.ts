/** What a conversation is drawn from: one block for each thing a user can fold, copy or point at. */
import type { EntryId, ImageBlock } from "../../entry/index.js";

/** Texts in blocks have no control characters; newlines and tabs stay. */
export interface BlockBase {
  /** Stays the same however often the block is rebuilt, so that what was folded stays folded. */
  readonly id: string;
  readonly entryId: EntryId;
  /** Milliseconds; 0 if it is not known. */
  readonly time: number;
}

export interface PromptBlock extends BlockBase {
  readonly kind: "prompt";
  readonly text: string;
  readonly images: readonly ImageBlock[];
}

/** What the agent said, as Markdown. */
export interface AnswerBlock extends BlockBase {
  readonly kind: "answer";
  readonly text: string;
}

export interface ThinkingBlock extends BlockBase {
  readonly kind: "thinking";
  readonly text: string;
  /** The provider keeps the words to itself. */
  readonly redacted: boolean;
}

/** A tool call together with its result. */
export interface ToolBlock extends BlockBase {
  readonly kind: "tool";
  readonly callId: string;
  readonly name: string;
  /** As the model gave them: to be made safe before they are shown. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** "bash  npm test", "edit  src/lex.ts +3 -1". */
  readonly title: string;
  /** `interrupted`: the call never got a result. */
  readonly state: "done" | "failed" | "running" | "interrupted";
  readonly output: string;
  readonly images: readonly ImageBlock[];
  /** A unified diff of what changed in a file. */
  readonly diff: string | undefined;
  /** `null` where a command ended otherwise; undefined if there is none. */
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
  /** The model is not shown it. */
  readonly outsideContext: boolean;
}

/** A summary of a branch or of what was compacted, or the place where a merge or a cherry-pick brought something. */
export interface NoteBlock extends BlockBase {
  readonly kind: "note";
  readonly note: "summary" | "compaction" | "merge" | "cherry-pick";
  /** Names its source: "summary of #1 main". */
  readonly title: string;
  readonly text: string;
  /** The end of the branch it represents. */
  readonly sourceId: EntryId | undefined;
}

/** An extension's message. */
export interface CustomBlock extends BlockBase {
  readonly kind: "custom";
  readonly customType: string;
  readonly text: string;
  readonly images: readonly ImageBlock[];
  /** As the extension gave them: to be made safe before they are shown. */
  readonly details: unknown;
}

/** The name a user gave the entry above it. */
export interface LabelBlock extends BlockBase {
  readonly kind: "label";
  readonly text: string;
}

/** A change of model, thinking, mode or context, as one muted line. */
export interface ChangeBlock extends BlockBase {
  readonly kind: "change";
  readonly text: string;
}

/** Why an answer ends where it does, when that was not its own end. */
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
        /** Lines of it that were cut off. */
        readonly moreLines: number;
      }[];
      /** Files that are not listed. */
      readonly moreFiles: number;
    })
  | LabelBlock
  | ChangeBlock
  | FailureBlock
  | UnreadableBlock;

/** Files that a step changed. */
export type FilesBlock = Extract<TranscriptBlock, { readonly kind: "files" }>;
