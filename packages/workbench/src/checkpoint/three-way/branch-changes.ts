/** What was done to files elsewhere in the session: on another branch, or by chosen steps. */
import {
  callsIn,
  type EntryId,
  type FileDelta,
  type FileState,
  Kind,
  Role,
  type SkippedFile,
} from "@bough/session/entry/index.js";
import { type FilesRecord, sameFile } from "@bough/session/entry/internal.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { commonAncestor, fileTargets, isConversation, isOnPath, type TreeSource } from "@bough/session/tree/index.js";
import { skippedOn } from "../diff-files.js";
import { withOrigins } from "../record-origins.js";
import { stateNumber } from "../state-entry.js";
import { changesOf, checkNamed, checkRecords, recordAt, stepsBetween, unknownRecordAt } from "../steps-between.js";
import type { BlobStore } from "../store/blob-store.js";
import type { PathChange } from "./plan-merged-files.js";

type Source = Pick<TreeSource, "tree" | "entryAt">;

interface ElsewhereOptions {
  /** Where the changes are brought, by number. */
  readonly leaf: number;
  readonly store: BlobStore;
  /** Entries that came from other machines; see `arrivedEntries`. */
  readonly arrived: ReadonlyMap<string, string>;
}

/** Changes that are not on this path. */
export interface ElsewhereChanges {
  readonly changes: readonly PathChange[];
  /** Paths that changed there but are not recorded. */
  readonly uncovered: readonly SkippedFile[];
  /** Names them in the record of bringing them. */
  readonly from: readonly EntryId[];
}

/**
 * From where this path and the other branch have the same files to the end of that branch. That is where they split, or
 * the end of an earlier merge that brought files. Throws like `stepsBetween`.
 */
export async function branchChanges(
  source: Source,
  tip: number,
  { leaf, store, arrived }: ElsewhereOptions,
): Promise<ElsewhereChanges> {
  const end = stateNumber(source, tip);
  const { base, split, left } = await lastMerged(source, { leaf, end });
  const wayFrom = async (from: number) => ({
    up: [],
    down: (await stepsBetween(source, { from, to: end, arrived }, store)).down,
  });
  const way = await wayFrom(base);
  const isLeft = new Set(left);
  const before = isLeft.size === 0 ? [] : fileTargets(await wayFrom(split)).filter(({ path }) => isLeft.has(path));
  const found = [...fileTargets(way).filter(({ path }) => !isLeft.has(path)), ...before];
  const targets = await withOrigins(found, source, { to: end, store, arrived });
  return {
    changes: targets.map(({ path, expected, wanted, from }) => ({
      path,
      legs: [{ before: expected, after: wanted }],
      from,
    })),
    uncovered: skippedOn(way),
    from: [source.tree.ids.textOf(end)],
  };
}

interface LastMerge {
  /** The last state of the other branch whose files were brought to this path, or where the two split. */
  readonly base: number;
  readonly split: number;
  /** Paths that were not brought then. */
  readonly left: readonly string[];
}

async function lastMerged(
  source: Source,
  { leaf, end }: { readonly leaf: number; readonly end: number },
): Promise<LastMerge> {
  const { tree } = source;
  const split = commonAncestor(tree, leaf, end);
  const turns = new WorkTurns();
  let base = split;
  let left: readonly string[] = [];
  for (let at = leaf; at >= 0 && at !== split; at = tree.parentOf(at)) {
    if (at % 64 === 0 && turns.isDue) await turns.yieldNow();
    const brought = recordAt(source, at)?.record.brought;
    if (brought?.via !== "merge") continue;
    for (const id of brought.from) {
      const merged = tree.ids.findText(id);
      if (merged <= base || !isOnPath(tree, merged, end)) continue;
      base = merged;
      left = brought.left ?? [];
    }
  }
  return { base, split, left };
}

/**
 * What the tool calls and shell commands among these entries changed, as recorded. Not what was brought to this path
 * before. Throws like `stepsBetween`.
 */
