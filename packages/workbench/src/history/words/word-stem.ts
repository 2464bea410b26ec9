/**
 * Reduces English words to a common start, so that a question finds other forms of its words: no dictionary, no model.
 *
 *     retry retries retried retrying   ->  retr
 *     cache caches cached caching      ->  cach
 *     migrate migrating migration      ->  migrat
 */

/** Shorter rests say too little: `string` is not a form of `str`. */
const LEAST = 3;
/** The ending of `behaviour`, which Americans spell without u. */
const BRITISH = /(?<=...)our(s|ed|ing)?$/;
const VOWEL = /[aeiouy]/;
/** Longest first. Each is an ending and what takes its place. */
const ENDINGS: readonly (readonly [ending: string, rest: string])[] = [
  ["izations", "iz"],
  ["ization", "iz"],
  ["ations", "at"],
  ["ation", "at"],
  ["ators", "at"],
  ["ator", "at"],
  ["ments", ""],
  ["ment", ""],
  ["ness", ""],
  ["ings", ""],
  ["ions", ""],
  ["ers", ""],
  ["ors", ""],
  ["ing", ""],
  ["ion", ""],
  ["ies", "y"],
  ["ied", "y"],
  ["sses", "ss"],
  ["ally", "al"],
  ["ly", ""],
  ["er", ""],
  ["or", ""],
  ["ed", ""],
  ["es", ""],
  ["s", ""],
];

/** In lower case. Words that are not plain letters are returned as they are. */
export function stemOf(given: string): string {
  if (given.length <= LEAST || !/^[a-z]+$/.test(given)) return given;
  const word = given.replace(BRITISH, "or$1");
  for (const [ending, rest] of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const start = word.slice(0, -ending.length) + rest;
    if (start.length < LEAST || !VOWEL.test(start)) continue;
    if (/^[eo]rs?$/.test(ending) && start.length <= LEAST) continue;
    if ((ending === "s" || ending === "es") && /(?:ss|us|is)$/.test(word)) continue;
    return bare(start);
  }
  return bare(word);
}

/** Without a doubled last consonant and a silent last vowel: `runn`, `cache`, `retry`. */
function bare(start: string): string {
  const single = /([bdfgkmnprt])\1$/.test(start) ? start.slice(0, -1) : start;
  return single.length > LEAST ? single.replace(/[eyi]$/, "") : single;
}
