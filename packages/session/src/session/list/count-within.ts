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
import { type CountedPlace, CountsCache } from "./counts-cache.js";

/** A session to count: one of our files, or one that must be converted first. */
export interface Countable extends CountedPlace {
  /** The size in bytes of a session file that takes as long to count. Called only if the session must be counted. */
  readonly work: () => number;
  /** Changes whenever the session does; undefined if it is gone. */
  readonly stamp: () => string | undefined;
  readonly count: () => SessionCounts | Promise<SessionCounts>;
  /**
   * It takes so long that a list must not try again and again: once left out, it stays left out until it changes or is
   * counted without a budget.
   */
  readonly once?: boolean;
}

export type CountOutcome =
  | { readonly kind: "counted"; readonly counts: SessionCounts }
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
      else if (options.budget !== undefined && cache?.wasLeftOut(item, stamp)) outcomes.push({ kind: "left-out" });
      else {
        const work = item.work();
        const fits = work <= left;
        if (fits) left -= work;
        else if (item.once === true) cache?.leaveOut(item, stamp);
        outcomes.push(fits ? await counted(item, stamp, { cache, signal: options.signal }) : { kind: "left-out" });
      }
      options.onProgress?.({ done: outcomes.length, total: items.length });
    }
    return outcomes;
  } finally {
    cache?.save();
  }
}

interface Counting {
  readonly cache: CountsCache | undefined;
  readonly signal: AbortSignal | undefined;
}

async function counted(item: Countable, stamp: string, { cache, signal }: Counting): Promise<CountOutcome> {
  // Yield, so that it can be cancelled.
  await setImmediate();
  if (signal?.aborted) throw stopped();
  try {
    const counts = await item.count();
    // Written to in the meantime: the counts are good enough to show, but not to keep.
    if (item.stamp() === stamp) cache?.keep(item, stamp, counts);
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
