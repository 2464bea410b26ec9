/** Pairs calls and results of a path: all at once, or from one position. */
import { type EntryId, resultIn, type SessionEntry } from "../../entry/index.js";
import type { TreeSource } from "../../tree/index.js";
import type { TranscriptBlock } from "./block.js";
import { copiesRun } from "./copies-run.js";
import { type BlockFinder, entryBlocks } from "./entry-blocks.js";
import { callsIn, messageIn } from "./read-content.js";

/** The blocks of a whole path, oldest first. For exports and plain output, because it reads everything. */
export function pathBlocks(
  entries: readonly SessionEntry[],
  find: Pick<BlockFinder, "branchName" | "isRunning"> = {},
): TranscriptBlock[] {
  const { results, paired } = pairedResults(entries);
  const blocks: TranscriptBlock[] = [];
  for (const [index, entry] of entries.entries()) {
    const own = entryBlocks(entry, {
      ...find,
      copies: () =>
        copiesRun(
          (offset) => entries[index + offset],
          (id) => find.branchName?.(id),
        ),
      isChangedAgain: () => entries[index + 1]?.type === entry.type,
      resultOf: (callId) => results.get(entry.id)?.get(callId),
      hasCall: () => paired.has(entry.id),
    });
    for (const block of own) blocks.push(block);
  }
  return blocks;
}

/** A result belongs to the nearest call with its ID above it; if a call has several results, the first counts. */
function pairedResults(entries: readonly SessionEntry[]): {
  readonly results: ReadonlyMap<EntryId, ReadonlyMap<string, SessionEntry>>;
  readonly paired: ReadonlySet<EntryId>;
} {
  const results = new Map<EntryId, Map<string, SessionEntry>>();
  const paired = new Set<EntryId>();
  const nearest = new Map<string, Map<string, SessionEntry>>();
  for (const entry of entries) {
    const callId = resultIn(entry)?.toolCallId;
    const open = callId === undefined ? undefined : nearest.get(callId);
    if (callId !== undefined && open !== undefined && !open.has(callId)) {
      open.set(callId, entry);
      paired.add(entry.id);
    }
    const calls = callsIn(entry);
    if (calls.length === 0) continue;
    const own = new Map<string, SessionEntry>();
    results.set(entry.id, own);
    for (const { id } of calls) nearest.set(id, own);
  }
  return { results, paired };
}

/** No answer makes this many calls. */
const MOST_CALLS = 400;

/**
 * The finder for the entry at `at` of a path of entry numbers, oldest first. It reads only from an answer to the next
 * one, where results are. For a list that holds a part of a path: anything outside is not found.
 */
export function finderAt(
  source: Pick<TreeSource, "entryAt">,
  path: ArrayLike<number>,
  at: number,
): Pick<BlockFinder, "resultOf"> & Required<Pick<BlockFinder, "hasCall">> {
  const entryOf = (index: number) => source.entryAt(path[index] as number);
  return {
    resultOf: (callId) => {
      for (let index = at + 1; index < Math.min(path.length, at + MOST_CALLS); index++) {
        const entry = entryOf(index);
        if (resultIn(entry)?.toolCallId === callId) return entry;
        if (isAnswer(entry)) return undefined;
      }
      return undefined;
    },
    hasCall: (callId) => {
      for (let index = at - 1; index >= Math.max(0, at - MOST_CALLS); index--) {
        const entry = entryOf(index);
        if (isAnswer(entry)) return callsIn(entry).some(({ id }) => id === callId);
        // Of two results, the first is drawn with the call.
        if (resultIn(entry)?.toolCallId === callId) return false;
      }
      return false;
    },
  };
}

function isAnswer(entry: SessionEntry): boolean {
  return messageIn(entry)?.role === "assistant";
}
