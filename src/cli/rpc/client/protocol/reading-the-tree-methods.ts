// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { AnswerShapes } from "./answers.js";
import type { EntryShapes } from "./entries.js";
import type { MessageShapes } from "./messages.js";
import type { PartShapes } from "./parts.js";
import type { SessionShapes } from "./sessions.js";

/** Reading the tree. */
export interface ReadingTheTreeMethods {
  /** A page of the children of an entry, oldest first; the roots if the parent is null. */
  readonly "tree.children": {
    readonly params: {
      readonly parentId: string | null;
    } & PartShapes["Page"];
    readonly result: {
      readonly total: number;
      readonly offset: number;
      /** The offset of the next page; null on the last one. */
      readonly next: number | null;
      readonly nodes: readonly AnswerShapes["TreeNode"][];
    };
  };
  /** A page of the entries from the root to an entry, or to the leaf. */
  readonly "tree.path": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId?: string;
    } & PartShapes["Page"];
    readonly result: {
      readonly total: number;
      readonly offset: number;
      /** The offset of the next page; null on the last one. */
      readonly next: number | null;
      readonly entries: readonly EntryShapes["Entry"][];
    };
  };
  /** A page of all entries of all branches, in the order of the file. */
  readonly "tree.entries": {
    readonly params: PartShapes["Page"];
    readonly result: {
      readonly total: number;
      readonly offset: number;
      /** The offset of the next page; null on the last one. */
      readonly next: number | null;
      readonly entries: readonly EntryShapes["Entry"][];
    };
  };
  /** A page of the tips of all branches, oldest first. */
  readonly "tree.tips": {
    readonly params: PartShapes["Page"];
    readonly result: {
      readonly total: number;
      readonly offset: number;
      /** The offset of the next page; null on the last one. */
      readonly next: number | null;
      readonly leafId: string | null;
      readonly tips: readonly {
        readonly entry: EntryShapes["Entry"];
        readonly label?: string;
      }[];
    };
  };
  /** One entry, with its label and the number of its children. */
  readonly "tree.entry": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
    };
    readonly result: AnswerShapes["TreeNode"];
  };
  /** A part of the JSON of one entry, for entries that are too long for one line. */
  readonly "tree.entryPart": {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
      /** Characters to skip: 0, then `next` of the part before. */
      readonly offset?: number;
    };
    readonly result: AnswerShapes["TextPart"];
  };
  /** Two branches side by side: where they split, what each did, how each ended. Uses no model. */
  readonly compare: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly a: string;
      /** An entry: its ID, the start of its ID, or its label. */
      readonly b: string;
    };
    readonly result: SessionShapes["BranchComparison"];
  };
  /** A page of what the model sees at the leaf, before provider-specific data is removed. */
  readonly getContext: {
    readonly params: PartShapes["Page"];
    readonly result: {
      readonly total: number;
      readonly offset: number;
      /** The offset of the next page; null on the last one. */
      readonly next: number | null;
      readonly messages: readonly MessageShapes["Message"][];
      readonly thinkingLevel: string;
      readonly model: {
        readonly provider: string;
        readonly modelId: string;
      } | null;
      readonly mode: string;
      /** Depends on the mode. */
      readonly modeData?: unknown;
      readonly injectedRules: readonly string[];
    };
  };
  /** A part of the JSON of one message of the context, for messages that are too long for one line. */
  readonly getContextPart: {
    readonly params: {
      /** Of the message in the context. */
      readonly index: number;
      /** Characters to skip: 0, then `next` of the part before. */
      readonly offset?: number;
    };
    readonly result: AnswerShapes["TextPart"];
  };
}
