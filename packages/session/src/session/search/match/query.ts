/** Parses a search query as typed by a user. */
import { SessionError } from "../../../entry/index.js";

/** `words`: terms that must all occur in an entry. `pattern`: the source of a regular expression. */
export type Query =
  | { readonly kind: "words"; readonly terms: readonly string[]; readonly caseSensitive: boolean }
  | { readonly kind: "pattern"; readonly source: string; readonly caseSensitive: boolean };

const PATTERN_PREFIX = "re:";
/** A phrase from a quote to the next unescaped quote, or to the end; or a word. */
const TERM = /"((?:\\"|[^"])*)(?:"|$)|\S+/g;

/**
 * Parses the query language that `searchSessions` documents. Throws `bad-query` if there is nothing to search for or a
 * pattern does not compile.
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
    throw new SessionError("bad-query", "Nothing to search for", {
      data: { query },
      hint: 'Give words, a "phrase" in quotes, or re: and a regular expression.',
    });
  }
  return { kind: "words", terms, caseSensitive };
}

function checkedPattern(source: string): string {
  if (source === "") {
    throw new SessionError("bad-query", "No pattern after re:", {
      data: { query: PATTERN_PREFIX },
      hint: "Put the regular expression directly after it, for example re:time(d )?out",
    });
  }
  try {
    new RegExp(source, "u");
  } catch (cause) {
    // The engine's message repeats the whole pattern before the reason.
    const reason = cause instanceof Error ? cause.message.slice(cause.message.lastIndexOf(": ") + 2) : String(cause);
    throw new SessionError("bad-query", `The pattern is not a regular expression: ${reason}`, {
      data: { query: PATTERN_PREFIX + source, reason },
      hint: "Patterns are JavaScript regular expressions with the u flag: escape literal brackets and dots.",
      cause,
    });
  }
  return source;
}
