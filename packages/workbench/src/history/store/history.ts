/**
 * The sessions of all agents on this machine, indexed. Bough's own and others' are found, those that changed are read
 * again, newest first, and what is known of each is kept in memory and in `$BOUGH_HOME/cache/history`.
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
import { Recent } from "./recent.js";
import { findSources, openToRead, type Source, type SourcePlaces, sourceKey, tailHash } from "./source.js";

export interface KnownSession {
  readonly key: string;
  readonly agent: AgentName | undefined;
  /** As its own program calls it. */
  readonly id: string;
  /** What finds it again, before `#`: `4f2a...`, `claude-code:4f2a...`. */
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
  /** Sessions that were found and are not in the index yet, or changed since. */
  readonly waiting: number;
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
  /** Folders of Bough's own sessions that could not be read: what is in them is not known. */
  readonly closed: readonly { readonly path: string; readonly reason: string }[];
}

export interface HistoryOptions extends Omit<SourcePlaces, "signal"> {
  /** Sessions are looked for at most this often, in milliseconds. Default 1,000. */
  readonly every?: number;
  /** Milliseconds. Default: the clock of the process. */
  readonly clock?: () => number;
}

/** Looking for sessions, and reading one that is written to all the time, wait this many times as long as they took. */
const REST = 10;
/** Characters of texts and rows that are kept in memory for the next question. */
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
  /** When a session may be read again. */
  readonly #notBefore = new Map<string, number>();
  readonly #texts = new Recent<string, readonly string[]>(MOST_TEXT);
  readonly #rows = new Recent<string, readonly EntryRow[]>(MOST_ROWS);
  #waiting = 0;
  #lookAgain = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;

  constructor({ every = 1_000, clock = () => performance.now(), ...places }: HistoryOptions = {}) {
    const home = places.home ?? boughHome();
    this.#folder = join(home, "cache", "history");
    this.#places = { ...places, home, signal: this.#stop.signal };
    this.#every = every;
    this.#clock = clock;
  }

  /** Newest first, as far as they are indexed. */
  get sessions(): readonly KnownSession[] {
    this.#sorted ??= [...this.#known.values()].sort((a, b) => b.modified - a.modified || (a.key < b.key ? -1 : 1));
    return this.#sorted;
  }

  get coverage(): Coverage {
    return { waiting: this.#waiting, problems: [...this.#problems.values()], closed: this.#closed };
  }

  /** Finds what is new and indexes it. Returns when that is done, or after `within` milliseconds; it continues then. */
  async refresh(within = Number.POSITIVE_INFINITY): Promise<Coverage> {
    if (this.#running === undefined && this.#clock() >= this.#lookAgain) {
      const start = this.#clock();
      this.#running = this.#update().finally(() => {
        this.#running = undefined;
        const end = this.#clock();
        this.#lookAgain = end + Math.max(this.#every, (end - start) * REST);
      });
    }
    const running = this.#running;
    if (running !== undefined) {
      if (within === Number.POSITIVE_INFINITY) await running;
      else {
        // A failure to look is told by whoever waits to the end.
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

  /** Stops what runs; nothing is left half written. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running?.catch(() => {});
  }

  /** Texts of the rows of a chunk. Throws where the index on the disk was changed meanwhile. */
  textsOf({ key, index }: KnownSession, chunk: IndexChunk): readonly string[] {
    return this.#texts.get(`${key} ${index.stamp} ${chunk.at}`, () => {
      const value = readChunk(index, chunk);
      return { value, size: value.reduce((sum, text) => sum + text.length, 0) };
    });
  }

  /** What is known of each turn, as text. */
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
      if (known?.index.stamp === source.stamp) this.#know(source, known.index);
      else if (this.#problems.get(key)?.stamp !== source.stamp) changed.push(source);
    }
    this.#forgetOthers(keys);
    this.#waiting = changed.length;
    for (const source of changed) {
      this.#stop.signal.throwIfAborted();
      await setImmediate();
      if (await this.#take(source)) this.#waiting -= 1;
    }
  }

  /** From the disk where it is up to date there; otherwise the session is read. False if it is too early for that. */
  async #take(source: Source): Promise<boolean> {
    const key = sourceKey(source);
    const file = join(this.#folder, `${key}.index`);
    const saved = loadIndex(file);
    if (saved !== undefined && saved.stamp === source.stamp && saved.tail === tailHash(source.path)) {
      this.#know(source, saved);
      return true;
    }
    // What it says is old, and still more than nothing.
    if (saved !== undefined && !this.#known.has(key)) this.#know(source, saved);
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
    this.#know(source, made);
  }

  #know(source: Source, index: LoadedIndex): void {
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
