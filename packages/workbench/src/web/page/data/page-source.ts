/** The session in the page: its index is read at once, entries on demand. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import { Labels, type ResolvedLabel, type TreeIndex, type TreeSource } from "@bough/session/tree/index.js";
import { chunkOf } from "../../data/chunk-of.js";
import { chunkId, type ExportFacts } from "../../data/export-facts.js";
import { treeFromColumns } from "../../data/tree-columns.js";

/** How many chunks to cache as lines; after that the oldest is dropped and split again when needed. */
const MOST_CHUNKS = 200;
const MOST_ENTRIES = 2000;

/** A session that a page shows: read from the page itself, or asked for from a server. */
export interface PageSource extends TreeSource {
  readonly facts: ExportFacts;
  /** Whether an entry was requested that is not there yet. */
  readonly missed: boolean;
  /**
   * Finds the entries that contain all words where the session is. Without it, everything is here, and the page searches
   * it.
   */
  find?(query: string): Promise<ReadonlySet<number>>;
  /** The entry's own JSON; undefined if it is not there yet. */
  lineAt(n: number): string | undefined;
  /** The lines of a chunk; undefined if they are not there yet. */
  chunkText(chunk: number): string | undefined;
  /** Call it when what was missed has arrived: labels that were missing are looked up again. */
  readAgain(): void;
}

export class ExportSource implements PageSource {
  readonly tree: TreeIndex;
  readonly leaf: number;
  readonly name: string | undefined;
  readonly facts: ExportFacts;
  readonly #lines = new Map<number, readonly string[]>();
  readonly #entries = new Map<number, SessionEntry>();
  #labels = new Labels();
  /** Whether an entry was requested that the browser has not read yet. */
  missed = false;

  constructor(facts: ExportFacts) {
    this.facts = facts;
    this.tree = treeFromColumns(facts.index);
    this.leaf = facts.leaf;
    this.name = facts.title;
  }

  entryAt(n: number): SessionEntry {
    const known = this.#entries.get(n);
    if (known !== undefined) return known;
    const line = this.lineAt(n);
    const entry = line === undefined ? this.#placeholder(n, "it is still being read") : this.#parsed(n, line);
    if (line !== undefined) remember(this.#entries, n, entry, MOST_ENTRIES);
    return entry;
  }

  /** The entry's own JSON; undefined if the browser has not read it yet. */
  lineAt(n: number): string | undefined {
    const { chunks } = this.facts;
    const chunk = chunkOf(chunks, n);
    let lines = this.#lines.get(chunk);
    if (lines === undefined) {
      const text = this.chunkText(chunk);
      if (text === undefined) {
        this.missed = true;
        return undefined;
      }
      lines = text.split("\n");
      remember(this.#lines, chunk, lines, MOST_CHUNKS);
    }
    return lines[n - (chunks[chunk] as number)];
  }

  chunkText(chunk: number): string | undefined {
    const block = document.getElementById(chunkId(chunk));
    // While the browser is reading the file, the last element may be incomplete.
    const whole = block !== null && (block.nextSibling !== null || document.readyState !== "loading");
    return whole ? (block.textContent ?? "") : undefined;
  }

  labelOf(n: number): ResolvedLabel | undefined {
    return this.#labels.resolve(this.tree, (at) => this.entryAt(at)).get(this.tree.ids.textOf(n));
  }

  /** Call it when everything has been read: labels that were missing are looked up again. */
  readAgain(): void {
    this.missed = false;
    this.#labels = new Labels();
  }

  #parsed(n: number, line: string): SessionEntry {
    try {
      return JSON.parse(line) as SessionEntry;
    } catch {
      return this.#placeholder(n, "the file was changed");
    }
  }

  #placeholder(n: number, reason: string): SessionEntry {
    const parent = this.tree.parentOf(n);
    const parentId = parent < 0 ? null : this.tree.ids.textOf(parent);
    return { type: "unreadable", id: this.tree.ids.textOf(n), parentId, timestamp: "", reason };
  }
}

/** Caches up to `most` values and drops the oldest. */
function remember<Value>(kept: Map<number, Value>, key: number, value: Value, most: number): void {
  if (kept.size >= most) {
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }
  kept.set(key, value);
}
