/** Fills in what a list counts, for the sessions that are shown: from the cache, or as far as a budget goes. */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { listSessions, type SessionCounts } from "@bough/session/session/index.js";
import {
  type Countable,
  type CountOutcome,
  type CountProgress,
  countable,
  countSession,
  countsCacheFile,
  countWithin,
} from "@bough/session/session/internal.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import type { ListedSession } from "./listed-session.js";

/**
 * Bytes that are counted without being asked to: about a tenth of a second, and less than half a one where every line is
 * short. A fixed number and not a time, so that the same folder gives the same list on every machine.
 */
export const COUNT_BUDGET = 128 << 20;
/** A foreign byte has to be parsed, converted and written before it is counted. */
const CONVERSION_FACTOR = 16;
/** A folder to be made and removed, however short the session is. */
const CONVERSION_BASE = 1 << 20;

interface CountOptions {
  /** Count all, however long it takes. */
  readonly exact: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: CountProgress) => void;
}

export interface CountedList {
  readonly sessions: readonly ListedSession[];
  /** Sessions that the budget was too small for. */
  readonly leftOut: number;
  /** Sessions that could not be read. */
  readonly failed: number;
}

/** The sessions in their order. Which are counted depends on that order, so the most important come first. */
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
      return outcome?.kind === "counted" ? withCounts(session, outcome.counts) : session;
    }),
    leftOut: count("left-out"),
    failed: count("failed"),
  };
}

function withCounts(session: ListedSession, counts: SessionCounts): ListedSession {
  const { info, source } = session;
  // What its own program calls it counts before what it is called after a conversion.
  const name = source === undefined ? counts.name : (info.name ?? (info.firstMessage === "" ? counts.name : undefined));
  return { ...session, info: { ...info, ...counts, name, exact: true } };
}

function countableOf({ info, source }: ListedSession, signal: AbortSignal): Countable {
  if (source === undefined) return countable(info);
  const place = { path: source.path, id: `${source.agent}:${source.id}`, stamp: () => stampOf(source) };
  // pi's files are opened as they are everywhere.
  if (source.agent === "pi") return { ...countable(info), ...place };
  const work = () => CONVERSION_BASE + info.size * CONVERSION_FACTOR;
  return { ...place, work, count: () => countConverted(source, signal) };
}

async function countConverted(source: ForeignSession, signal: AbortSignal): Promise<SessionCounts> {
  const { openSource } = await import("@bough/workbench/interop/index.js");
  const opened = await openSource(source, { originals: "leave-out", signal });
  try {
    const counts = countSession(opened.file);
    if (counts.name !== undefined || source.title !== undefined) return counts;
    // Nothing else tells what it is about.
    const [info] = await listSessions(dirname(opened.file));
    return { ...counts, name: info?.firstMessage === "" ? undefined : info?.firstMessage };
  } finally {
    opened.close();
  }
}

/** All files of the session, and what its database has not taken in yet. */
function stampOf({ path, files, modified }: ForeignSession): string | undefined {
  if (statOf(path) === undefined) return undefined;
  let size = 0;
  let latest = 0;
  for (const stats of [...files, `${path}-wal`].map(statOf)) {
    size += stats?.size ?? 0;
    latest = Math.max(latest, stats?.mtimeMs ?? 0);
  }
  return `${size}.${latest}.${files.length}.${modified.getTime()}`;
}

function statOf(path: string): { readonly size: number; readonly mtimeMs: number } | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A folder on the way that may not be entered: as good as gone.
    return undefined;
  }
}