export async function pickedChanges(
  source: Source,
  entries: readonly number[],
  { leaf, store, arrived }: ElsewhereOptions,
): Promise<ElsewhereChanges> {
  const records = await recordsOf(source, entries, leaf);
  const paths = new Map<string, { readonly legs: Leg[]; from: string | undefined }>();
  const uncovered = new Map<string, SkippedFile>();
  checkRecords(records.length);
  for (const { entryId, record } of records) {
    for (const { path, before, after } of await changesOf(record, store)) {
      const known = paths.get(path) ?? { legs: [], from: undefined };
      paths.set(path, known);
      known.from ??= arrived.get(entryId);
      const last = known.legs.at(-1);
      if (last !== undefined && sameFile(last.after, before)) last.after = after;
      else known.legs.push({ before, after });
    }
    for (const one of record.skipped ?? []) uncovered.set(one.path, one);
    checkNamed(paths.size);
  }
  const changes = [...paths].flatMap(([path, { legs, from }]) => {
    const real = legs.filter(({ before, after }) => !sameFile(before, after));
    return real.length === 0 ? [] : [{ path, legs: real, from }];
  });
  return { changes, uncovered: [...uncovered.values()], from: records.map(({ entryId }) => entryId) };
}

interface Leg {
  readonly before: FileDelta["before"];
  after: FileState;
}

interface FoundRecord {
  readonly entryId: EntryId;
  readonly record: FilesRecord;
}

/** Oldest first. A record of parallel calls is taken as a whole: it cannot be divided. */
async function recordsOf(source: Source, entries: readonly number[], leaf: number): Promise<readonly FoundRecord[]> {
  const { tree, entryAt } = source;
  const picked = new Set(entries);
  const asked = new Set<string>();
  const commands = new Set<number>();
  let first = tree.count;
  for (const n of entries) {
    first = Math.min(first, n);
    if (tree.kindOf(n) !== Kind.message) continue;
    if (tree.roleOf(n) === Role.bashExecution) commands.add(stateNumber(source, n));
    for (const { id } of callsIn(entryAt(n))) asked.add(id);
  }
  if (asked.size === 0 && commands.size === 0) return [];
  const brought = broughtHere(source, leaf);
  const found: FoundRecord[] = [];
  // Parents come before their children.
  const isBelow = new Uint8Array(tree.count);
  const turns = new WorkTurns();
  for (let n = first; n < tree.count; n++) {
    if (n % 64 === 0 && turns.isDue) await turns.yieldNow();
    const parent = tree.parentOf(n);
    if (picked.has(n) || (parent >= 0 && isBelow[parent] === 1)) isBelow[n] = 1;
    if (isBelow[n] !== 1 || tree.kindOf(n) !== Kind.custom) continue;
    const one = recordAt(source, n);
    if (one === undefined) {
      const unknown = unknownRecordAt(source, n);
      if (unknown !== undefined && picked.has(stepAbove(tree, n))) throw unknown.error;
      continue;
    }
    const { by, callIds = [] } = one.record;
    // Copies of a call on other branches have the same ID.
    const isAsked = callIds.some((id) => asked.has(id));
    const isIts = (by === "tool" && isAsked) || (by === "person" && commands.has(n));
    if (isIts && !isOnPath(tree, n, leaf) && !brought.has(one.entryId)) found.push(one);
  }
  return found;
}

/** The message whose notes this entry is among; -1 if there is none. */
function stepAbove(tree: Source["tree"], n: number): number {
  let at = n;
  while (at >= 0 && !isConversation(tree.kindOf(at))) at = tree.parentOf(at);
  return at;
}

function broughtHere(source: Source, leaf: number): ReadonlySet<string> {
  const brought = new Set<string>();
  for (let at = leaf; at >= 0; at = source.tree.parentOf(at)) {
    const record = recordAt(source, at)?.record.brought;
    if (record?.via === "cherry-pick") for (const id of record.from) brought.add(id);
  }
  return brought;
}
