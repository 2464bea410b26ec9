/** Which entries have their own row under a filter. Reads an entry only if its kind is not enough. */
import { Kind, Role } from "../../../entry/index.js";
import { isExtensionMessageAt, isPromptAt } from "../../../tree/index.js";
import type { TreeReader } from "../tree-reader.js";
import type { TreeState } from "../tree-state.js";
import { beginsTurn } from "./turn-start.js";

/** A turn is searched for changed files and failures only this far. */
const TURN_LENGTH = 300;

export interface PlaceOnPath {
  /** Entries from the top down. */
  readonly path: Int32Array;
  readonly at: number;
}

/** Whether an entry has a row. Created once for many entries, so that shared data is computed once. */
export function shownUnder(reader: TreeReader, state: TreeState): (place: PlaceOnPath) => boolean {
  const { filter, narrowing } = state;
  const { labelled } = reader;
  const passes = (n: number): boolean => {
    if (filter === "all") return true;
    return filter === "labeled-only" ? labelled.has(n) : passesFilter(reader, filter, n);
  };
  if (narrowing === "none") return ({ path, at }) => passes(path[at] as number);
  return (place) => passes(place.path[place.at] as number) && passesNarrowing(reader, state, place);
}

function passesFilter(reader: TreeReader, filter: "default" | "no-tools" | "user-only", n: number): boolean {
  const { tree } = reader.source;
  switch (tree.kindOf(n)) {
    case Kind.compaction:
    case Kind.branchSummary:
      return filter !== "user-only";
    case Kind.customMessage:
      return filter !== "user-only" && !reader.facts(n).hidden;
    case Kind.unreadable:
      return filter !== "user-only";
    case Kind.message:
      return filter === "user-only" ? tree.roleOf(n) === Role.user : isMessageShown(reader, filter, n);
    default:
      return false;
  }
}

function isMessageShown(reader: TreeReader, filter: "default" | "no-tools", n: number): boolean {
  switch (reader.source.tree.roleOf(n)) {
    case Role.user:
      return true;
    case Role.toolResult:
    case Role.bashExecution:
      return filter === "default";
    case Role.assistant: {
      const { speaks, calls } = reader.facts(n);
      // A call is shown with its result. Without a result it has its own row.
      return speaks || calls === 0 || (filter === "default" && !hasResult(reader, n));
    }
    default:
      return !reader.facts(n).hidden;
  }
}

function hasResult({ source, branches }: TreeReader, n: number): boolean {
  const below = branches.firstChildOf(n);
  return below >= 0 && source.tree.kindOf(below) === Kind.message && source.tree.roleOf(below) === Role.toolResult;
}

function passesNarrowing(reader: TreeReader, state: TreeState, place: PlaceOnPath): boolean {
  const n = place.path[place.at] as number;
  switch (state.narrowing) {
    case "none":
      return true;
    case "matches":
      return state.search?.has(n) ?? true;
    case "files":
      return anyInRow(
        reader,
        state,
        place,
        (at) => reader.stepFiles(at) !== undefined || reader.facts(at).changedFile !== undefined,
      );
    case "failed":
      return anyInRow(reader, state, place, (at) => reader.facts(at).trouble !== undefined);
  }
}

/** A prompt represents its turn if the turn has no other rows. */
function anyInRow(reader: TreeReader, state: TreeState, place: PlaceOnPath, holds: (n: number) => boolean): boolean {
  const n = place.path[place.at] as number;
  if (holds(n)) return true;
  if (state.filter !== "user-only" || !isPromptAt(reader.source.tree, n)) return false;
  const end = Math.min(turnEnd(reader, place), place.at + TURN_LENGTH);
  for (let i = place.at + 1; i <= end; i++) if (holds(place.path[i] as number)) return true;
  return false;
}

/** The index on the path at which the turn of an entry ends, before the next one starts. */
export function turnEnd(reader: TreeReader, { path, at }: PlaceOnPath): number {
  let end = at;
  while (end + 1 < path.length && !turnStartsAt(reader, { path, at: end + 1 })) end += 1;
  return end;
}

export function turnStartsAt(reader: TreeReader, { path, at }: PlaceOnPath): boolean {
  const n = path[at] as number;
  const { tree } = reader.source;
  return (
    isPromptAt(tree, n) ||
    (isExtensionMessageAt(tree, n) && beginsTurn(reader, n, conversationAfter(reader, { path, at })))
  );
}

/** The next conversation entry on the path after an index, or -1. */
export function conversationAfter({ branches }: TreeReader, { path, at }: PlaceOnPath): number {
  for (let i = at + 1; i < path.length; i++) {
    const n = path[i] as number;
    if (branches.conversationAt(n) === n) return n;
  }
  return -1;
}
