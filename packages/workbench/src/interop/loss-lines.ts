/** Formats a loss report: a line with totals, and one for each kind of record that was not simply kept. */
import type { LossReport, RecordCount, RecordFate } from "./loss-report.js";

const WORDS: Readonly<Record<RecordFate, string>> = {
  kept: "kept",
  converted: "converted",
  note: "note",
  reported: "not imported",
};

export interface LossLinesOptions {
  /** Include records that were simply kept. */
  readonly all?: boolean;
}

/** Type names come from the source, so callers must strip control characters before printing to a terminal. */
export function lossLines(report: LossReport, { all = false }: LossLinesOptions = {}): string[] {
  const { records, kept, converted, notes, reported } = report;
  const sums = `${records} records: ${kept} kept, ${converted} converted, ${notes} kept as notes, ${reported} not imported`;
  const shown = report.counts.filter(({ fate, reason }) => all || fate !== "kept" || reason !== undefined);
  const files = new Set(report.counts.map(({ file }) => file));
  const lines = shown.map((count) => lineOf(count, files.size > 1));
  return [sums, ...lines, ...report.unknown.map((what) => `unknown: ${what}`)];
}

function lineOf({ fate, type, reason, count, lines, file }: RecordCount, namesFile: boolean): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  const where = lines.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
  const named = lines.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const more = named < count ? `, and ${count - named} more` : "";
  return `${WORDS[fate]}: ${count} ${type}${why}, line ${where}${more}${namesFile ? ` of ${file}` : ""}`;
}
