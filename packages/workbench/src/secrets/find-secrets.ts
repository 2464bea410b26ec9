/** Finds secrets in a text: with secretlint, our own rules, and values from the environment of this machine. */

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
  /** Matches in text order, without overlaps. */
  find(text: string): Promise<readonly SecretMatch[]>;
}

export interface SecretFinderOptions {
  /** Variables whose values are searched for; may be empty. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Loads secretlint and prepares the known values once, for any number of texts. */
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
    // Secretlint scans a text in one long step, so let other work run before and after it.
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

/** Must not be interrupted: all scans share the patterns, and a pattern's `lastIndex` is state. */
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

/** A word can begin right after these although they end in a letter: `\\n` in JSON, `%3D` in a URL, color codes. */
const AFTER_CODES = /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,12}m)$/;

function beginsAt(text: string, at: number, begins: "word" | "name"): boolean {
  const before = text.slice(Math.max(0, at - 16), at);
  const inside = begins === "word" ? /[A-Za-z0-9]$/ : /[A-Za-z0-9_-]$/;
  return !inside.test(before) || AFTER_CODES.test(before);
}

/** Of overlapping matches, the one that starts first wins, then the longest; it is extended over the others. */
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

/** secretlint, loaded on the first scan, with its profiler disabled. */
type Lint = (
  text: string,
) => Promise<readonly { readonly rule: string; readonly start: number; readonly end: number }[]>;

async function loadSecretlint(): Promise<Lint> {
  const [{ lintSource }, { creator }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("@secretlint/profiler"),
  ]);
  // The profiler records every call, never drops one, and searches all of them each time.
  secretLintProfiler.mark = () => {};
  const config: SecretLintCoreConfig = { rules: [{ id: "preset", rule: creator }] };
  return async (text) => {
    // A comment that disables secretlint is just text in a session, and must not hide what follows.
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

/** Environment variables whose names suggest that the value is a secret. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:^|_)(?:PWD|PAT|AUTH)$/i;
/** Variables with such a name whose values are not secret. */
const HARMLESS = /^(?:SSH_AUTH_SOCK|OLDPWD|PWD|KEYTIMEOUT|GPG_TTY|XAUTHORITY|TOKENIZERS_PARALLELISM)$/i;
const SHORTEST = 8;

interface KnownValue {
  /** The variable. */
  readonly name: string;
  /** The value, or an encoded form of it. */
  readonly text: string;
  /** The value is an ordinary word: report it only if it is used as a password. */
  readonly needsContext: boolean;
}

function knownValues(environment: Readonly<Record<string, string | undefined>>): KnownValue[] {
  const known: KnownValue[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.length < SHORTEST || !SECRET_NAME.test(name) || HARMLESS.test(name)) continue;
    // A path may name a secret, but is not one. Common words would mask half of the text.
    if (/^[/~]|^(?:true|false|enabled|disabled|required)$/i.test(value) || new Set(value).size < 4) continue;
    for (const text of formsOf(value)) known.push({ name, text, needsContext: isOrdinary(value) && text === value });
  }
  // Longest first, so that a value containing another is found whole.
  return known.sort((a, b) => b.text.length - a.text.length);
}

function* knownIn(
  text: string,
  known: readonly KnownValue[],
): Generator<{ readonly name: string; readonly start: number; readonly end: number }> {
  for (const one of known) {
    const { length } = one.text;
    for (let at = text.indexOf(one.text); at >= 0; at = text.indexOf(one.text, at + length)) {
      if (!one.needsContext || isUsedAsSecret(text, at, one)) yield { name: one.name, start: at, end: at + length };
    }
  }
}

const CALLED_SECRET =
  /(?:pass(?:word|wd|phrase)?|pwd|secret|token|key|auth(?:orization)?|credentials?|pat)\\{0,7}["'`\]]{0,2}\s{0,3}(?::|=>?)\s{0,3}\\{0,7}["'`]?$/i;

const FLAG = /(?:^|\s)--?[\w-]{0,30}(?:pass\w{0,6}|pwd|secret|token|key)\s{1,3}["']?$/i;

/** Whether a whole word comes after a name that marks a secret, or between the colon and the at sign of a URL. */
function isUsedAsSecret(text: string, at: number, { text: value }: KnownValue): boolean {
  const before = text.slice(Math.max(0, at - 60), at);
  const after = text.slice(at + value.length, at + value.length + 1);
  if (/[\p{L}\p{N}_]/u.test(after)) return false;
  return CALLED_SECRET.test(before) || FLAG.test(before) || (before.endsWith(":") && after === "@");
}

function formsOf(value: string): Set<string> {
  const forms = new Set([value, JSON.stringify(value).slice(1, -1)]);
  // Inside a longer base64 text, the value can have any of three alignments.
  for (let shift = 0; shift < 3; shift++) {
    const encoded = Buffer.from("\0".repeat(shift) + value, "utf8").toString("base64");
    const inner = encoded.slice(shift === 0 ? 0 : 4).replace(/=+$/, "");
    const stable = inner.slice(0, inner.length - (encoded.endsWith("=") ? 1 : 0));
    if (stable.length >= 12) forms.add(stable);
  }
  return forms;
}
