/** What the page is told first: everything about the shape of the session, and nothing of what was said. */
import type { SessionHeader } from "@bough/session/entry/index.js";

/** Elements of the page that hold data, by their ids. */
export const FACTS_ID = "bough-facts";
export const USAGE_ID = "bough-usage";
export const chunkId = (chunk: number): string => `bough-chunk-${chunk}`;

export interface ExportFacts {
  readonly title: string;
  readonly sessionId: string;
  /** ISO times. */
  readonly madeAt: string;
  readonly startedAt: string;
  /** The first line of the JSONL that the page can give back. */
  readonly header: SessionHeader;
  readonly index: TreeColumns;
  /** Number of the leaf, or -1. */
  readonly leaf: number;
  /** For each chunk the number of its first entry. */
  readonly chunks: readonly number[];
}

/** A tree in columns, one value for each entry in the order of the file. */
export interface TreeColumns {
  readonly count: number;
  /** One on each line; a list where an id has a newline in it or is twice. */
  readonly ids: string | readonly string[];
  /** How far above its parent is; 0 for a root. */
  readonly parents: string;
  /** Kind in the lower four bits, role in the upper. */
  readonly kinds: string;
  /** Bytes of each entry, about. */
  readonly lengths: string;
  /** Entries that name a parent which is not here. */
  readonly missing: readonly (readonly [n: number, parentId: string])[];
  /** Milliseconds of siblings, where their times give another order than the file. */
  readonly times?: readonly (readonly [n: number, time: number])[];
}

/** What a branch cost: its number, four kinds of tokens, dollars. */
export type BranchUsage = readonly [
  branch: number,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  cost: number,
];
