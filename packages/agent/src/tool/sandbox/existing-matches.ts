/** Paths that a rule's pattern matches right now, because a sandbox closes paths, not patterns. */
import { itemsIn } from "@bough/session/log/index.js";
import { isStaticPattern, matchesName, plainPath } from "../permission/rule/path-pattern.js";

/** More than this is not gone through before a command. */
const MOST_ENTRIES = 50_000;

/**
 * The files and folders that match an absolute pattern, whatever the case. Everything below a folder that matches belongs
 * to it. If there is too much to look at, the folder where the pattern begins: rather too much is closed than too little.
 */
export function existingMatches(pattern: string, most = MOST_ENTRIES): readonly string[] {
  const { paths, base, isComplete } = matchesNow(pattern, { most });
  return isComplete ? paths : [base];
}

export interface Matches {
  readonly paths: readonly string[];
  /** The folder where the pattern begins. */
  readonly base: string;
  /** False if there was more than `most` to look at. */
  readonly isComplete: boolean;
}

export function matchesNow(pattern: string, { most }: { readonly most: number }): Matches {
  const parts = pattern.split("/").filter((part) => part !== "");
  const fixed = parts.findIndex((part) => !isStaticPattern(part));
  const base = plainPath(`/${parts.slice(0, fixed < 0 ? parts.length : fixed).join("/")}`);
  if (fixed < 0) return { paths: [base], base, isComplete: true };
  const found = new Set<string>();
  let seen = 0;
  const waiting = [{ folder: base, rest: parts.slice(fixed) }];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { folder, rest } = one;
    const entries = itemsIn(folder);
    seen += entries.length;
    if (seen > most) return { paths: [], base, isComplete: false };
    const [part = "", ...later] = rest;
    if (part === "**" && later.length > 0) waiting.push({ folder, rest: later });
    for (const entry of entries) {
      if (part !== "**" && !matchesName(part, entry.name, { ignoreCase: true })) continue;
      const path = `${folder === "/" ? "" : folder}/${entry.name}`;
      if (later.length === 0) found.add(path);
      else if (entry.isDirectory()) waiting.push({ folder: path, rest: part === "**" ? rest : later });
    }
  }
  return { paths: [...found], base, isComplete: true };
}
