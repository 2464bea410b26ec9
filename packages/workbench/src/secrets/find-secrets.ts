/** Secrets in a text: by secretlint, by rules of our own, and by what this machine knows. */

import { inSlices, type Steps, WorkTurns } from "@bough/session/log/index.js";
import type { SecretLintCoreConfig } from "@secretlint/types";
import { decodedText } from "./decoded-text.js";
import { isOrdinary } from "./ordinary-value.js";
import { SECRET_RULES } from "./secret-rules.js";
import { shownText } from "./shown-text.js";
import type { SecretRule } from "./token-rules.js";

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
  const turns = new WorkTurns();
  function* byRules(text: string): Steps<SecretMatch[]> {
    const matches: SecretMatch[] = [];
    for (const { name, ...place } of knownIn(text, known)) {
      matches.push({ rule: "environment", title: `value of ${name}`, ...place });
    }
    yield;
    for (const rule of SECRET_RULES) {
      for (const match of ruleMatches(text, rule)) matches.push(match);
      yield;
    }
    return matches;
  }
  const findIn = async (text: string): Promise<SecretMatch[]> => {
    const matches = await inSlices(byRules(text), turns);
    // Secretlint does a text in one step, so nothing else is done before other work had its turn.
    await turns.yieldNow();
    for (const { rule, start, end } of await lint(text)) {
      matches.push({ rule, title: rule.replaceAll("-", " "), start, end });
    }
    await turns.yieldNow();
    const decoded = decodedText(text);
    if (decoded === undefined) return matches;
    for (const match of await inSlices(byRules(decoded.text), turns)) {
      matches.push({ ...match, ...decoded.range(match.start, match.end) });
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

/** In one go: all scans share the patterns, and a pattern holds where it is. */
function ruleMatches(text: string, rule: SecretRule): SecretMatch[] {
  const { id, title, pattern, needs, begins, accepts } = rule;
  const matches: SecretMatch[] = [];
  if (needs !== undefined && !text.includes(needs)) return matches;
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

/** secretlint, loaded when something is looked at for the first time, and without the diary it keeps. */
type Lint = (
  text: string,
) => Promise<readonly { readonly rule: string; readonly start: number; readonly end: number }[]>;

async function loadSecretlint(): Promise<Lint> {
  const [{ lintSource }, { creator }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("@secretlint/profiler"),
  ]);
  // It notes the times of every call, never forgets one, and searches all of them each time.
  secretLintProfiler.mark = () => {};
  const config: SecretLintCoreConfig = { rules: [{ id: "preset", rule: creator }] };
  return async (text) => {
    // A remark that turns secretlint off is someone's text here, and must not hide what follows.
    const content = text.replace(/secretlint-(?=disable|enable)/gi, "secretlint_");
    const source = { content, contentType: "text" as const, ext: ".txt", filePath: "session.txt" };
    const { messages } = await lintSource({ source, options: { config, maskSecrets: false, noPhysicFilePath: true } });
    return messages.map(({ ruleId, range: [start, end] }) => ({
      rule: ruleId.replace(/^@secretlint\/secretlint-rule-/, ""),
      start,
      end,
    }));
  };
}

/** Secrets this machine knows: values of environment variables with telling names, in the forms they travel in. */
const TELLING = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:^|_)(?:PWD|PAT|AUTH)$/i;
/** Names that tell, and values that do not. */
const HARMLESS = /^(?:SSH_AUTH_SOCK|OLDPWD|PWD|KEYTIMEOUT|GPG_TTY|XAUTHORITY|TOKENIZERS_PARALLELISM)$/i;
const SHORTEST = 8;

interface KnownValue {
  /** The variable. */
  readonly name: string;
  /** The value, or a form of it. */
  readonly text: string;
  /** A word that is in everyone's mouth: secret only if it is as someone's password. */
  readonly needsContext: boolean;
}

function knownValues(environment: Readonly<Record<string, string | undefined>>): KnownValue[] {
  const known: KnownValue[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.length < SHORTEST || !TELLING.test(name) || HARMLESS.test(name)) continue;
    // A path names a secret, it is none. And a word that everyone uses would mask half of the text.
    if (/^[/~]|^(?:true|false|enabled|disabled|required)$/i.test(value) || new Set(value).size < 4) continue;
    for (const text of formsOf(value)) known.push({ name, text, needsContext: isOrdinary(value) && text === value });
  }
  // The longest first: a value that contains another is found as a whole.
  return known.sort((a, b) => b.text.length - a.text.length);
}

function* knownIn(
  text: string,
  known: readonly KnownValue[],
): Generator<{ readonly name: string; readonly start: number; readonly end: number }> {
  for (const one of known) {
    const { length } = one.text;
    for (let at = text.indexOf(one.text); at >= 0; at = text.indexOf(one.text, at + length)) {
      if (!one.needsContext || standsAsSecret(text, at, one)) yield { name: one.name, start: at, end: at + length };
    }
  }
}

const CALLED_SECRET =
  /(?:pass(?:word|wd|phrase)?|pwd|secret|token|key|auth(?:orization)?|credentials?|pat)\\{0,7}["'`\]]{0,2}\s{0,3}(?::|=>?)\s{0,3}\\{0,7}["'`]?$/i;

const FLAG = /(?:^|\s)--?[\w-]{0,30}(?:pass\w{0,6}|pwd|secret|token|key)\s{1,3}["']?$/i;

/** After a name that says so, or between a colon and the at sign of an address; and its own word. */
function standsAsSecret(text: string, at: number, { text: value }: KnownValue): boolean {
  const before = text.slice(Math.max(0, at - 60), at);
  const after = text.slice(at + value.length, at + value.length + 1);
  if (/[\p{L}\p{N}_]/u.test(after)) return false;
  return CALLED_SECRET.test(before) || FLAG.test(before) || (before.endsWith(":") && after === "@");
}

function formsOf(value: string): Set<string> {
  const forms = new Set([value, JSON.stringify(value).slice(1, -1)]);
  // Inside a longer text that was encoded as a whole, the value may start at any of three places.
  for (let shift = 0; shift < 3; shift++) {
    const encoded = Buffer.from("\0".repeat(shift) + value, "utf8").toString("base64");
    const inner = encoded.slice(shift === 0 ? 0 : 4).replace(/=+$/, "");
    const stable = inner.slice(0, inner.length - (encoded.endsWith("=") ? 1 : 0));
    if (stable.length >= 12) forms.add(stable);
  }
  return forms;
}
