/** A pattern as a function over lines that always comes back. */
import { createContext, Script } from "node:vm";
import { failureSentence, ToolFailure } from "../tool-failure.js";

export type LineMatcher = (lines: readonly string[]) => readonly boolean[];

interface LinePattern {
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** For one batch of lines; 2000 by default. */
  readonly timeLimitMs?: number;
}

/**
 * Throws a `ToolFailure` for a pattern that is not one, and later for a pattern that tries out too much: some patterns
 * take longer than anyone lives on a single line, and nothing else would run meanwhile. The runtime's own watchdog
 * stops those.
 */
export function lineMatcher({ pattern, literal, ignoreCase, timeLimitMs = 2000 }: LinePattern): LineMatcher {
  const expression = compile(literal ? pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&") : pattern, { ignoreCase });
  const work = { lines: [] as readonly string[], found: [] as boolean[] };
  const script = new Script("search()");
  const context = createContext({
    search: () => {
      work.found = work.lines.map((line) => expression.test(line));
    },
  });
  return (lines) => {
    if (lines.length === 0) return [];
    work.lines = lines;
    try {
      script.runInContext(context, { timeout: timeLimitMs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new ToolFailure(`The pattern takes too long on some lines: make it simpler (${pattern})`);
    }
    return work.found;
  };
}

/** Patterns written for other engines often escape too much for the `u` flag; without it they still work. */
function compile(source: string, { ignoreCase }: { readonly ignoreCase: boolean }): RegExp {
  const flags = ignoreCase ? "i" : "";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      throw new ToolFailure(
        `The pattern is not a valid regular expression: ${failureSentence(error)}. Set literal to search for it as plain text`,
      );
    }
  }
}
