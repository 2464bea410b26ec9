/** Secrets in a text: by secretlint, by rules of our own, and by what this machine knows. */
import type { SecretLintCoreConfig } from "@secretlint/types";
import { type KnownValue, knownValues } from "./known-values.js";
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
  const [{ lintSource }, { creator }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  const config: SecretLintCoreConfig = { rules: [{ id: "preset", rule: creator }] };
  const known = knownValues(environment);
  const findIn = async (text: string): Promise<SecretMatch[]> => {
    const matches = [...knownMatches(text, known), ...ruleMatches(text)];
    // A remark that turns secretlint off is somebody's text here, and must not hide what follows.
    const content = text.replace(/secretlint-(?=disable|enable)/gi, "secretlint_");
    const source = { content, contentType: "text" as const, ext: ".txt", filePath: "session.txt" };
    const { messages } = await lintSource({ source, options: { config, maskSecrets: false, noPhysicFilePath: true } });
    for (const { ruleId, range } of messages) {
      const rule = ruleId.replace(/^@secretlint\/secretlint-rule-/, "");
      matches.push({ rule, title: rule.replaceAll("-", " "), start: range[0], end: range[1] });
    }
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

function knownMatches(text: string, known: readonly KnownValue[]): SecretMatch[] {
  const matches: SecretMatch[] = [];
  for (const { name, text: value } of known) {
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
      const title = `value of ${name}`;
      matches.push({ rule: "environment", title, start: at, end: at + value.length });
    }
  }
  return matches;
}

function ruleMatches(text: string): SecretMatch[] {
  const matches: SecretMatch[] = [];
  for (const { id, title, pattern, accepts } of SECRET_RULES) {
    for (const match of text.matchAll(pattern)) {
      const value = match.groups?.value ?? match[0];
      if (accepts?.(value) === false) continue;
      const start = match.index + match[0].lastIndexOf(value);
      matches.push({ rule: id, title, start, end: start + value.length });
    }
  }
  return matches;
}

/** Where several rules know the same stretch, the first in the text counts, and of those the longest. */
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
