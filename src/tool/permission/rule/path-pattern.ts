/** Paths in rules: `src/**`, `~/notes/*.md`, `/etc/hosts`. */
import { resolve } from "node:path";

export interface PatternPlace {
  /** Real path of the working directory: where relative patterns begin. */
  readonly cwd: string;
  /** The user's home folder, for `~/`. */
  readonly userHome: string;
}

/** Whether a path matches exactly as the pattern says: for rules that allow something. */
export function matchesPath(pattern: string, path: string, place: PatternPlace): boolean {
  return expression(absolutePattern(pattern, place), "").test(path);
}

/** Also everything below, whatever the case: for rules against something, which would rather hold too often. */
export function touchesPath(pattern: string, path: string, place: PatternPlace): boolean {
  return new RegExp(`${expression(absolutePattern(pattern, place), "").source.slice(0, -1)}(?:/.*)?$`, "isu").test(
    path,
  );
}

/** Whether something below this folder could match. */
export function mayMatchBelow(pattern: string, folder: string, place: PatternPlace): boolean {
  const fixed = absolutePattern(pattern, place)
    .split("/")
    .reduce<{ readonly parts: readonly string[]; readonly open: boolean }>(
      ({ parts, open }, part) =>
        open || !isStaticPattern(part) ? { parts, open: true } : { parts: [...parts, part], open: false },
      { parts: [], open: false },
    );
  const base = `${fixed.parts.join("/")}/`.toLowerCase();
  const under = `${folder}/`.toLowerCase();
  return base.startsWith(under) || under.startsWith(base);
}

export function isStaticPattern(pattern: string): boolean {
  return !/[*?]/.test(pattern);
}

export function absolutePattern(pattern: string, { cwd, userHome }: PatternPlace): string {
  if (pattern === "~" || pattern.startsWith("~/")) return `${resolve(userHome)}${pattern.slice(1)}`;
  if (pattern.startsWith("/")) return pattern;
  return `${cwd === "/" ? "" : cwd}/${pattern.replace(/^(\.\/)+/, "")}`;
}

function expression(pattern: string, flags: string): RegExp {
  const parts = pattern.replace(/\/{2,}/g, "/").split("/");
  let source = "";
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    if (part === "**") source += isLast ? "(?:/.*)?" : "(?:/[^/]+)*";
    else if (at > 0 || part !== "") source += `${at === 0 ? "" : "/"}${partSource(part)}`;
  }
  return new RegExp(`^${source}$`, `su${flags}`);
}

/** Whether a pattern of the shell, such as `.e*`, could become this path. Sets and lists could become anything. */
export function mayExpandTo(word: string, path: string, { cwd }: PatternPlace): boolean {
  if (!/[*?[{]/.test(word)) return false;
  const parts = resolve(cwd, word.replace(/\[[^\]]*\]?|\{.*/gs, "*")).split("/");
  const names = path.split("/");
  return (
    parts.length === names.length &&
    // A wildcard at the start does not stand for the dot of a hidden file.
    parts.every((part, at) => nameExpression(part).test(names[at] ?? "") && isHidden(part) === isHidden(names[at]))
  );
}

function isHidden(name: string | undefined): boolean {
  return name?.startsWith(".") === true;
}

/** One name of a path, whatever its case. */
export function nameExpression(part: string): RegExp {
  return new RegExp(`^${partSource(part)}$`, "isu");
}

function partSource(part: string): string {
  return part.replace(/\*+|\?|[\\^$.|+()[\]{}/-]/g, (sign) => {
    if (sign.startsWith("*")) return "[^/]*";
    if (sign === "?") return "[^/]";
    return sign === "-" ? "-" : `\\${sign}`;
  });
}
