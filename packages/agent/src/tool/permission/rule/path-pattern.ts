/** Paths in rules: `src/**`, `~/notes/*.md`, `/etc/hosts`. A backslash escapes the next character. */
import { resolve } from "node:path";

export interface PatternPlace {
  /** Real path of the working directory, which relative patterns start from. */
  readonly cwd: string;
  /** The user's home folder, for `~/`. */
  readonly userHome: string;
}

/** For allow rules: exact match. */
export function matchesPath(pattern: string, path: string, place: PatternPlace): boolean {
  return matchesParts(partsOf(absolutePattern(pattern, place)), path.split("/"), { below: false, ignoreCase: false });
}

/** For deny and ask rules: ignores case and includes everything below, because these should rather match too much. */
export function touchesPath(pattern: string, path: string, place: PatternPlace): boolean {
  return matchesParts(partsOf(absolutePattern(pattern, place)), path.split("/"), { below: true, ignoreCase: true });
}

/** Whether something below this folder could match. */
export function mayMatchBelow(pattern: string, folder: string, place: PatternPlace): boolean {
  const parts = absolutePattern(pattern, place).split("/");
  const open = parts.findIndex((part) => !isStaticPattern(part));
  const base = foldedPath(`${plainPath(parts.slice(0, open < 0 ? parts.length : open).join("/"))}/`);
  const under = foldedPath(`${folder === "/" ? "" : folder}/`);
  return base.startsWith(under) || (open >= 0 && under.startsWith(base));
}

/** Normalizes a path the way file systems compare it that ignore case and Unicode composition. */
export function foldedPath(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

export function isStaticPattern(pattern: string): boolean {
  return !/[*?]/.test(pattern.replace(/\\[\s\S]/g, ""));
}

/** The path that a pattern without wildcards matches. */
export function plainPath(pattern: string): string {
  return pattern.replace(/\\([\s\S])/g, "$1");
}

/** A pattern that matches only this path. */
export function escapedPath(path: string): string {
  return path.replace(/[*?[\]{}!\\]|^[~\s]|\s$/g, "\\$&");
}

export function absolutePattern(pattern: string, { cwd, userHome }: PatternPlace): string {
  if (pattern === "~" || pattern.startsWith("~/")) return `${signsEscaped(resolve(userHome))}${pattern.slice(1)}`;
  if (pattern.startsWith("/")) return pattern;
  return `${cwd === "/" ? "" : signsEscaped(cwd)}/${pattern.replace(/^(\.\/)+/, "")}`;
}

function signsEscaped(path: string): string {
  return path.replace(/[*?\\]/g, "\\$&");
}

/** Whether a shell pattern such as `.e*` could expand to this path. Sets and lists could expand to anything. */
export function mayExpandTo(word: string, path: string, folder: string): boolean {
  if (!/[*?[{]/.test(word)) return false;
  const parts = resolve(folder, word.replace(/\[[^\]]*\]?|\{.*/gs, "*")).split("/");
  const names = path.split("/");
  return (
    parts.length <= names.length &&
    // A leading wildcard does not match the dot of a hidden file.
    parts.every(
      (part, at) =>
        matchesName(part, names[at] ?? "", { ignoreCase: true }) &&
        (part.startsWith(".") || !names[at]?.startsWith(".")),
    )
  );
}

interface MatchOptions {
  readonly below: boolean;
  readonly ignoreCase: boolean;
}

const PARTS = new Map<string, readonly string[]>();
const MOST_PARTS = 200_000;

function partsOf(pattern: string): readonly string[] {
  const known = PARTS.get(pattern);
  if (known !== undefined) return known;
  const parts = pattern.replace(/\/{2,}/g, "/").split("/");
  if (PARTS.size > MOST_PARTS) PARTS.clear();
  PARTS.set(pattern, parts);
  return parts;
}

/** Not a regular expression, which could backtrack on patterns with many wildcards. */
function matchesParts(
  parts: readonly string[],
  names: readonly string[],
  { below, ignoreCase }: MatchOptions,
): boolean {
  // Positions in `names` that the parts so far can reach.
  let reached = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part === "**") {
        for (let end = at; end <= names.length; end++) next.add(end);
      } else if (at < names.length && matchesName(part, names[at] as string, { ignoreCase })) next.add(at + 1);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(names.length) || (below && [...reached].some((at) => at > 0));
}

/** Matches one path component against a pattern with `*` and `?`. */
export function matchesName(part: string, name: string, options: { readonly ignoreCase: boolean }): boolean {
  return nameMatcher(part, options)(name);
}

/** `matchesName` for many names. */
export function nameMatcher(part: string, { ignoreCase }: { readonly ignoreCase: boolean }): (name: string) => boolean {
  const written = (text: string) => (ignoreCase ? foldedPath(text) : text);
  if (!/[*?\\]/.test(part)) {
    const whole = written(part);
    return (name) => whole === written(name);
  }
  const signs = [...written(part).matchAll(/\\[\s\S]|[\s\S]/gu)].map(([sign]) => sign);
  return (name) => matchesSigns(signs, [...written(name)]);
}

function matchesSigns(pattern: readonly string[], letters: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let from = 0;
  for (let index = 0; index < letters.length; ) {
    const sign = pattern[at];
    if (sign === "*") {
      star = at++;
      from = index;
    } else if (
      sign === "?" ||
      (sign !== undefined && (sign.length > 1 && sign.startsWith("\\") ? sign.slice(1) : sign) === letters[index])
    ) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++from;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
