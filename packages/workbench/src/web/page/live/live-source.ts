/** A session on the server: its tree is here, its entries are fetched when they are shown. */
import type { Kind, Role, SessionEntry } from "@bough/session/entry/index.js";
import { Labels, type ResolvedLabel, type TreeIndex } from "@bough/session/tree/index.js";
import type { ExportFacts } from "../../data/export-facts.js";
import type { EntriesAnswer, FindAnswer, GrownEvent, NumberedEntry, TreeAnswer } from "../../data/live-types.js";
import { addTo, treeFromColumns } from "../../data/tree-columns.js";
import type { PageSource } from "../data/page-source.js";
import { getJson } from "./live-api.js";

/** Entries kept; after that, those that were fetched first are asked for again. */
const MOST_ENTRIES = 5_000;
/** Entries asked for at once. */
const MOST_ASKED = 200;

export class LiveSource implements PageSource {
  readonly tree: TreeIndex;
  readonly facts: ExportFacts;
  leaf: number;
  missed = false;
  readonly #key: string;
  readonly #onArrived: () => void;
  readonly #entries = new Map<number, SessionEntry>();
  readonly #asked = new Set<number>();
  #wanted: number[] = [];
  #isFetching = false;
  #labels = new Labels();

  constructor(answer: TreeAnswer, onArrived: () => void) {
    const { key, id, title, startedAt, cwd, leaf, index, entries } = answer;
    const now = new Date().toISOString();
    this.tree = treeFromColumns(index);
    this.leaf = leaf;
    const header = { type: "session" as const, version: 3, id, timestamp: startedAt, cwd };
    this.facts = { title: title || "Session", sessionId: id, madeAt: now, startedAt, header, index, leaf, chunks: [] };
    this.#key = key;
    this.#onArrived = onArrived;
    this.#keep(entries);
  }

  get name(): string {
    return this.facts.title;
  }

  entryAt(n: number): SessionEntry {
    const known = this.#entries.get(n);
    if (known !== undefined) return known;
    this.#want(n);
    const parent = this.tree.parentOf(n);
    const parentId = parent < 0 ? null : this.tree.ids.textOf(parent);
    return { type: "unreadable", id: this.tree.ids.textOf(n), parentId, timestamp: "", reason: "it is being fetched" };
  }

  lineAt(n: number): string | undefined {
    const known = this.#entries.get(n);
    if (known === undefined) this.#want(n);
    return known === undefined ? undefined : JSON.stringify(known);
  }

  async find(query: string): Promise<ReadonlySet<number>> {
    const path = `/api/find?s=${this.#key}&q=${encodeURIComponent(query)}`;
    return new Set((await getJson<FindAnswer>(path)).numbers);
  }

  /** A live session has no chunks. */
  chunkText(): undefined {}

  labelOf(n: number): ResolvedLabel | undefined {
    return this.#labels.resolve(this.tree, (at) => this.entryAt(at)).get(this.tree.ids.textOf(n));
  }

  readAgain(): void {
    this.missed = false;
    this.#labels = new Labels();
  }

  /** Adds what was written. False if it does not continue what is here. */
  grow({ from, rows, leaf, entries }: GrownEvent): boolean {
    for (const [at, [id, parentId, kind, role, length]] of rows.entries()) {
      const n = from + at;
      if (n < this.tree.count) {
        if (this.tree.ids.textOf(n) !== id) return false;
      } else if (n > this.tree.count) return false;
      else addTo(this.tree, { id, parentId, kind: kind as Kind, role: role as Role, length });
    }
    this.leaf = leaf;
    this.#keep(entries);
    if (rows.length > 0) this.#labels = new Labels();
    return true;
  }

  #keep(entries: readonly NumberedEntry[]): void {
    for (const [n, entry] of entries) {
      if (this.#entries.size >= MOST_ENTRIES) {
        const [oldest] = this.#entries.keys();
        if (oldest !== undefined) this.#entries.delete(oldest);
        if (oldest !== undefined) this.#asked.delete(oldest);
      }
      this.#entries.set(n, entry as SessionEntry);
    }
  }

  #want(n: number): void {
    this.missed = true;
    if (this.#asked.has(n)) return;
    this.#asked.add(n);
    this.#wanted.push(n);
    if (!this.#isFetching) void this.#fetch();
  }

  /** Everything that one drawing asked for, newest wishes first: the reader has scrolled there. */
  async #fetch(): Promise<void> {
    this.#isFetching = true;
    await Promise.resolve();
    while (this.#wanted.length > 0) {
      const numbers = this.#wanted.splice(-MOST_ASKED);
      try {
        const { entries, left } = await getJson<EntriesAnswer>(`/api/entries?s=${this.#key}&n=${rangesOf(numbers)}`);
        const isSame = entries.every(([n, entry]) => this.tree.ids.textOf(n) === (entry as SessionEntry).id);
        if (isSame) this.#keep(entries);
        this.#wanted.push(...left);
      } catch {
        // Asked for again when it is drawn again.
        for (const n of numbers) this.#asked.delete(n);
        break;
      }
      this.#onArrived();
    }
    this.#isFetching = false;
  }
}

/** `3,7-20` */
export function rangesOf(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length; ) {
    const first = sorted[at] as number;
    let last = first;
    while (sorted[at + 1] === last + 1) {
      at += 1;
      last += 1;
    }
    parts.push(first === last ? String(first) : `${first}-${last}`);
    at += 1;
  }
  return parts.join(",");
}
