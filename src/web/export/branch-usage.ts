/** Adds up what each branch cost, entry by entry as they are written. */
import type { SessionEntry } from "../../entry/index.js";
import { isRecord } from "../../text/index.js";
import type { BranchIndex } from "../../tree/index.js";
import type { BranchUsage } from "../data/export-facts.js";

type Fields = Readonly<Record<string, unknown>>;

export class UsageByBranch {
  readonly #sums = new Map<number, [number, number, number, number, number, number]>();
  readonly #branches: BranchIndex;

  constructor(branches: BranchIndex) {
    this.#branches = branches;
  }

  add(n: number, entry: SessionEntry): void {
    const usage = usageIn(entry as unknown as Fields);
    if (usage === undefined) return;
    const branch = this.#branches.branchOf(n);
    const sum = this.#sums.get(branch) ?? [branch, 0, 0, 0, 0, 0];
    sum[1] += amount(usage.input);
    sum[2] += amount(usage.output);
    sum[3] += amount(usage.cacheRead);
    sum[4] += amount(usage.cacheWrite);
    sum[5] += isRecord(usage.cost) ? amount(usage.cost.total) : 0;
    this.#sums.set(branch, sum);
  }

  /** By number. */
  get rows(): readonly BranchUsage[] {
    return [...this.#sums.values()].sort(([a], [b]) => a - b);
  }
}

function usageIn(entry: Fields): Fields | undefined {
  if (isRecord(entry.usage)) return entry.usage;
  return isRecord(entry.message) && isRecord(entry.message.usage) ? entry.message.usage : undefined;
}

function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
