/** Tokens and cost of a session, sorted by branch, model and day. */
import type { Totals } from "../../agent/index.js";
import { totalsOf, UsageCounter } from "../../agent/internal.js";
import type { SessionEntry } from "../../entry/index.js";
import type { SessionManager } from "../../session/index.js";
import { branchIndexOf } from "../../tree/index.js";
import { branchName } from "../../view/internal.js";

interface BranchUsage {
  readonly branch: number;
  readonly name: string;
  readonly entries: number;
  readonly usage: Totals["usage"];
}

/** Of a model or a day. */
interface NamedUsage {
  readonly name: string;
  readonly calls: number;
  readonly usage: Totals["usage"];
}

export interface UsageTables {
  readonly path: Totals;
  readonly whole: Totals;
  /** By number. What is above the first fork belongs to branch 1. */
  readonly branches: readonly BranchUsage[];
  /** Most tokens first. */
  readonly models: readonly NamedUsage[];
  /** Oldest first, in UTC. */
  readonly days: readonly NamedUsage[];
}

/** Reads every entry once and keeps none. */
export function usageTables(session: SessionManager, signal: AbortSignal): UsageTables {
  const source = session.getSource();
  const branches = branchIndexOf(source.tree);
  const byBranch = new Map<number, Bucket>();
  const byModel = new Map<string, Bucket>();
  const byDay = new Map<string, Bucket>();
  const entries = function* (): Generator<SessionEntry> {
    for (let n = 0; n < source.tree.count; n++) {
      if (n % 4096 === 0) signal.throwIfAborted();
      const entry = source.entryAt(n);
      bucket(byBranch, branches.branchOf(n)).add(entry);
      const usage = usageOf(entry);
      if (usage !== undefined) {
        bucket(byModel, usage.model).add(entry);
        bucket(byDay, dayOf(entry)).add(entry);
      }
      yield entry;
    }
  };
  const whole = totalsOf(entries());
  const named = ([name, { count, usage }]: readonly [string, Bucket]): NamedUsage => ({
    name,
    calls: count,
    usage: usage.total(),
  });
  return {
    path: totalsOf(session.readBranch()),
    whole,
    branches: [...byBranch]
      .filter(([branch]) => branch > 0)
      .sort(([a], [b]) => a - b)
      .map(([branch, { count, usage }]) => ({
        branch,
        name: branchName(source, branch),
        entries: count,
        usage: usage.total(),
      })),
    models: [...byModel].map(named).sort((a, b) => b.usage.tokens - a.usage.tokens),
    days: [...byDay].map(named).sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

class Bucket {
  readonly usage = new UsageCounter();
  count = 0;

  add(entry: SessionEntry): void {
    this.count += 1;
    this.usage.add(entry);
  }
}

function bucket<Key>(buckets: Map<Key, Bucket>, key: Key): Bucket {
  const known = buckets.get(key);
  if (known !== undefined) return known;
  const made = new Bucket();
  buckets.set(key, made);
  return made;
}

/** Which model used something, where an entry says so. */
function usageOf(entry: SessionEntry): { readonly model: string } | undefined {
  const holder = (entry.type === "message" ? entry.message : entry) as unknown as Readonly<Record<string, unknown>>;
  if (typeof holder?.usage !== "object" || holder.usage === null) return undefined;
  const { provider, model } = holder;
  const parts = [provider, model].filter((part) => typeof part === "string" && part !== "");
  return { model: parts.length === 0 ? "unknown" : parts.join("/") };
}

function dayOf({ timestamp }: SessionEntry): string {
  return /^\d{4}-\d{2}-\d{2}/.exec(String(timestamp))?.[0] ?? "unknown";
}
