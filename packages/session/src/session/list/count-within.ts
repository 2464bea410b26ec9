/**
 * Counts sessions one after the other within a budget; sessions counted before cost nothing. Nothing is written unless
 * the caller names a cache file, so programs that only use the engine get no extra files.
 */
import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { SessionError } from "../../entry/index.js";
import { sessionVersion } from "../../entry/internal.js";
import { attempt } from "../../text/index.js";
import { peekHeader } from "../open/open-log.js";
import { countSession, type SessionInfo } from "../session-info.js";
import type { SessionCounts } from "./count-log.js";
import { type CountedPlace, type CountedState, CountsCache } from "./counts-cache.js";

/** A session to count: one of our files, or one that must be converted first. */
export interface Countable extends CountedPlace {
  /** The size in bytes of a session file that takes as long to count. Called only if the session must be counted. */
  readonly work: () => number;
  /** Changes whenever the session does; undefined if it is gone. */
  readonly stamp: () => string | undefined;
  readonly count: () => SessionCounts | Promise<SessionCounts>;
  /**
   * Its size in bytes, if counting takes so long that a list must not do it for every few bytes: within a budget, it is
   * counted again, or tried again after it was left out, only once it has grown by half. 0 if its size is unknown: any
   * change counts then.
   */
  readonly slowBytes?: number;
}

export type CountOutcome =
  | { readonly kind: "counted"; readonly counts: SessionCounts }
  /** It has grown since it was counted. */
  | { readonly kind: "counted-earlier"; readonly counts: SessionCounts }
  /** It would have exceeded the remaining budget. */
  | { readonly kind: "left-out" }
  | { readonly kind: "failed" };

export interface CountProgress {
  readonly done: number;
  readonly total: number;
}

interface CountOptions {
  /** A file that keeps counts between processes. */
  readonly cache?: string;
  /**
   * Limit for the sum of `work`. Default: unlimited. A session that does not fit is skipped; smaller ones after it may
   * still fit.
   */
  readonly budget?: number;
  readonly signal?: AbortSignal;
  /** Called after each session. */
  readonly onProgress?: (progress: CountProgress) => void;
}

/** One outcome per item, in order. Counts made before an abort are kept. */
export async function countWithin(items: readonly Countable[], options: CountOptions = {}): Promise<CountOutcome[]> {
  const cache = options.cache === undefined || items.length === 0 ? undefined : new CountsCache(options.cache);
  let left = options.budget ?? Number.POSITIVE_INFINITY;
  const outcomes: CountOutcome[] = [];
  try {
    for (const item of items) {
      if (options.signal?.aborted) throw stopped();
      const stamp = item.stamp();
      const known = stamp === undefined ? undefined : cache?.find(item, stamp);
      if (known !== undefined) outcomes.push({ kind: "counted", counts: known });
      else if (stamp === undefined) outcomes.push({ kind: "failed" });
      else {
        const state = { stamp, bytes: item.slowBytes };
        const earlier = options.budget === undefined ? undefined : cache?.findEarlier(item, state);
        const work = earlier === undefined ? item.work() : 0;
        const fits = work <= left;
        if (earlier !== undefined) outcomes.push(outcomeOf(earlier));
        else if (fits) {
          left -= work;
          outcomes.push(await counted(item, state, { cache, signal: options.signal }));
        } else {
          if (item.slowBytes !== undefined) cache?.keep(item, state, undefined);
          outcomes.push({ kind: "left-out" });
        }
      }
      options.onProgress?.({ done: outcomes.length, total: items.length });
    }
    return outcomes;
  } finally {
    cache?.save();
  }
}

function outcomeOf({ counts }: { readonly counts: SessionCounts | undefined }): CountOutcome {
  return counts === undefined ? { kind: "left-out" } : { kind: "counted-earlier", counts };
}

interface Counting {
  readonly cache: CountsCache | undefined;
  readonly signal: AbortSignal | undefined;
}

async function counted(item: Countable, state: CountedState, { cache, signal }: Counting): Promise<CountOutcome> {
  // Yield, so that it can be cancelled.
  await setImmediate();
  if (signal?.aborted) throw stopped();
  try {
    const counts = await item.count();
    // Written to in the meantime: the counts are good enough to show, but not to keep.
    if (item.stamp() === state.stamp) cache?.keep(item, state, counts);
    return { kind: "counted", counts };
  } catch (error) {
    if (signal?.aborted) throw error;
    // Gone or unreadable since the list was made: opening it will report the reason.
    return { kind: "failed" };
  }
}

function stopped(): SessionError {
  return new SessionError("aborted", "Counting was stopped");
}

/** An old dialect is upgraded in memory, line by line, before it can be counted. */
const UPGRADE_FACTOR = 16;

/** Makes a session file countable. */
export function countable({ path, size }: Pick<SessionInfo, "path" | "size">): Countable {
  const work = () => (isOld(path) ? size * UPGRADE_FACTOR : size);
  return { path, work, stamp: () => stampOf(path), count: () => countSession(path) };
}

function isOld(path: string): boolean {
  // Counting reports whatever is wrong with it.
  const header = attempt(() => peekHeader(path));
  return header !== undefined && sessionVersion(header).kind === "old";
}

/** Sessions only grow, so size and time reveal a change; the inode reveals a replaced file. */
function stampOf(path: string): string | undefined {
  // A parent folder may no longer be accessible.
  const stats = attempt(() => statSync(path));
  return stats?.isFile() ? `${stats.size}.${stats.mtimeMs}.${stats.ino}` : undefined;
}
