/** The files that a step changed, from the checkpoint below it. Reads only records next to the entries shown. */
import { FILES_TYPE, Kind } from "../../../entry/index.js";
import { filesRecord } from "../../../entry/internal.js";
import { isConversation, type TreeSource } from "../../../tree/index.js";

export interface StepFiles {
  /** The checkpoint. */
  readonly n: number;
  /** As recorded; empty if the list is not in the file. */
  readonly paths: readonly string[];
  /** The list is too long for the file and is not counted. */
  readonly many: boolean;
}

/** Labels and other notes may be between a step and its checkpoint, but not many. */
const DEEPEST = 20;
const MOST_CHILDREN = 50;

/** A cache of records, so that each is read once. */
export type KnownSteps = Map<number, StepFiles | undefined>;

/** For a message; undefined if none of its tools changed a file. Later changes by the user are not part of the step. */
export function stepFilesBelow(source: TreeSource, n: number, known: KnownSteps): StepFiles | undefined {
  const { tree } = source;
  if (n < 0 || tree.kindOf(n) !== Kind.message) return undefined;
  let at = n;
  for (let depth = 0; depth < DEEPEST; depth++) {
    let found: StepFiles | undefined;
    let note = -1;
    let looked = 0;
    for (let child = tree.firstChildOf(at); child >= 0 && looked < MOST_CHILDREN; child = tree.nextSiblingOf(child)) {
      looked += 1;
      if (isConversation(tree.kindOf(child))) continue;
      note = child;
      found = recordedAt(source, child, known) ?? found;
    }
    if (found !== undefined || note < 0) return found;
    at = note;
  }
  return undefined;
}

function recordedAt(source: TreeSource, n: number, known: KnownSteps): StepFiles | undefined {
  if (source.tree.kindOf(n) !== Kind.custom) return undefined;
  if (known.has(n)) return known.get(n);
  const entry = source.entryAt(n);
  const isRecord = entry.type === "custom" && entry.customType === FILES_TYPE;
  const record = isRecord ? filesRecord(entry.data) : undefined;
  const step =
    record?.tool === undefined || (record.changes.length === 0 && record.changesIn === undefined)
      ? undefined
      : { n, paths: record.changes.map(({ path }) => path), many: record.changesIn !== undefined };
  known.set(n, step);
  return step;
}
