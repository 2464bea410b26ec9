/** What the page reads first: the shape of the session, without what was said. */
import type { SessionHeader } from "@bough/session/entry/index.js";

/** IDs of the elements that contain data. */
export const FACTS_ID = "bough-facts";
export const USAGE_ID = "bough-usage";
export const chunkId = (chunk: number): string => `bough-chunk-${chunk}`;

export interface ExportFacts {
  readonly title: string;
  readonly sessionId: string;
  /** ISO times. */
  readonly madeAt: string;
  readonly startedAt: string;
  /** The first line of the JSONL that the page offers for download. */
  readonly header: SessionHeader;
  readonly index: TreeColumns;
  /** Number of the leaf, or -1. */
  readonly leaf: number;
  /** The number of the first entry in each chunk. */
  readonly chunks: readonly number[];
}

/** A tree as columns, with one value per entry in file order. */
export interface TreeColumns {
  readonly count: number;
  /** One per line; a list if an ID contains a newline or occurs twice. */
  readonly ids: string | readonly string[];
  /** Distance to the parent, upwards in the file; 0 for a root. */
  readonly parents: string;
  /** Kind in the lower four bits, role in the upper. */
  readonly kinds: string;
  /** Approximate size of each entry in bytes. */
  readonly lengths: string;
  /** Entries whose parent is not in the file. */
  readonly missing: readonly (readonly [n: number, parentId: string])[];
  /** Times of siblings in milliseconds, if they give a different order than the file. */
  readonly times?: readonly (readonly [n: number, time: number])[];
}

/** Usage of a branch: its number, four kinds of tokens, dollars. */
export type BranchUsage = readonly [
  branch: number,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  cost: number,
];
