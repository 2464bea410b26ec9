/**
 * Counts sessions one after the other, as far as a budget goes; what was counted before costs nothing. Nothing is
 * written unless the caller names a file for the cache, so programs that only use the engine get no extra files.
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

/** A session to count: one of our files, or one that has to be converted first. */
export interface Countable extends CountedPlace {
  /** Bytes of a session file whose counting takes as long. Asked for only if it has to be counted. */
  readonly work: () => number;
  /** Different as soon as the session is; undefined if it is gone. */
  readonly stamp: () => string | undefined;
  readonly count: () => SessionCounts | Promise<SessionCounts>;
}

export type CountOutcome =
  | { readonly kind: "counted"; readonly counts: SessionCounts }
  /** More than what was left of the budget. */
  | { readonly kind: "left-out" }
  | { readonly kind: "failed" };

export interface CountProgress {
  readonly done: number;
  readonly total: number;
}

interface CountOptions {
  /** Where counts are kept between two processes. */
  readonly cache?: string;
  /** Sum of `work`. Default: no end. One that does not fit is omitted, and smaller ones after it may still fit. */
  readonly budget?: number;
  readonly signal?: AbortSignal;
  /** Told after each one. */
  readonly onProgress?: (progress: CountProgress) => void;
}

/** An outcome for each, in their order. What was counted before it is stopped is kept. */
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
        const work = item.work();
        const fits = work <= left;
        if (fits) left -= work;
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
    // Written to in between: the counts are good enough to be shown, and not to be kept.
    if (item.stamp() === stamp) cache?.keep(item, stamp, counts);
    return { kind: "counted", counts };
  } catch (error) {
    if (signal?.aborted) throw error;
    // Gone or unreadable since the list was made: opening it says what is wrong.
    return { kind: "failed" };
  }
}

function stopped(): SessionError {
  return new SessionError("aborted", "Counting was stopped");
}

/** An old dialect is upgraded, line by line and in memory, before it can be counted. */
const UPGRADE_FACTOR = 16;

/** A session file as something to be counted. */
export function countable({ path, size }: Pick<SessionInfo, "path" | "size">): Countable {
  const work = () => (isOld(path) ? size * UPGRADE_FACTOR : size);
  return { path, work, stamp: () => stampOf(path), count: () => countSession(path) };
}

function isOld(path: string): boolean {
  // Whatever is wrong with it, counting it will say.
  const header = attempt(() => peekHeader(path));
  return header !== undefined && sessionVersion(header).kind === "old";
}

/** Sessions only grow, so size and time tell; the number of the file tells where one was put in the place of another. */
function stampOf(path: string): string | undefined {
  // A folder on the way may not be entered any more.
  const stats = attempt(() => statSync(path));
  return stats?.isFile() ? `${stats.size}.${stats.mtimeMs}.${stats.ino}` : undefined;
}
