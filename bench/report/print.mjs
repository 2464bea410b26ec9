/**
 * The results as text.
 *
 * @typedef {{
 *   case: string, data: string, who: string, what: string,
 *   time?: import("../measure/samples.mjs").Samples, peak?: number,
 *   ratio?: number, against?: string, note?: string,
 * }} Row
 * @typedef {{ id: string, says: string, wants: string, limit: number, unit: import("./budgets.mjs").Budget["unit"], value?: number, verdict: import("./budgets.mjs").Verdict, note?: string }} Judged
 */
import { formatBytes, formatCount, formatRatio, formatTime } from "./format.mjs";
import { table } from "./table.mjs";

/** @param {readonly Row[]} rows */
export function measurementTable(rows) {
  return table({
    titles: ["case", "data", "who", "what", "median", "min", "peak", "ratio", "against", "note"],
    right: ["median", "min", "peak", "ratio"],
    group: 2,
    rows: rows.map((row) => [
      row.case,
      row.data,
      row.who,
      row.what,
      row.time === undefined ? "" : formatTime(row.time.median),
      row.time === undefined ? "" : formatTime(row.time.min),
      row.peak === undefined ? "" : formatBytes(row.peak),
      row.ratio === undefined ? "" : formatRatio(row.ratio),
      row.against ?? "",
      row.note ?? "",
    ]),
  });
}

/** @param {readonly Judged[]} judged */
export function budgetTable(judged) {
  return table({
    titles: ["budget", "limit", "measured", "result", "note"],
    right: ["limit", "measured"],
    rows: judged.map(({ says, wants, limit, unit, value, verdict, note }) => {
      const format = { x: formatRatio, bytes: formatBytes, ms: formatTime, rows: formatCount }[unit];
      const result = verdict === "missed" || verdict === "missed by more than 2x" ? verdict.toUpperCase() : verdict;
      return [says, `${wants} ${format(limit)}`, value === undefined ? "-" : format(value), result, note ?? ""];
    }),
  });
}
