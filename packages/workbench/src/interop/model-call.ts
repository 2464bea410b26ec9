/** A model call as a transcript states it. Transcripts are untrusted: counts are checked before anything adds them up. */
import { isRecord } from "@bough/session/text/index.js";

/** Tokens of one call. `input` excludes tokens read from or written to a cache. */
export interface CallTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour, which costs more. */
  readonly longWrite: number;
}

export interface ModelCall extends CallTokens {
  /** Milliseconds; 0 if unknown. */
  readonly time: number;
  readonly provider: string;
  readonly model: string;
  /** What the transcript says it cost; undefined if it does not say. */
  readonly dollars: number | undefined;
  /** The provider's ID of the answer. Copies of an answer have the same. */
  readonly responseId?: string | undefined;
  /** The ID of the record or entry. Forks keep it. */
  readonly recordId?: string | undefined;
  /** For Codex: running totals, which are equal in a copy that a fork made, whatever its time. */
  readonly totals?: string | undefined;
  /** True for records that a fork or a sub-agent probably copied from its parent. */
  readonly isReplay?: boolean;
  /** The agent whose transcript it was imported from. */
  readonly importedFrom?: string | undefined;
  /** Branch number; 0 if the transcript has no branches, or they are not read. */
  readonly branch: number;
  /** `left`: on a branch that the session's leaf is not on. */
  readonly place: "path" | "left" | "subagent";
  /** Tokens that a compaction before it kept out of its prompt. */
  readonly spared: number;
  /** True if a count was impossible and was taken as 0. */
  readonly isOdd: boolean;
}

/** No call has more; a larger count is damage. Sums of millions of calls stay exact. */
const MOST_TOKENS = 1e9;
const MOST_DOLLARS = 1e6;

/** Checks the counts of one call. */
export class CountCheck {
  isOdd = false;

  /** 0 for a missing count, and for an impossible one, which is noted. */
  tokens(value: unknown): number {
    if (value === undefined || value === null) return 0;
    if (typeof value === "number" && value >= 0 && value <= MOST_TOKENS) return Math.round(value);
    this.isOdd = true;
    return 0;
  }

  /** Undefined for a missing price, and for an impossible one, which is noted. */
  dollars(value: unknown): number | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === "number" && value >= 0 && value <= MOST_DOLLARS) return value;
    this.isOdd = true;
    return undefined;
  }
}

/** The usage of an entry, in Bough's form. */
export function usageCounts(
  usage: Readonly<Record<string, unknown>>,
): CallTokens & Pick<ModelCall, "dollars" | "isOdd"> {
  const check = new CountCheck();
  const counts = {
    input: check.tokens(usage.input),
    output: check.tokens(usage.output),
    cacheRead: check.tokens(usage.cacheRead),
    cacheWrite: check.tokens(usage.cacheWrite),
    longWrite: 0,
    dollars: check.dollars(isRecord(usage.cost) ? usage.cost.total : undefined),
  };
  return { ...counts, isOdd: check.isOdd };
}

export function tokensOf({ input, output, cacheRead, cacheWrite }: CallTokens): number {
  return input + output + cacheRead + cacheWrite;
}

/** A call that failed before it started used nothing. Impossible counts are kept, to be reported. */
export function usedSomething(call: CallTokens & Pick<ModelCall, "dollars" | "isOdd">): boolean {
  return call.isOdd || tokensOf(call) > 0 || (call.dollars ?? 0) > 0;
}

const LONGEST_NAME = 120;

/** A name from a transcript; `otherwise` if it has none. */
export function shortName(value: unknown, otherwise: string): string {
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, LONGEST_NAME) : otherwise;
}

/** Milliseconds; 0 if unknown or implausible. */
export function timeIn(value: unknown): number {
  const time = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  return time > 0 && time < LATEST_TIME ? time : 0;
}

/** The year 3000. */
const LATEST_TIME = 32_503_680_000_000;

/** Whether branches of the agent's sessions are read, so that it is known which were left. */
export function knowsBranches(agent: string): boolean {
  return agent === "claude-code" || agent === "pi";
}
