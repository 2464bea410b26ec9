/** The result of a turn, reading up from its end: the files it changed and its last text. */
import type { TreeReader } from "../tree-reader.js";
import type { StepFiles } from "./step-files.js";
import { beginsTurn } from "./turn-start.js";

/** A longer turn is only read from its end. */
const TURN_LENGTH = 300;

export interface TurnFiles {
  readonly paths: ReadonlySet<string>;
  /** There are more than are named. */
  readonly many: boolean;
}

/** Files recorded as changed in the turn that an entry ends. Reads only records. */
export function recordedFiles(reader: TreeReader, end: number): TurnFiles {
  const paths = new Set<string>();
  let many = false;
  for (const n of upToStart(reader, end)) {
    const step = reader.stepFiles(n);
    for (const path of step?.paths ?? []) paths.add(path);
    many ||= step?.many === true;
  }
  return { paths, many };
}

/** The newest step with recorded changes in the turn that an entry ends. */
export function lastStepFiles(reader: TreeReader, end: number): StepFiles | undefined {
  for (const n of upToStart(reader, end)) {
    const step = reader.stepFiles(n);
    if (step !== undefined) return step;
  }
  return undefined;
}

/**
 * Files that tools changed in the turn that an entry ends: as recorded, or if there are no records, according to their
 * calls.
 */
export function changedFiles(reader: TreeReader, end: number): ReadonlySet<string> {
  const recorded = recordedFiles(reader, end);
  if (recorded.paths.size > 0) return recorded.paths;
  const files = new Set<string>();
  for (const n of upToStart(reader, end)) {
    const { changedFile } = reader.facts(n);
    if (changedFile !== undefined) files.add(changedFile);
  }
  return files;
}

/** The last text of an answer in the turn that an entry ends; "" if there is none. */
export function lastWords(reader: TreeReader, end: number): string {
  for (const n of upToStart(reader, end)) {
    const { sort, speaks, words } = reader.facts(n);
    if (sort === "answer" && speaks) return words;
  }
  return "";
}

function* upToStart(reader: TreeReader, end: number): Generator<number> {
  const { branches } = reader;
  let n = branches.conversationAt(end);
  for (let below = -1, steps = 0; n >= 0 && steps < TURN_LENGTH && !beginsTurn(reader, n, below); steps++) {
    yield n;
    below = n;
    n = branches.conversationParentOf(n);
  }
}
