/** Reads many entries at once: neighbors in the log are read together. */

import { Kind, parseRecord, type SessionEntry } from "../../entry/index.js";
import { freezeDeep } from "../../entry/internal.js";
import type { Log } from "../../log/index.js";
import type { TreeIndex } from "../../tree/index.js";

/** The longest single read; logs have a window of this size ready. */
const RUN = 1 << 17;
/** Gaps up to this size, such as lines of other branches, are read too: cheaper than a second read. */
const GAP = 1 << 12;

/** What reading needs of a session. */
interface RunSource {
  readonly log: Log;
  readonly tree: TreeIndex;
  /** The entry, if it is in memory. */
  held(n: number): SessionEntry | undefined;
  keep(n: number, entry: SessionEntry, bytes: number): void;
  /** Reads one entry and handles damage. */
  entryAt(n: number): SessionEntry;
}

export function readEntries(source: RunSource, numbers: ArrayLike<number>): SessionEntry[] {
  const entries: SessionEntry[] = [];
  for (let i = 0; i < numbers.length; ) {
    const held = source.held(numbers[i] as number);
    if (held !== undefined) {
      entries.push(held);
      i += 1;
      continue;
    }
    const end = runEnd(source, numbers, i);
    const read = readRun(source, numbers, { start: i, end });
    for (let at = 0; i < end; i++, at++) entries.push(read[at] ?? source.entryAt(numbers[i] as number));
  }
  return entries;
}

/** The end (exclusive) of the numbers from `start` whose lines are close together in the log. */
function runEnd({ tree, held }: RunSource, numbers: ArrayLike<number>, start: number): number {
  const first = tree.offsetOf(numbers[start] as number);
  let behind = first + tree.lengthOf(numbers[start] as number);
  let end = start + 1;
  for (; end < numbers.length; end++) {
    const n = numbers[end] as number;
    const offset = tree.offsetOf(n);
    const next = offset + tree.lengthOf(n);
    if (offset < behind || offset > behind + GAP || next - first > RUN || held(n) !== undefined) break;
    behind = next;
  }
  return end;
}

/** The entries of a run; undefined for any that differs from the index, and for a run of a single entry. */
function readRun(
  { log, tree, keep }: RunSource,
  numbers: ArrayLike<number>,
  { start, end }: { readonly start: number; readonly end: number },
): (SessionEntry | undefined)[] {
  const first = tree.offsetOf(numbers[start] as number);
  const last = numbers[end - 1] as number;
  if (end - start === 1 || first < 0) return new Array(end - start).fill(undefined);
  const bytes = log.readAt(first, tree.offsetOf(last) + tree.lengthOf(last) - first);
  const entries: (SessionEntry | undefined)[] = [];
  for (let i = start; i < end; i++) {
    const n = numbers[i] as number;
    const from = tree.offsetOf(n) - first;
    const length = tree.lengthOf(n);
    const record =
      tree.kindOf(n) === Kind.unreadable ? undefined : parseRecord(bytes.toString("utf8", from, from + length));
    const isExpected = record?.kind === "entry" && tree.ids.isText(n, record.entry.id);
    entries.push(isExpected ? freezeDeep(record.entry) : undefined);
    if (isExpected) keep(n, record.entry, length);
  }
  return entries;
}
