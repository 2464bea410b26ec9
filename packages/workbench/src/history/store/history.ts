/**
 * An index of all agents' sessions on this machine, including Bough's own. Sessions that changed are read again, newest
 * first; the index of each is kept in memory and in `$BOUGH_HOME/cache/history`.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { AgentName } from "@bough/session/entry/index.js";
import { isLeftBehind, namesIn } from "@bough/session/log/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { errorText } from "@bough/session/text/index.js";
import type { SessionFacts } from "../facts/facts.js";
import { type EntryRow, readSession } from "../facts/read-session.js";
import { factsText } from "../facts/turn-text.js";
import { type IndexChunk, IndexWriter, type LoadedIndex, loadIndex, readChunk, readTable } from "./index-file.js";
import { LruCache } from "./lru-cache.js";
import { findSources, openToRead, type Source, type SourcePlaces, sourceKey, tailHash } from "./source.js";

export interface KnownSession {
  readonly key: string;
  readonly agent: AgentName | undefined;
  /** The ID that its own program uses. */
  readonly id: string;
  /** The part of an address before `#`: `4f2a...`, `claude-code:4f2a...`. */
  readonly reference: string;
  readonly path: string;
  readonly title: string;
  readonly cwd: string;
  /** Milliseconds. */
  readonly modified: number;
  readonly bytes: number;
  readonly facts: SessionFacts;
  readonly index: LoadedIndex;
}

export interface Coverage {
  /** Number of sessions that are not indexed yet, or changed since. */
  readonly waiting: number;
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
  /** Folders of Bough's own sessions that could not be read; their contents are unknown. */
  readonly closed: readonly { readonly path: string; readonly reason: string }[];
}

export interface HistoryOptions extends Omit<SourcePlaces, "signal"> {
  /** Minimum milliseconds between two searches for sessions. Default 1,000. */
  readonly every?: number;
  /** Returns milliseconds. Default: `performance.now`. */
  readonly clock?: () => number;
}

/** After a search for sessions, or after reading one, pause for this many times its duration. */
const REST = 10;
/** Characters of text, and number of rows, cached in memory. */
const MOST_TEXT = 1 << 25;
const MOST_ROWS = 400_000;

export class History {
  readonly #places: SourcePlaces;
  readonly #folder: string;
  readonly #every: number;
  readonly #clock: () => number;
  readonly #stop = new AbortController();
  #known = new Map<string, KnownSession>();
  #sorted: readonly KnownSession[] | undefined;
  #problems = new Map<string, { readonly path: string; readonly reason: string; readonly stamp: string }>();
  #closed: Coverage["closed"] = [];
  /** Earliest time at which a session may be read again. */
  readonly #notBefore = new Map<string, number>();
  readonly #texts = new LruCache<string, readonly string[]>(MOST_TEXT);
  readonly #rows = new LruCache<string, readonly EntryRow[]>(MOST_ROWS);
  #waiting = 0;
  #nextUpdate = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;

  constructor({ every = 1_000, clock = () => performance.now(), ...places }: HistoryOptions = {}) {
    const home = places.home ?? boughHome();
    this.#folder = join(home, "cache", "history");
    this.#places = { ...places, home, signal: this.#stop.signal };
    this.#every = every;
    this.#clock = clock;
  }

  /** The indexed sessions, newest first. */
  get sessions(): readonly KnownSession[] {
    this.#sorted ??= [...this.#known.values()].sort((a, b) => b.modified - a.modified || (a.key < b.key ? -1 : 1));
    return this.#sorted;
  }

