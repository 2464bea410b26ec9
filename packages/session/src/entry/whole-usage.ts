/**
 * Token counts as pi guarantees them to extensions and adds them up for its footer: every count and every cost is a
 * number.
 */
import { isRecord } from "../text/index.js";
import type { Usage } from "./message.js";

const COUNTS = ["input", "output", "cacheRead", "cacheWrite"] as const;

/** The same object if nothing is missing. Missing counts are 0. */
export function wholeUsage(value: unknown): Usage {
  const usage = isRecord(value) ? value : {};
  const cost = isRecord(usage.cost) ? usage.cost : {};
  const isWhole = [...COUNTS, "totalTokens"].every((name) => isCount(usage[name]));
  if (isWhole && [...COUNTS, "total"].every((name) => isCount(cost[name]))) return value as Usage;
  const counts = countsIn(usage);
  const costs = countsIn(cost);
  return {
    ...usage,
    ...counts,
    totalTokens: isCount(usage.totalTokens) ? usage.totalTokens : sumOf(counts),
    cost: { ...cost, ...costs, total: isCount(cost.total) ? cost.total : sumOf(costs) },
  };
}

type Counts = Record<(typeof COUNTS)[number], number>;

function countsIn(values: Readonly<Record<string, unknown>>): Counts {
  const count = (name: (typeof COUNTS)[number]): number => {
    const value = values[name];
    return isCount(value) ? value : 0;
  };
  return {
    input: count("input"),
    output: count("output"),
    cacheRead: count("cacheRead"),
    cacheWrite: count("cacheWrite"),
  };
}

function sumOf({ input, output, cacheRead, cacheWrite }: Counts): number {
  return input + output + cacheRead + cacheWrite;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
