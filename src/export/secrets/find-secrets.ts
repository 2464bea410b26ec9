/** Secrets in a text: by secretlint, by rules of our own, and by what this machine knows. */
import { decodedText } from "./decoded-text.js";
import { knownIn, knownValues } from "./known-values.js";
import { loadSecretlint } from "./load-secretlint.js";
import { SECRET_RULES } from "./secret-rules.js";
import { shownText } from "./shown-text.js";

export interface SecretMatch {
  readonly rule: string;
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

export interface SecretFinder {
  /** Matches in the order of the text; none overlaps another. */
  find(text: string): Promise<readonly SecretMatch[]>;
}

export interface SecretFinderOptions {
  /** Whose values are looked for. Empty: none. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Loads what it needs once; afterwards texts cost only what they hold. */
export async function secretFinder({ environment }: SecretFinderOptions): Promise<SecretFinder> {
  const lint = await loadSecretlint();
  const known = knownValues(environment);
  const byRules = (text: string): SecretMatch[] => [
    ...Array.from(knownIn(text, known), ({ name, ...place }) => ({
      rule: "environment",
      title: `value of ${name}`,
      ...place,
    })),
    ...ruleMatches(text),
  ];
  const findIn = async (text: string): Promise<SecretMatch[]> => {
    const matches = byRules(text);
    for (const { rule, start, end } of await lint(text)) {
      matches.push({ rule, title: rule.replaceAll("-", " "), start, end });
    }
    const decoded = decodedText(text);
    if (decoded === undefined) return matches;
    for (const match of byRules(decoded.text)) matches.push({ ...match, ...decoded.range(match.start, match.end) });
    return matches;
  };
  return {
    async find(text) {
      const matches = await findIn(text);
      const shown = shownText(text);
      if (shown === undefined) return withoutOverlaps(matches);
      for (const match of await findIn(shown.text)) matches.push({ ...match, ...shown.range(match.start, match.end) });
      return withoutOverlaps(matches);
    },
  };
}

function ruleMatches(text: string): SecretMatch[] {
  const matches: SecretMatch[] = [];
  for (const { id, title, pattern, begins, accepts } of SECRET_RULES) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      if (begins !== undefined && !beginsAt(text, match.index, begins)) {
        pattern.lastIndex = match.index + 1;
        continue;
      }
      const value = match.groups?.value ?? match[0];
      if (accepts?.(value) === false) continue;
      const start = match.index + match[0].lastIndexOf(value);
      matches.push({ rule: id, title, start, end: start + value.length });
    }
  }
  return matches;
}

/** After `\\n` in JSON, `%3D` in an address and the end of a color, a word begins although a letter is before it. */
const BEHIND_CODES = /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,12}m)$/;

function beginsAt(text: string, at: number, begins: "word" | "name"): boolean {
  const before = text.slice(Math.max(0, at - 16), at);
  const inside = begins === "word" ? /[A-Za-z0-9]$/ : /[A-Za-z0-9_-]$/;
  return !inside.test(before) || BEHIND_CODES.test(before);
}

/** If several rules know the same stretch, the first in the text counts, and of those the longest. */
function withoutOverlaps(matches: readonly SecretMatch[]): SecretMatch[] {
  const kept: SecretMatch[] = [];
  for (const match of [...matches].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (match.end <= match.start) continue;
    if (last === undefined || match.start >= last.end) kept.push(match);
    else if (match.end > last.end) kept[kept.length - 1] = { ...last, end: match.end };
  }
  return kept;
}
