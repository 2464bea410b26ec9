/** The plan of a search, made once for all files and threads: plain data that can be sent to a worker. */
import { type ByteRun, rarestRun } from "./match/byte-run.js";
import { parseQuery, type Query } from "./match/query.js";
import { requiredText } from "./match/required-text.js";

export interface SearchPlan {
  readonly query: Query;
  /** One for each term that has certain bytes, cheapest first. A line that lacks one of them holds no match. */
  readonly runs: readonly ByteRun[];
  readonly roles: readonly string[] | undefined;
  readonly maxExcerpt: number;
  /** `patterns`: a single match can take unlimited time, so it is kept off the caller's thread if possible. */
  readonly care: "words" | "patterns";
}

interface PlanOptions {
  readonly caseSensitive: boolean;
  readonly roles?: readonly string[] | undefined;
  readonly maxExcerpt: number;
}

/** Throws `bad-query`. */
export function planSearch(text: string, { caseSensitive, roles, maxExcerpt }: PlanOptions): SearchPlan {
  const query = parseQuery(text, { caseSensitive });
  const care = query.kind === "pattern" ? "patterns" : "words";
  return { query, runs: runsOf(query), roles, maxExcerpt, care };
}

function runsOf(query: Query): ByteRun[] {
  const options = { fold: !query.caseSensitive };
  const terms = query.kind === "words" ? query.terms.map((term) => term.split(" ")) : [requiredText(query.source)];
  const runs = terms.map((pieces) => rarestRun(pieces, options)).filter((run) => run !== undefined);
  return runs.sort((a, b) => a.cost - b.cost);
}
