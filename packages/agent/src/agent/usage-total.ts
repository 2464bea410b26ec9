/** Tokens and cost over many entries. An unknown price stays unknown: it is counted, never treated as zero. */
import type { SessionEntry, Usage } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { usageTokens } from "./summary/token-estimate.js";

/** Sums up the usage of entries: answers, tool results, summaries and `usage` records. */
export class UsageCounter {
  #input = 0;
  #output = 0;
  #cacheRead = 0;
  #cacheWrite = 0;
  #tokens = 0;
  #dollars = 0;
  #unpriced = 0;

  add(entry: SessionEntry): void {
    const usage = usageIn(entry);
    if (usage !== undefined) this.addUsage(usage);
  }

  addUsage(usage: Usage | Readonly<Record<string, unknown>>): void {
    const tokens = usageTokens(usage);
    this.#input += amount(usage.input);
    this.#output += amount(usage.output);
    this.#cacheRead += amount(usage.cacheRead);
    this.#cacheWrite += amount(usage.cacheWrite);
    this.#tokens += tokens;
    const cost = isRecord(usage.cost) ? usage.cost.total : undefined;
    if (typeof cost === "number" && Number.isFinite(cost)) this.#dollars += cost;
    else if (tokens > 0) this.#unpriced += 1;
  }

  total() {
    return {
      input: this.#input,
      output: this.#output,
      cacheRead: this.#cacheRead,
      cacheWrite: this.#cacheWrite,
      tokens: this.#tokens,
      dollars: this.#dollars,
      unpriced: this.#unpriced,
    };
  }
}

function usageIn(entry: SessionEntry): Readonly<Record<string, unknown>> | undefined {
  const holder: unknown = entry.type === "message" ? entry.message : entry;
  return isRecord(holder) && isRecord(holder.usage) ? holder.usage : undefined;
}

function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
