/** Finds the existing paths that match a rule's pattern, because a sandbox blocks paths, not patterns. */
import { type Dirent, readdirSync } from "node:fs";
import { isStaticPattern, matchesName, plainPath } from "../permission/rule/path-pattern.js";

/** Scan at most this many names before a command. */
const MOST_ENTRIES = 50_000;

/**
 * The files and folders that match an absolute pattern, ignoring case. A matching folder includes everything below it.
 * If there are too many names to scan, returns the folder where the pattern starts, because blocking too much is safer
 * than too little.
 */
export function existingMatches(pattern: string, most = MOST_ENTRIES): readonly string[] {
  const parts = pattern.split("/").filter((part) => part !== "");
  const fixed = parts.findIndex((part) => !isStaticPattern(part));
  const base = plainPath(`/${parts.slice(0, fixed < 0 ? parts.length : fixed).join("/")}`);
  if (fixed < 0) return [base];
  const found = new Set<string>();
  let seen = 0;
  const waiting = [{ folder: base, rest: parts.slice(fixed) }];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { folder, rest } = one;
    const entries = entriesOf(folder);
    seen += entries.length;
    if (seen > most) return [base];
    const [part = "", ...later] = rest;
    if (part === "**" && later.length > 0) waiting.push({ folder, rest: later });
    for (const entry of entries) {
      if (part !== "**" && !matchesName(part, entry.name, { ignoreCase: true })) continue;
      const path = `${folder === "/" ? "" : folder}/${entry.name}`;
      if (later.length === 0) found.add(path);
      else if (entry.isDirectory()) waiting.push({ folder: path, rest: part === "**" ? rest : later });
    }
  }
  return [...found];
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Missing, not a folder, or not readable by us.
    return [];
  }
}
