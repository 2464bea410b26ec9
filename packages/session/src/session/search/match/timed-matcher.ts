/** A matcher that always returns: on a single line of text, some patterns would take longer than a lifetime. */
import { createContext, Script } from "node:vm";
import { createMatcher, type Match, type Matcher } from "./matcher.js";
import type { Query } from "./query.js";

/** For one entry. Patterns that people write take microseconds. */
const TIME_LIMIT_MS = 1_000;

/** The pattern was stopped. */
export class SlowPattern extends Error {
  override readonly name = "SlowPattern";
}

/**
 * The same results as `createMatcher`. A pattern that might backtrack too much runs under the runtime's own watchdog;
 * when stopped, it throws `SlowPattern` once and finds nothing afterwards, so that the search ends.
 */
export function timedMatcher(query: Query, timeLimitMs = TIME_LIMIT_MS): Matcher {
  const matcher = createMatcher(query);
  if (query.kind === "words" || isSurelyQuick(query.source)) return matcher;
  const work = { text: "", reach: 0, found: undefined as readonly Match[] | undefined };
  const script = new Script("search()");
  const context = createContext({
    search: () => {
      work.found = matcher(work.text, work.reach);
    },
  });
  let isStopped = false;
  return (text, reach) => {
    if (isStopped) return undefined;
    Object.assign(work, { text, reach, found: undefined });
    try {
      script.runInContext(context, { timeout: timeLimitMs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      isStopped = true;
      throw new SlowPattern(`The pattern takes too long on some texts; make it simpler: re:${query.source}`);
    }
    return work.found;
  };
}

/** At most one repetition, of a single character or class, and few optional parts, so backtracking is limited. */
function isSurelyQuick(source: string): boolean {
  const signs = source
    .replace(/\\./g, "x")
    .replace(/\[[^\]]*\]/g, "x")
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, "(");
  const repetitions = signs.match(/[*+]|\{\d+,?\d*\}/g) ?? [];
  const optional = signs.match(/\?/g) ?? [];
  return repetitions.length <= 1 && optional.length <= 4 && !/\)(?:[*+]|\{)/.test(signs);
}
