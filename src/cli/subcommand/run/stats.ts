/** `bough stats`: tokens and cost by path, branch, model and day, with bars. */
import { counted, firstWords, grouped, shortCount } from "../../../text/index.js";
import { type Glyphs, type Line, span } from "../../../view/index.js";
import { cutToWidth, displayWidth, padToWidth } from "../../../view/internal.js";
import { openToLook } from "../open-to-look.js";
import { sessionArgument } from "../session-argument.js";
import { costText } from "../session-columns.js";
import { sessionFacts, sessionTitle } from "../session-facts.js";
import type { SubcommandCall } from "../subcommand.js";
import { type UsageTables, usageTables } from "../usage-tables.js";

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
  // The largest of many; those that are shown keep their order.
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
  // The names first, then the bars, then longer names.
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
