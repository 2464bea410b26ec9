/** What each session used, and on how many of the last days: for lists. Copies count in the oldest session. */
import type { UsageSource } from "../read/read-usage.js";
import { COLUMNS } from "../read/session-usage.js";
import { countOnce } from "./count-once.js";
import type { PriceOf } from "./usage-report.js";

export interface SessionSum {
  readonly sum: { calls: number; tokens: number; dollars: number; unpriced: number };
  /** Calls on each of the last days, today last. */
  readonly days: number[];
}

interface SessionSumsOptions {
  readonly priceOf: PriceOf;
  readonly now: Date;
  readonly days: number;
}

const DAY = 24 * 60 * 60_000;

/** By key of the session. */
export function sessionSums(source: UsageSource, options: SessionSumsOptions): ReadonlyMap<string, SessionSum> {
  const sums = new Map<string, SessionSum>();
  const midnight = new Date(options.now);
  midnight.setHours(24, 0, 0, 0);
  const add = (key: string, rows: Float64Array, row: number): void => {
    let known = sums.get(key);
    if (known === undefined) {
      known = { sum: { calls: 0, tokens: 0, dollars: 0, unpriced: 0 }, days: Array(options.days).fill(0) as number[] };
      sums.set(key, known);
    }
    const at = (column: number) => rows[row + column] as number;
    const call = {
      model: source.models[at(COLUMNS.model)] ?? "unknown",
      time: at(COLUMNS.time),
      input: at(COLUMNS.input),
      output: at(COLUMNS.output),
      cacheRead: at(COLUMNS.cacheRead),
      cacheWrite: at(COLUMNS.cacheWrite),
      longWrite: at(COLUMNS.longWrite),
    };
    const stated = at(COLUMNS.dollars);
    const dollars = Number.isNaN(stated) ? options.priceOf(call)?.dollars : stated;
    known.sum.calls += 1;
    known.sum.tokens += call.input + call.output + call.cacheRead + call.cacheWrite;
    if (dollars === undefined) known.sum.unpriced += 1;
    else known.sum.dollars += dollars;
    const day = options.days - 1 - Math.floor((midnight.getTime() - 1 - call.time) / DAY);
    if (day >= 0 && day < options.days) known.days[day] = (known.days[day] ?? 0) + 1;
  };
  countOnce(
    source.sessions,
    ({ session, rows }, row) => add(session.key, rows, row),
    () => {},
  );
  return sums;
}
