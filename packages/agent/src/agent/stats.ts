import { callsIn, Kind, Role, resultIn, roleIn, type SessionEntry } from "@bough/session/entry/index.js";
import { inOneGo, inSlices, type Steps, WorkTurns } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import type { SessionStats, Totals } from "@bough/session/view/internal.js";
import { contextTokens, contextTokensInSlices } from "./summary/token-estimate.js";
import { UsageCounter } from "./usage-total.js";

/** Counts, tokens and cost of this path and of the whole session. Reads every entry once and keeps none. */
export function sessionStats(session: SessionManager): SessionStats {
  return statsOf(session, {
    path: totalsOf(upwards(session, session.getLeafId())),
    session: totalsOf(everyEntry(session)),
    subAgents: subAgentEntries(session, (entries) => totalsOf(entries)),
    context: contextTokens(session),
  });
}

/** The same in slices, so that a large session does not block. Entries added in the meantime may be missing. */
export async function sessionStatsInSlices(session: SessionManager): Promise<SessionStats> {
  const turns = new WorkTurns();
  const path = await inSlices(countingTotals(upwards(session, session.getLeafId())), turns);
  const whole = await inSlices(countingTotals(everyEntry(session)), turns);
  const subAgents = await subAgentEntries(session, (entries) => inSlices(countingTotals(entries), turns));
  const context = await contextTokensInSlices(session);
  return statsOf(session, { path, session: whole, subAgents, context });
}

type Counted = Pick<SessionStats, "path" | "session" | "context"> & { readonly subAgents: Totals | undefined };

function statsOf(session: SessionManager, { subAgents, ...counted }: Counted): SessionStats {
  return {
    sessionId: session.getSessionId(),
    file: session.getSessionFile(),
    name: session.getSessionName(),
    branches: session.getCounts().branches,
    ...counted,
    ...(subAgents === undefined ? {} : { subAgents }),
  };
}

export function totalsOf(entries: Iterable<SessionEntry>): Totals {
  return inOneGo(countingTotals(entries));
}

function* countingTotals(entries: Iterable<SessionEntry>): Steps<Totals> {
  const counter = new TotalsCounter();
  for (const entry of entries) {
    counter.add(entry);
    yield;
  }
  return counter.totals();
}

export class TotalsCounter {
  readonly #usage = new UsageCounter();
  readonly #counts = { entries: 0, userMessages: 0, answers: 0, toolCalls: 0, errors: 0, compactions: 0 };

  add(entry: SessionEntry): void {
    this.#usage.add(entry);
    const counts = this.#counts;
    counts.entries += 1;
    const role = roleIn(entry);
    if (role === "user") counts.userMessages += 1;
    if (role === "assistant") counts.answers += 1;
    counts.toolCalls += callsIn(entry).length;
    if (isError(entry)) counts.errors += 1;
    if (entry.type === "compaction") counts.compactions += 1;
  }

  totals(): Totals {
    return { ...this.#counts, usage: this.#usage.total() };
  }
}

/** A tool result that is an error, or an answer that failed. */
export function isError(entry: SessionEntry): boolean {
  if (resultIn(entry)?.isError === true) return true;
  if (entry.type !== "message" || roleIn(entry) !== "assistant") return false;
  return (entry.message as { readonly stopReason?: unknown }).stopReason === "error";
}

function* everyEntry(session: SessionManager): Generator<SessionEntry> {
  const { tree, entryAt } = session.getSource();
  for (let n = 0; n < tree.count; n++) if (tree.kindOf(n) !== Kind.unreadable) yield entryAt(n);
}

/** Counts the entries of sub-agents; undefined if there are none. A child comes after its parent in the file. */
function subAgentEntries<Counted>(
  session: SessionManager,
  count: (entries: Iterable<SessionEntry>) => Counted,
): Counted | undefined {
  const { tree, entryAt } = session.getSource();
  const theirs = new Set<number>();
  for (let n = 0; n < tree.count; n++) {
    if (tree.roleOf(n) === Role.subagent || (theirs.size > 0 && theirs.has(tree.parentOf(n)))) theirs.add(n);
  }
  if (theirs.size === 0) return undefined;
  const numbers = [...theirs].filter((n) => tree.kindOf(n) !== Kind.unreadable);
  return count(entriesAt(numbers, entryAt));
}

function* entriesAt(numbers: readonly number[], entryAt: (n: number) => SessionEntry): Generator<SessionEntry> {
  for (const n of numbers) yield entryAt(n);
}
