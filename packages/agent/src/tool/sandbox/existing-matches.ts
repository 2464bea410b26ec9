/** Paths that a rule's pattern matches right now, because a sandbox closes and hides paths, not patterns. */
import { inSlices, itemsIn, type Steps } from "@bough/session/log/index.js";
import { isStaticPattern, nameMatcher, plainPath } from "../permission/rule/path-pattern.js";
import { changeOf, isUnchanged, type ReadFolder } from "./folder-change.js";

/** More than this is not gone through before a command. */
const MOST_ENTRIES = 1_000_000;

export interface Matches {
  readonly pattern: string;
  /** Everything below a folder that matches belongs to it. */
  readonly paths: readonly string[];
  /** The folder where the pattern begins. */
  readonly base: string;
  /** False if there was too much to look at. */
  readonly isComplete: boolean;
}

/** What a pattern found in one folder. */
interface KnownFolder extends ReadFolder {
  readonly count: number;
  readonly matches: readonly string[];
  readonly below: readonly Waiting[];
}

interface Waiting {
  readonly folder: string;
  /** The parts of the pattern that names in the folder may match: with `**`, several. */
  readonly parts: readonly number[];
}

/** By pattern, then by folder. */
type Known = Map<string, ReadonlyMap<string, KnownFolder>>;

/** Looks up patterns again and again: only folders that changed since the last time are read. */
export class ExistingMatches {
  #known: Known = new Map();
  readonly #most: number;

  constructor(most = MOST_ENTRIES) {
    this.#most = most;
  }

  /** The files and folders that match absolute patterns, whatever the case. Yields to other work. */
  async now(patterns: readonly string[]): Promise<readonly Matches[]> {
    const known: Known = new Map();
    const found: Matches[] = [];
    for (const pattern of patterns) found.push(await inSlices(this.#look(pattern, known)));
    this.#known = known;
    return found;
  }

  *#look(pattern: string, looked: Known): Steps<Matches> {
    const parts = pattern.split("/").filter((part) => part !== "");
    const fixed = parts.findIndex((part) => !isStaticPattern(part));
    const base = plainPath(`/${parts.slice(0, fixed < 0 ? parts.length : fixed).join("/")}`);
    if (fixed < 0) return { pattern, paths: [base], base, isComplete: true };
    const before = this.#known.get(pattern);
    const known = new Map<string, KnownFolder>();
    looked.set(pattern, known);
    const open = parts.slice(fixed);
    const read = folderReader(open);
    const paths: string[] = [];
    let count = 0;
    const waiting: Waiting[] = [{ folder: base, parts: reached(open, [0]) }];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      yield;
      const { folder } = one;
      const changed = changeOf(folder);
      if (changed === undefined) continue;
      const last = before?.get(folder);
      const now = last !== undefined && isUnchanged(last, changed) ? last : yield* read(one, changed);
      known.set(folder, now);
      count += now.count;
      if (count > this.#most) return { pattern, paths: [], base, isComplete: false };
      for (const path of now.matches) paths.push(path);
      for (const below of now.below) waiting.push(below);
    }
    return { pattern, paths, base, isComplete: true };
  }
}

/** `**` also matches no folder at all. */
function reached(open: readonly string[], parts: readonly number[]): readonly number[] {
  const all = new Set<number>();
  for (const part of parts) {
    let at = part;
    all.add(at);
    while (open[at] === "**" && at < open.length - 1) all.add(++at);
  }
  return [...all];
}

function folderReader(open: readonly string[]) {
  const matchers = open.map((part) => (part === "**" ? () => true : nameMatcher(part, { ignoreCase: true })));
  return function* read({ folder, parts }: Waiting, changed: number): Steps<KnownFolder> {
    const readAt = Date.now();
    const items = itemsIn(folder);
    const matches: string[] = [];
    const below: Waiting[] = [];
    for (const item of items) {
      yield;
      const fits = parts.filter((part) => matchers[part]?.(item.name));
      if (fits.length === 0) continue;
      const path = `${folder === "/" ? "" : folder}/${item.name}`;
      if (fits.includes(open.length - 1)) matches.push(path);
      const next = fits.filter((part) => part < open.length - 1).map((part) => (open[part] === "**" ? part : part + 1));
      if (next.length > 0 && item.isDirectory()) below.push({ folder: path, parts: reached(open, next) });
    }
    return { changed, readAt, count: items.length, matches, below };
  };
}
