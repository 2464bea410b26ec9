/**
 * Globs for paths, matched with at most one level of backtracking: the time is at most pattern length times path
 * length.
 */

export type PathMatcher = (path: string) => boolean;

/** More alternatives than this are surely unintended. */
const MOST_ALTERNATIVES = 1_000;

/**
 * A matcher for `*`, `?`, `[a-z]`, `{a,b}`, `{1..3}`, `**` and `\` before a character. Path names are separated by `/`,
 * and names that start with a dot are not special. Returns a sentence for an unsupported pattern.
 */
export function globMatcher(pattern: string): PathMatcher | string {
  if (/(?<!\\)[?*+@!]\(/.test(pattern)) return "Patterns such as +(a|b) are not supported; use {a,b}";
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) return "The pattern has too many alternatives";
  const globs = alternatives.map((one) => one.split("/").map((part) => (part === "**" ? "**" : partTokens(part))));
  return (path) => {
    const names = path.replace(/\/$/, "").split("/");
    return globs.some((glob) => matches(glob, names, { isStar: (part) => part === "**", fits: matchesName }));
  };
}

interface Token {
  readonly kind: "star" | "any" | "set";
  readonly fits: (character: string) => boolean;
}

const STAR: Token = { kind: "star", fits: () => true };
const ANY: Token = { kind: "any", fits: () => true };

function matchesName(tokens: readonly Token[] | "**", name: string): boolean {
  if (tokens === "**") return true;
  return matches(tokens, [...name], { isStar: (token) => token === STAR, fits: (token, sign) => token.fits(sign) });
}

interface Matching<Part, Item> {
  readonly isStar: (part: Part) => boolean;
  readonly fits: (part: Part, item: Item) => boolean;
}

/** A star matches nothing at first, and one more item each time the part after the last star fails to match. */
function matches<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  { isStar, fits }: Matching<Part, Item>,
): boolean {
  let part = 0;
  let item = 0;
  let star = -1;
  let taken = 0;
  while (item < items.length) {
    if (part < parts.length && isStar(parts[part] as Part)) {
      star = part;
      taken = item;
      part += 1;
    } else if (part < parts.length && fits(parts[part] as Part, items[item] as Item)) {
      part += 1;
      item += 1;
    } else if (star >= 0) {
      taken += 1;
      item = taken;
      part = star + 1;
    } else return false;
  }
  return parts.slice(part).every(isStar);
}

function partTokens(part: string): readonly Token[] {
  const tokens: Token[] = [];
  const signs = [...part];
  for (let at = 0; at < signs.length; at += 1) {
    const sign = signs[at] as string;
    if (sign === "*") {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else if (sign === "?") tokens.push(ANY);
    else if (sign === "[") {
      const end = setEnd(signs, at);
      if (end < 0) tokens.push(literal(sign));
      else {
        tokens.push(setToken(signs.slice(at + 1, end)));
        at = end;
      }
    } else if (sign === "\\" && at + 1 < signs.length) {
      at += 1;
      tokens.push(literal(signs[at] as string));
    } else tokens.push(literal(sign));
  }
  return tokens;
}

function literal(sign: string): Token {
  return { kind: "set", fits: (character) => character === sign };
}

/** A bracket right after the opening one, or after the negation, is a member. */
function setEnd(signs: readonly string[], start: number): number {
  const first = start + (signs[start + 1] === "!" || signs[start + 1] === "^" ? 2 : 1);
  return signs.indexOf("]", first + 1);
}

function setToken(signs: readonly string[]): Token {
  const isExcluding = signs[0] === "!" || signs[0] === "^";
  const members = isExcluding ? signs.slice(1) : signs;
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = codeOf(members[at]);
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    ranges.push([from, isRange ? codeOf(members[at + 2]) : from]);
    if (isRange) at += 2;
  }
  const fits = (character: string): boolean => {
    const code = codeOf(character);
    return ranges.some(([from, to]) => code >= from && code <= to) !== isExcluding;
  };
  return { kind: "set", fits };
}

function codeOf(sign: string | undefined): number {
  return sign?.codePointAt(0) ?? -1;
}

/** `a{b,c}` is `ab` and `ac`. Undefined if there are too many. */
function expandBraces(pattern: string): readonly string[] | undefined {
  const open = [pattern];
  const done: string[] = [];
  while (open.length > 0) {
    if (open.length + done.length > MOST_ALTERNATIVES) return undefined;
    const one = open.pop() as string;
    const brace = firstBrace(one);
    if (brace === undefined) done.push(one);
    else for (const choice of brace.choices) open.push(`${brace.before}${choice}${brace.after}`);
  }
  return done;
}

interface Brace {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

function firstBrace(pattern: string): Brace | undefined {
  for (let start = pattern.indexOf("{"); start >= 0; start = pattern.indexOf("{", start + 1)) {
    if (pattern[start - 1] === "\\") continue;
    const found = braceAt(pattern, start);
    if (found !== undefined) return found;
  }
  return undefined;
}

function braceAt(pattern: string, start: number): Brace | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let at = start; at < pattern.length; at += 1) {
    if (pattern[at] === "\\") at += 1;
    else if (pattern[at] === "{") depth += 1;
    else if (pattern[at] === "," && depth === 1) commas.push(at);
    else if (pattern[at] === "}") {
      depth -= 1;
      if (depth > 0) continue;
      const places = [start, ...commas, at];
      const listed = places.slice(1).map((end, index) => pattern.slice((places[index] as number) + 1, end));
      const choices = commas.length > 0 ? listed : numbersIn(pattern.slice(start + 1, at));
      return choices && { before: pattern.slice(0, start), choices, after: pattern.slice(at + 1) };
    }
  }
  return undefined;
}

function numbersIn(text: string): readonly string[] | undefined {
  const [, from, to] = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const [first, last] = [Math.min(Number(from), Number(to)), Math.max(Number(from), Number(to))];
  if (last - first >= MOST_ALTERNATIVES) return undefined;
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}
