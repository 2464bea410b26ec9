/** Bars with tokens and cost next to them, for `bough stats` and `bough usage`. */
import { firstWords, grouped, shortCount } from "@bough/session/text/index.js";
import { type Glyphs, type Line, span } from "@bough/session/view/index.js";
import { cutToWidth, displayWidth, padToWidth } from "@bough/session/view/internal.js";
import { costText } from "./session-columns.js";

export interface ChartRow {
  readonly name: string;
  readonly detail: string;
  readonly usage: { readonly tokens: number; readonly dollars: number; readonly unpriced: number };
}

export interface ChartOptions {
  readonly width: number;
  readonly glyphs: Glyphs;
  /** Number of rows there are, if not all are shown. */
  readonly total?: number;
  /** What the length of a bar shows. Default: tokens. */
  readonly bars?: "tokens" | "dollars";
}

const BAR = 20;
const LEAST_BAR = 5;
const LEAST_NAME = 14;

export function* usageChart(title: string, rows: readonly ChartRow[], options: ChartOptions): Generator<Line> {
  if (rows.length === 0) return;
  const { glyphs, width, total = rows.length, bars = "tokens" } = options;
  const left = total > rows.length ? ` (${rows.length} of ${grouped(total)})` : "";
  yield [span(`${title}${left}`, "strong")];
  const most = rows.reduce((largest, { usage }) => Math.max(largest, usage[bars]), 0) || 1;
  const numbers = rows.map(({ usage, detail }) => [shortCount(usage.tokens), costText(usage), detail]);
  const widths = [0, 1, 2].map((column) =>
    numbers.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? "")), 0),
  );
  const free = width - widths.reduce((sum, one) => sum + one + 2, 2);
  const longest = rows.reduce((widest, { name }) => Math.max(widest, displayWidth(firstWords(name, 200))), 0);
  // Names first, then the bars, then longer names.
  const bar = free - LEAST_NAME - 2 < LEAST_BAR ? 0 : Math.min(BAR, free - LEAST_NAME - 2);
  const room = Math.max(LEAST_NAME, Math.min(longest, free - (bar === 0 ? 0 : bar + 2)));
  for (const [i, { name, usage }] of rows.entries()) {
    const filled = Math.round((usage[bars] / most) * bar);
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
