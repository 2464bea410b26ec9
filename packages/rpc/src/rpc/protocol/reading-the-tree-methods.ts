// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Reading the tree: what the methods take and answer. */
import type { TextPart, TreeNode } from "./answers.js";
import type { Entry } from "./entries.js";
import type { Message } from "./messages.js";
import type { Page, Paged } from "./parts.js";
import type { BranchComparison } from "./sessions.js";

export interface TreeChildrenParams extends Page {
  readonly parentId: string | null;
}

export interface TreeChildrenResult extends Paged {
  readonly nodes: readonly TreeNode[];
}

export interface TreePathParams extends Page {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId?: string;
}

export interface TreePathResult extends Paged {
  readonly entries: readonly Entry[];
}

export type TreeEntriesParams = Page;

export interface TreeEntriesResult extends Paged {
  readonly entries: readonly Entry[];
}

export type TreeTipsParams = Page;

export interface TreeTipsResult extends Paged {
  readonly leafId: string | null;
  readonly tips: readonly {
    readonly entry: Entry;
    readonly label?: string;
  }[];
}

export interface TreeEntryParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
}

export interface TreeEntryPartParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
  /** Characters to skip: 0, then `next` of the part before. */
  readonly offset?: number;
}

export interface CompareParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly a: string;
  /** An entry: its ID, the start of its ID, or its label. */
  readonly b: string;
}

export type GetContextParams = Page;

export interface GetContextResult extends Paged {
  readonly messages: readonly Message[];
  readonly thinkingLevel: string;
  readonly model: {
    readonly provider: string;
    readonly modelId: string;
  } | null;
  readonly mode: string;
  /** Depends on the mode. */
  readonly modeData?: unknown;
  readonly injectedRules: readonly string[];
}

export interface GetContextPartParams {
  /** Of the message in the context. */
  readonly index: number;
  /** Characters to skip: 0, then `next` of the part before. */
  readonly offset?: number;
}

/** Reading the tree. */
export interface ReadingTheTreeMethods {
  /** A page of the children of an entry, oldest first; the roots if the parent is null. */
  readonly "tree.children": { readonly params: TreeChildrenParams; readonly result: TreeChildrenResult };
  /** A page of the entries from the root to an entry, or to the leaf. */
  readonly "tree.path": { readonly params: TreePathParams; readonly result: TreePathResult };
  /** A page of all entries of all branches, in the order of the file. */
  readonly "tree.entries": { readonly params: TreeEntriesParams; readonly result: TreeEntriesResult };
  /** A page of the tips of all branches, oldest first. */
  readonly "tree.tips": { readonly params: TreeTipsParams; readonly result: TreeTipsResult };
  /** One entry, with its label and the number of its children. */
  readonly "tree.entry": { readonly params: TreeEntryParams; readonly result: TreeNode };
  /** A part of the JSON of one entry, for entries that are too long for one line. */
  readonly "tree.entryPart": { readonly params: TreeEntryPartParams; readonly result: TextPart };
  /** Two branches side by side: where they split, what each did, how each ended. Uses no model. */
  readonly compare: { readonly params: CompareParams; readonly result: BranchComparison };
  /** A page of what the model sees at the leaf, before provider-specific data is removed. */
  readonly getContext: { readonly params: GetContextParams; readonly result: GetContextResult };
  /** A part of the JSON of one message of the context, for messages that are too long for one line. */
  readonly getContextPart: { readonly params: GetContextPartParams; readonly result: TextPart };
}
