/** Fills in the counts of listed sessions: from the cache, or as far as a budget allows. */
import { type Stats, statSync } from "node:fs";
import type { SessionCounts, SessionInfo } from "@bough/session/session/index.js";
import {
  type Countable,
  type CountOutcome,
  type CountProgress,
  countable,
  countsCacheFile,
  countWithin,
} from "@bough/session/session/internal.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import type { ListedSession } from "./listed-session.js";

/**
 * Bytes counted without being asked to: about a tenth of a second, and less than half a second if every line is short.
 * A fixed number instead of a time, so that the same folder gives the same list on every machine.
 */
export const COUNT_BUDGET = 128 << 20;
/** A byte of another agent has to be parsed, converted and written before it is counted. */
const CONVERSION_FACTOR = 16;
/** The cost of creating and removing a folder, however short the session is. */
const CONVERSION_BASE = 1 << 20;

interface CountOptions {
  /** Count everything, however long it takes. */
  readonly exact: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: CountProgress) => void;
}

export interface CountedList {
  readonly sessions: readonly ListedSession[];
  /** Sessions for which the budget was too small. */
  readonly leftOut: number;
  /** Sessions that have grown since they were counted. */
  readonly grown: number;
  /** Sessions that could not be read. */
  readonly failed: number;
}

/** The sessions in order. The order decides which are counted, so put the most important first. */
export async function countListed(sessions: readonly ListedSession[], options: CountOptions): Promise<CountedList> {
  const open = sessions.filter(({ info }) => !info.exact);
  const outcomes = await countWithin(
    open.map((session) => countableOf(session, options.signal)),
    {
      cache: countsCacheFile(),
      signal: options.signal,
      budget: options.exact ? undefined : COUNT_BUDGET,
      onProgress: options.onProgress,
    },
  );
  const outcomeOf = new Map(open.map((session, i) => [session, outcomes[i]]));
  const count = (kind: CountOutcome["kind"]) => outcomes.filter((outcome) => outcome.kind === kind).length;
  return {
    sessions: sessions.map((session) => {
      const outcome = outcomeOf.get(session);
      if (outcome?.kind === "counted") return withCounts(session, { ...outcome.counts, exact: true });
      return outcome?.kind === "counted-earlier" ? withCounts(session, { ...outcome.counts, exact: false }) : session;
    }),
    leftOut: count("left-out"),
    grown: count("counted-earlier"),
    failed: count("failed"),
  };
}

function withCounts(session: ListedSession, counts: SessionCounts & Pick<SessionInfo, "exact">): ListedSession {
  const { info, source } = session;
  // The name from its own program wins over the one from a conversion.
  const name = source === undefined ? counts.name : (info.name ?? (info.firstMessage === "" ? counts.name : undefined));
  return { ...session, info: { ...info, ...counts, name } };
}

function countableOf({ info, source, sharesFile }: ListedSession, signal: AbortSignal): Countable {
  if (source === undefined) return countable(info);
  const place = { path: source.path, id: `${source.agent}:${source.id}`, stamp: () => stampOf(source) };
  // pi's files are opened like ours.
  if (source.agent === "pi") return { ...countable(info), ...place };
  const work = () => CONVERSION_BASE + info.size * CONVERSION_FACTOR;
  const count = async () => (await import("@bough/workbench/interop/internal.js")).countForeign(source, { signal });
  return { ...place, work, count, slowBytes: sharesFile === true ? 0 : info.size };
}

/** All files of the session, and what its database has not absorbed yet. The change time reveals times set back. */
function stampOf({ agent, path, files, modified }: ForeignSession): string | undefined {
  const own = statOf(path);
  if (own === undefined) return undefined;
  let size = 0;
  let latest = 0;
  const others = [...files.filter((file) => file !== path), ...(agent === "opencode" ? [`${path}-wal`] : [])];
  for (const stats of [own, ...others.map(statOf)]) {
    size += stats?.size ?? 0;
    latest = Math.max(latest, stats?.mtimeMs ?? 0, stats?.ctimeMs ?? 0);
  }
  return `${size}.${latest}.${own.ino}.${files.length}.${modified.getTime()}`;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A folder on the way is not accessible: treat the file as missing.
    return undefined;
  }
}
