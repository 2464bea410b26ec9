/**
 * Counts of sessions that were once read whole, in a file that may be deleted at any time: one line for each session,
 * with a stamp that tells whether the session has changed since.
 */
import { readFileSync, statSync } from "node:fs";
import { writeWhole } from "../../log/index.js";
import { attempt, jsonObject } from "../../text/index.js";
import type { SessionCounts } from "./count-log.js";

/** The session that the counts belong to. */
export interface CountedPlace {
  /** Its file. Once the file is gone, its counts are dropped. */
  readonly path: string;
  /** If several sessions share a file. */
  readonly id?: string | undefined;
}

/** A state of a session. */
export interface CountedState {
  /** Made by the caller; changes whenever the session does. */
  readonly stamp: string;
  /** The size of the session. Given if growth by a few bytes is no reason to count again. */
  readonly bytes?: number | undefined;
}

interface CachedCounts extends CountedPlace, CountedState {
  /** Undefined if counting it would have taken too long. */
  readonly counts: SessionCounts | undefined;
}

const HEADING = { type: "session-counts", version: 1 } as const;
/** About two megabytes. With more sessions, the ones counted longest ago are counted again. */
const MOST_ENTRIES = 10_000;
/** A session whose line would be longer is counted every time. */
const LONGEST_LINE = 1_500;
const MOST_BYTES = MOST_ENTRIES * LONGEST_LINE;
/** Counting again only then costs at most three times what was added, however often a session is listed. */
const GROWTH = 1.5;

/**
 * If the file is damaged, of another version, or not accessible, it is treated as empty; that is never an error. If two
 * processes save at once, one may lose its counts and will count again.
 */
export class CountsCache {
  readonly #file: string;
  readonly #known: Map<string, CachedCounts>;
  readonly #fresh = new Map<string, CachedCounts>();

  constructor(file: string) {
    this.#file = file;
    this.#known = load(file);
  }

  find(place: CountedPlace, stamp: string): SessionCounts | undefined {
    const cached = this.#cached(place);
    return cached?.stamp === stamp ? cached.counts : undefined;
  }

  /**
   * What is known of a session that is the same, or has grown by less than half since: its counts at that time, or that
   * it was left out.
   */
  findEarlier(place: CountedPlace, { stamp, bytes = 0 }: CountedState): Pick<CachedCounts, "counts"> | undefined {
    const cached = this.#cached(place);
    if (cached === undefined || cached.stamp === stamp) return cached;
    const { bytes: before } = cached;
    return before !== undefined && bytes > before && bytes < before * GROWTH ? cached : undefined;
  }

  #cached(place: CountedPlace): CachedCounts | undefined {
    const key = keyOf(place);
    return this.#fresh.get(key) ?? this.#known.get(key);
  }

  /** Without counts: it was left out. */
  keep({ path, id }: CountedPlace, { stamp, bytes }: CountedState, counts: SessionCounts | undefined): void {
    this.#fresh.set(keyOf({ path, id }), { path, id, stamp, bytes, counts });
  }

  /** If there are new counts, atomically replaces the file with a new private one. */
  save(): void {
    if (this.#fresh.size === 0) return;
    try {
      writeWhole(this.#file, this.#text(), { existing: "replace", durable: false });
      this.#fresh.clear();
    } catch {
      // A full disk or a read-only home: the next list counts again.
    }
  }

  #text(): string {
    // Read again to keep what other processes saved in the meantime.
    const all = load(this.#file);
    for (const [key, cached] of this.#fresh) {
      // Moved to the end, so that the latest counts are dropped last.
      all.delete(key);
      all.set(key, cached);
    }
    const kept = [...all.values()].slice(-MOST_ENTRIES).filter(({ path }) => exists(path));
    const lines = [HEADING, ...kept.map(recordOf)].map((record) => `${JSON.stringify(record)}\n`);
    return lines.filter((line) => line.length <= LONGEST_LINE).join("");
  }
}

function keyOf({ path, id }: CountedPlace): string {
  return id === undefined ? path : `${path}\0${id}`;
}

function exists(path: string): boolean {
  // A folder that cannot be entered counts as gone.
  return attempt(() => statSync(path, { throwIfNoEntry: false }) !== undefined) ?? false;
}

function load(file: string): Map<string, CachedCounts> {
  const found = new Map<string, CachedCounts>();
  const [heading, ...lines] = linesOf(file);
  const { type, version } = jsonObject(heading ?? "") ?? {};
  if (type !== HEADING.type || version !== HEADING.version) return found;
  for (const line of lines) {
    const cached = cachedIn(jsonObject(line) ?? {});
    if (cached !== undefined) found.set(keyOf(cached), cached);
  }
  return found;
}

function linesOf(file: string): string[] {
  const size = attempt(() => statSync(file).size) ?? 0;
  if (size === 0 || size > MOST_BYTES) return [];
  // A folder in its place, or no permission.
  return attempt(() => readFileSync(file, "utf8").split("\n")) ?? [];
}

type CacheRecord = Readonly<Record<string, unknown>>;

function recordOf({ path, id, stamp, bytes, counts }: CachedCounts): CacheRecord {
  if (counts === undefined) return { path, id, stamp, bytes, leftOut: true };
  const { name, messageCount, turnCount, branchCount, cost } = counts;
  return { path, id, stamp, bytes, name, messages: messageCount, turns: turnCount, branches: branchCount, ...cost };
}

function cachedIn(record: CacheRecord): CachedCounts | undefined {
  const { path, id, stamp, bytes, name, messages, turns, branches, dollars, unpriced } = record;
  if (typeof path !== "string" || typeof stamp !== "string") return undefined;
  if (!isTextOrNone(id) || !isTextOrNone(name) || (bytes !== undefined && !isCount(bytes))) return undefined;
  if (record.leftOut === true) return { path, id, stamp, bytes, counts: undefined };
  if (!isCount(messages) || !isCount(turns) || !isCount(branches) || !isCount(unpriced)) return undefined;
  if (typeof dollars !== "number" || !Number.isFinite(dollars)) return undefined;
  const counts = { name, messageCount: messages, turnCount: turns, branchCount: branches, cost: { dollars, unpriced } };
  return { path, id, stamp, bytes, counts };
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
