/** `bough stats`: tokens and cost by path, branch, model and day, with bars. */
import type { Totals } from "@bough/agent/agent/index.js";
import { totalsOf, UsageCounter } from "@bough/agent/agent/internal.js";
import type { SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { counted, firstWords, grouped, shortCount } from "@bough/session/text/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import { type Glyphs, type Line, span } from "@bough/session/view/index.js";
import { branchName, cutToWidth, displayWidth, padToWidth } from "@bough/session/view/internal.js";
import { openToLook } from "../open-to-look.js";
import { sessionArgument } from "../session-argument.js";
import { costText } from "../session-columns.js";
import { sessionFacts, sessionTitle } from "../session-facts.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { DRAWING_FLAGS } from "../subcommand-flag.js";

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
const BAR = 20;
const LEAST_BAR = 5;
const LEAST_NAME = 14;

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

interface StatsOptions {
  readonly title: string;
  readonly width: number;
  readonly glyphs: Glyphs;
  readonly rows: number;
}

function* statsLines(tables: UsageTables, options: StatsOptions): Generator<Line> {
  yield [span(options.title, "strong")];
  yield [];
  const totals = [
    { name: "this path", detail: entriesText(tables.path), usage: tables.path.usage },
    { name: "all branches", detail: entriesText(tables.whole), usage: tables.whole.usage },
  ];
  yield* chart("Total", totals, options);
  const branches = tables.branches.map(({ branch, name, entries, usage }) => ({
    name: `#${branch} ${name}`,
    detail: counted(entries, "entry", "entries"),
    usage,
  }));
  // The largest of many, in their original order.
  yield* chart("By branch", largest(branches, options.rows), options, branches.length);
  const calls = (of: UsageTables["models"]) => of.map((one) => ({ ...one, detail: counted(one.calls, "call") }));
  yield* chart("By model", calls(tables.models).slice(0, options.rows), options, tables.models.length);
  yield* chart("By day", calls(tables.days).slice(-options.rows), options, tables.days.length);
  const { unpriced } = tables.whole.usage;
  if (unpriced > 0) yield [span(`${counted(unpriced, "call")} without a known price`, "muted")];
}

interface ChartRow {
  readonly name: string;
  readonly detail: string;
  readonly usage: UsageTables["path"]["usage"];
}

function* chart(title: string, rows: readonly ChartRow[], options: StatsOptions, total = rows.length): Generator<Line> {
  if (rows.length === 0) return;
  const { glyphs, width } = options;
  const left = total > rows.length ? ` (${rows.length} of ${grouped(total)})` : "";
  yield [span(`${title}${left}`, "strong")];
  const most = Math.max(1, ...rows.map(({ usage }) => usage.tokens));
  const numbers = rows.map(({ usage, detail }) => [shortCount(usage.tokens), costText(usage), detail]);
  const widths = [0, 1, 2].map((column) => Math.max(...numbers.map((row) => displayWidth(row[column] ?? ""))));
  const free = width - widths.reduce((sum, one) => sum + one + 2, 2);
  const longest = Math.max(...rows.map(({ name }) => displayWidth(firstWords(name, 200))));
  // Names first, then the bars, then longer names.
  const bar = free - LEAST_NAME - 2 < LEAST_BAR ? 0 : Math.min(BAR, free - LEAST_NAME - 2);
  const room = Math.max(LEAST_NAME, Math.min(longest, free - (bar === 0 ? 0 : bar + 2)));
  for (const [i, { name, usage }] of rows.entries()) {
    const filled = Math.round((usage.tokens / most) * bar);
    const [tokens = "", cost = "", detail = ""] = numbers[i] ?? [];
    yield [
      span(`  ${padToWidth(cutToWidth(firstWords(name, 200), room), room)}`),
      span(bar === 0 ? "" : `  ${glyphs.bar.repeat(filled)}`, "note"),
      span(bar === 0 ? "" : glyphs.barRest.repeat(bar - filled), "muted"),
      span(`  ${tokens.padStart(widths[0] ?? 0)}  ${cost.padStart(widths[1] ?? 0)}`),
      span(`  ${detail}`, "muted"),
    ];
  }
  yield [];
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
