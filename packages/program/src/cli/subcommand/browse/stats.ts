/** `bough stats`: tokens and cost by path, branch, model and day, with bars. */
import type { Totals } from "@bough/agent/agent/index.js";
import { totalsOf, UsageCounter } from "@bough/agent/agent/internal.js";
import type { SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { counted } from "@bough/session/text/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { branchName } from "@bough/session/view/internal.js";
import { openToLook } from "../open-to-look.js";
import { sessionArgument } from "../session-argument.js";
import { sessionFacts, sessionTitle } from "../session-facts.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { DRAWING_FLAGS } from "../subcommand-flag.js";
import { type ChartOptions, type ChartRow, usageChart } from "../usage-chart.js";

export const row: SubcommandRow = {
  name: "stats",
  usage: "[session]",
  summary: "Show token usage and cost of a session",
  details:
    "Shows totals for the current path and the whole session, then by branch, model and day (UTC), with small charts. Includes abandoned branches and summaries. Unknown prices are reported as unknown, not as zero.",
  flags: {
    limit: { short: "n", value: "n", help: "rows per table (default 12)" },
    ascii: DRAWING_FLAGS.ascii,
  },
  examples: [
    ["stats", "the last session in this folder"],
    ["stats 4f2a --json", "for a script"],
  ],
  json: '{ "session": { id, path, name, leafId, agent? }, "path": totals, "whole": totals, "branches": [{ branch, name, entries, usage }], "models": [{ model, calls, usage }], "days": [{ day, calls, usage }] }; usage is { input, output, cacheRead, cacheWrite, tokens, dollars, unpriced }.',
  args: { least: 0, most: 1 },
  completes: "sessions",
};

const ROWS = 12;

export async function run(call: SubcommandCall): Promise<number> {
  const { out, flags, signal } = call;
  const { session, foreign, close } = await openToLook(await sessionArgument(call.args[0], call.places, call), call);
  try {
    const tables = usageTables(session, signal);
    if (out.json) {
      const { path, whole, branches, models, days } = tables;
      out.value({
        session: sessionFacts(session, foreign),
        path,
        whole,
        branches,
        models: models.map(({ name, ...rest }) => ({ model: name, ...rest })),
        days: days.map(({ name, ...rest }) => ({ day: name, ...rest })),
      });
      return 0;
    }
    const glyphs = out.glyphs({ ascii: flags.isOn("ascii") });
    const rows = flags.count("limit") ?? ROWS;
    await out.lines(statsLines(tables, { title: sessionTitle(session, foreign), width: out.width, glyphs, rows }));
    return 0;
  } finally {
    close();
  }
}

interface StatsOptions extends ChartOptions {
  readonly title: string;
  readonly rows: number;
}

function* statsLines(tables: UsageTables, options: StatsOptions): Generator<Line> {
  yield [span(options.title, "strong")];
  yield [];
  const totals = [
    { name: "this path", detail: entriesText(tables.path), usage: tables.path.usage },
    { name: "all branches", detail: entriesText(tables.whole), usage: tables.whole.usage },
  ];
  yield* usageChart("Total", totals, options);
  const branches = tables.branches.map(({ branch, name, entries, usage }) => ({
    name: `#${branch} ${name}`,
    detail: counted(entries, "entry", "entries"),
    usage,
  }));
  // The largest of many, in their original order.
  yield* usageChart("By branch", largest(branches, options.rows), { ...options, total: branches.length });
  const calls = (of: UsageTables["models"]) => of.map((one) => ({ ...one, detail: counted(one.calls, "call") }));
  yield* usageChart("By model", calls(tables.models).slice(0, options.rows), {
    ...options,
    total: tables.models.length,
  });
  yield* usageChart("By day", calls(tables.days).slice(-options.rows), { ...options, total: tables.days.length });
  const { unpriced } = tables.whole.usage;
  if (unpriced > 0) yield [span(`${counted(unpriced, "call")} without a known price`, "muted")];
}

function largest(rows: readonly ChartRow[], most: number): ChartRow[] {
  if (rows.length <= most) return [...rows];
  const kept = new Set([...rows].sort((a, b) => b.usage.tokens - a.usage.tokens).slice(0, most));
  return rows.filter((row) => kept.has(row));
}

function entriesText({ userMessages, toolCalls }: UsageTables["path"]): string {
  return `${counted(userMessages, "prompt")}, ${counted(toolCalls, "tool call")}`;
}

/** Tokens and cost of a session, grouped by branch, model and day. */
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

interface UsageTables {
  readonly path: Totals;
  readonly whole: Totals;
  /** By number. Entries above the first fork belong to branch 1. */
  readonly branches: readonly BranchUsage[];
  /** Most tokens first. */
  readonly models: readonly NamedUsage[];
  /** Oldest first, in UTC. */
  readonly days: readonly NamedUsage[];
}

/** Reads every entry once and keeps none in memory. */
function usageTables(session: SessionManager, signal: AbortSignal): UsageTables {
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
        bucket(byDay, /^\d{4}-\d{2}-\d{2}/.exec(String(entry.timestamp))?.[0] ?? "unknown").add(entry);
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

/** The model that used something, if the entry names one. */
function usageOf(entry: SessionEntry): { readonly model: string } | undefined {
  const holder = (entry.type === "message" ? entry.message : entry) as unknown as Readonly<Record<string, unknown>>;
  if (typeof holder?.usage !== "object" || holder.usage === null) return undefined;
  const { provider, model } = holder;
  const parts = [provider, model].filter((part) => typeof part === "string" && part !== "");
  return { model: parts.length === 0 ? "unknown" : parts.join("/") };
}