  get coverage(): Coverage {
    return { waiting: this.#waiting, problems: [...this.#problems.values()], closed: this.#closed };
  }

  /** Finds and indexes what is new. Returns when done, or after `within` milliseconds, with the work still running. */
  async refresh(within = Number.POSITIVE_INFINITY): Promise<Coverage> {
    if (this.#running === undefined && this.#clock() >= this.#nextUpdate) {
      const start = this.#clock();
      this.#running = this.#update().finally(() => {
        this.#running = undefined;
        const end = this.#clock();
        this.#nextUpdate = end + Math.max(this.#every, (end - start) * REST);
      });
    }
    const running = this.#running;
    if (running !== undefined) {
      if (within === Number.POSITIVE_INFINITY) await running;
      else {
        // Only callers that wait until the end see a failure.
        running.catch(() => {});
        const enough = new AbortController();
        await Promise.race([
          running.catch(() => {}),
          setTimeout(within, undefined, { signal: enough.signal }).catch(() => {}),
        ]);
        enough.abort();
      }
    }
    return this.coverage;
  }

  /** Stops indexing; no index file is left half written. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running?.catch(() => {});
  }

  /** Texts of the rows of a chunk. Throws if the index file was changed in the meantime. */
  textsOf({ key, index }: KnownSession, chunk: IndexChunk): readonly string[] {
    return this.#texts.get(`${key} ${index.stamp} ${chunk.at}`, () => {
      const value = readChunk(index, chunk);
      return { value, size: value.reduce((sum, text) => sum + text.length, 0) };
    });
  }

  /** The searchable text of each turn. */
  factsOf({ key, index, facts }: KnownSession): readonly string[] {
    return this.#texts.get(`${key} ${index.stamp} facts`, () => {
      const value = factsText(facts);
      return { value, size: value.reduce((sum, text) => sum + text.length, 0) };
    });
  }

  rowsOf({ key, index }: KnownSession): readonly EntryRow[] {
    return this.#rows.get(`${key} ${index.stamp}`, () => {
      const value = readTable(index);
      return { value, size: value.length };
    });
  }

  async #update(): Promise<void> {
    const closed: Coverage["closed"][number][] = [];
    const sources = await findSources(this.#places, (path, reason) => closed.push({ path, reason }));
    this.#closed = closed;
    const keys = new Set<string>();
    const changed: Source[] = [];
    for (const source of sources) {
      const key = sourceKey(source);
      keys.add(key);
      const known = this.#known.get(key);
      if (known?.index.stamp === source.stamp) this.#remember(source, known.index);
      else if (this.#problems.get(key)?.stamp !== source.stamp) changed.push(source);
    }
    this.#forgetOthers(keys);
    this.#waiting = changed.length;
    for (const source of changed) {
      this.#stop.signal.throwIfAborted();
      await setImmediate();
      if (await this.#loadOrRead(source)) this.#waiting -= 1;
    }
  }

  /** Loads the saved index, or reads the session if that is outdated. False if it is too early to read it again. */
  async #loadOrRead(source: Source): Promise<boolean> {
    const key = sourceKey(source);
    const file = join(this.#folder, `${key}.index`);
    const saved = loadIndex(file);
    if (saved !== undefined && saved.stamp === source.stamp && saved.tail === tailHash(source.path)) {
      this.#remember(source, saved);
      return true;
    }
    // An outdated index is better than none.
    if (saved !== undefined && !this.#known.has(key)) this.#remember(source, saved);
    const start = this.#clock();
    if (start < (this.#notBefore.get(key) ?? 0) && this.#known.has(key)) return false;
    try {
      await this.#read(source, file);
      this.#problems.delete(key);
    } catch (error) {
      if (this.#stop.signal.aborted) throw error;
      this.#problems.set(key, { path: source.path, reason: errorText(error), stamp: source.stamp });
    }
    const end = this.#clock();
    this.#notBefore.set(key, end + (end - start) * REST);
    return true;
  }

  async #read(source: Source, file: string): Promise<void> {
    const tail = tailHash(source.path);
    const opened = await openToRead(source, this.#stop.signal);
    try {
      const writer = new IndexWriter(file);
      try {
        const onText = (text: string): void => writer.add(text);
        const { signal } = this.#stop;
        const read = await readSession(opened.session, { onText, signal });
        const id = source.foreign?.id ?? opened.session.getSessionId();
        writer.finish({ key: sourceKey(source), stamp: source.stamp, tail, id }, read);
      } finally {
        writer.close();
      }
    } finally {
      opened.close();
    }
    const made = loadIndex(file);
    if (made === undefined) throw new Error("The index could not be read back");
    this.#remember(source, made);
  }

  #remember(source: Source, index: LoadedIndex): void {
    const { agent, foreign, path, modified, bytes } = source;
    const { facts, id, key } = index;
    const title = facts.name ?? foreign?.title ?? facts.turns.find(({ prompt }) => prompt !== "")?.prompt ?? "";
    const reference = source.reference ?? id;
    const cwd = foreign !== undefined && foreign.cwd !== "" ? foreign.cwd : facts.cwd;
    this.#known.set(key, { key, agent, id, reference, path, title, cwd, modified, bytes, facts, index });
    this.#sorted = undefined;
  }

  #forgetOthers(keys: ReadonlySet<string>): void {
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key);
    for (const key of this.#problems.keys()) if (!keys.has(key)) this.#problems.delete(key);
    this.#sorted = undefined;
    for (const name of namesIn(this.#folder)) {
      const [key = "", kind, , mark = ""] = name.split(".");
      const isOld = name.endsWith(".new") ? isLeftBehind(mark) : kind === "index" && !keys.has(key);
      if (isOld) rmSync(join(this.#folder, name), { force: true });
    }
  }
}
