/** A search as a user types it, taken apart. */
import { SessionError } from "../../../entry/index.js";

/** `words`: terms that all have to occur in an entry. `pattern`: the source of a regular expression. */
export type Query =
  | { readonly kind: "words"; readonly terms: readonly string[]; readonly caseSensitive: boolean }
  | { readonly kind: "pattern"; readonly source: string; readonly caseSensitive: boolean };

const PATTERN_PREFIX = "re:";
/** A phrase from a quote to the next one that no backslash escapes, or to the end; or a word. */
const TERM = /"((?:\\"|[^"])*)(?:"|$)|\S+/g;

/**
 * Reads the query language that `searchSessions` documents. Throws `bad-query` if there is nothing to look for or a
 * pattern cannot be compiled.
 */
export function parseQuery(query: string, options: { readonly caseSensitive?: boolean | undefined } = {}): Query {
  const caseSensitive = options.caseSensitive ?? false;
  if (query.startsWith(PATTERN_PREFIX)) {
    return { kind: "pattern", source: checkedPattern(query.slice(PATTERN_PREFIX.length)), caseSensitive };
  }
  const terms: string[] = [];
  for (const [word, phrase] of query.matchAll(TERM)) {
    const term = phrase === undefined ? word : phrase.replaceAll('\\"', '"').trim().replace(/\s+/g, " ");
    if (term !== "" && !terms.includes(term)) terms.push(term);
  }
  if (terms.length === 0) {
    throw new SessionError("bad-query", "There is nothing to search for", {
      data: { query },
      hint: 'Give words, a "phrase" in quotes, or re: and a regular expression.',
    });
  }
  return { kind: "words", terms, caseSensitive };
}

function checkedPattern(source: string): string {
  if (source === "") {
    throw new SessionError("bad-query", "There is no pattern after re:", {
      data: { query: PATTERN_PREFIX },
      hint: "Put the regular expression directly after it, for example re:time(d )?out",
    });
  }
  try {
    new RegExp(source, "u");
  } catch (cause) {
    // The engine repeats the whole pattern before it says what is wrong with it.
    const reason = cause instanceof Error ? cause.message.slice(cause.message.lastIndexOf(": ") + 2) : String(cause);
    throw new SessionError("bad-query", `The pattern is not a regular expression: ${reason}`, {
      data: { query: PATTERN_PREFIX + source, reason },
      hint: "Patterns are JavaScript regular expressions with the u flag: escape literal brackets and dots.",
      cause,
    });
  }
  return source;
}
