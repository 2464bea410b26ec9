/**
 * The entries of a page, as a session of its own: all readable entries, numbered from 0, each with the nearest included
 * entry above as its parent, plus a position record if the page would otherwise open elsewhere. Masking and omitting
 * happens earlier: a page is made from a session that may be shared as it is.
 */
import { type EntryId, Kind, kindOf, POSITION_TYPE, roleOf, type SessionEntry } from "@bough/session/entry/index.js";
import type { Steps } from "@bough/session/text/index.js";
import { Labels, type ResolvedLabel, TreeIndex, type TreeSource } from "@bough/session/tree/index.js";
import { addTo } from "../data/tree-columns.js";

/** Size of the entry cache in bytes: a few hundred ordinary entries, and never more than one large one. */
const MOST_RECENT_LENGTH = 4 * 1024 * 1024;

export class PageEntries implements TreeSource {
  readonly tree = new TreeIndex();
  leaf = -1;
  readonly name: string | undefined;
  readonly #source: TreeSource;
  readonly #numbers: Int32Array;
  /** The number here for each entry of the source, -1 if it is left out. */
  readonly #places: Int32Array;
  /** A record that no session has: where the page opens. */
  #position: SessionEntry | undefined;
  readonly #labels = new Labels();
  readonly #recent = new Map<number, SessionEntry>();
  #recentLength = 0;

  private constructor(source: TreeSource, numbers: Int32Array, places: Int32Array) {
    this.#source = source;
    this.name = source.name;
    this.#numbers = numbers;
    this.#places = places;
  }

  /** Runs in steps, so that a long session does not block everything else. */
  static *of(source: TreeSource, now: Date): Steps<PageEntries> {
    const { count } = source.tree;
    const numbers = new Int32Array(count);
    const places = new Int32Array(count).fill(-1);
    let readable = 0;
    for (let n = 0; n < count; n++) {
      if (source.tree.kindOf(n) === Kind.unreadable) continue;
      numbers[readable] = n;
      places[n] = readable;
      readable += 1;
      yield;
    }
    const page = new PageEntries(source, numbers.subarray(0, readable), places);
    yield;
    for (const n of page.#numbers) {
      page.#place(n);
      yield;
    }
    page.tree.settle();
    yield;
    page.tree.times.readBy((n) => Date.parse(page.entryAt(n).timestamp));
    page.leaf = page.#placeAtOrAbove(source.leaf);
    if (page.leaf >= 0 && page.tree.loadedLeaf !== page.leaf) page.#addPosition(now);
    return page;
  }

  /** Caches recently read entries, because calls look for their results nearby. */
  entryAt(n: number): SessionEntry {
    const known = this.#recent.get(n);
    if (known !== undefined) return known;
    const original = this.#numbers[n];
    const entry = original === undefined ? (this.#position as SessionEntry) : this.#placed(original);
    this.#recentLength += this.tree.lengthOf(n);
    if (this.#recentLength > MOST_RECENT_LENGTH) {
      this.#recent.clear();
      this.#recentLength = this.tree.lengthOf(n);
    }
    this.#recent.set(n, entry);
    return entry;
  }

  labelOf(n: number): ResolvedLabel | undefined {
    return this.#labels.resolve(this.tree, (at) => this.entryAt(at)).get(this.tree.ids.textOf(n));
  }

  #place(n: number): void {
    const { tree } = this.#source;
    addTo(this.tree, {
      id: tree.ids.textOf(n),
      parentId: this.#parentIdOf(n),
      kind: tree.kindOf(n),
      role: tree.roleOf(n),
      length: tree.lengthOf(n),
    });
  }

  #placed(n: number): SessionEntry {
    const entry = this.#source.entryAt(n);
    const parentId = this.#parentIdOf(n);
    const placed = parentId === entry.parentId ? entry : { ...entry, parentId };
    return placed.type === "compaction" ? { ...placed, ...this.#anchorOf(n, placed.firstKeptEntryId) } : placed;
  }

  /** The nearest included entry above. A parent that is missing in the session is missing here too. */
  #parentIdOf(n: number): EntryId | null {
    const { tree } = this.#source;
    const missing = tree.missingParentOf(n);
    if (missing !== undefined) return missing;
    const place = this.#placeAtOrAbove(tree.parentOf(n));
    return place < 0 ? null : tree.ids.textOf(this.#numbers[place] as number);
  }

  /** Keeps what a compaction kept: if its first kept entry is not included, the first included one below it. */
  #anchorOf(compaction: number, anchorId: EntryId | undefined): { readonly firstKeptEntryId?: EntryId } {
    const { tree } = this.#source;
    const anchor = anchorId === undefined ? -1 : tree.ids.findText(anchorId);
    if (anchor < 0 || (this.#places[anchor] as number) >= 0) return {};
    let first = -1;
    for (let at = tree.parentOf(compaction); at >= 0; at = tree.parentOf(at)) {
      if ((this.#places[at] as number) >= 0) first = at;
      if (at === anchor) break;
    }
    return first < 0 ? {} : { firstKeptEntryId: tree.ids.textOf(first) };
  }

  /** The number here for an entry of the source or the nearest included one above it; -1 if there is none. */
  #placeAtOrAbove(start: number): number {
    for (let at = start; at >= 0; at = this.#source.tree.parentOf(at)) {
      const place = this.#places[at] as number;
      if (place >= 0) return place;
    }
    return -1;
  }

  #addPosition(now: Date): void {
    let id = "position";
    for (let i = 2; this.tree.ids.findText(id) >= 0; i++) id = `position-${i}`;
    const parentId = this.tree.ids.textOf(this.leaf);
    const timestamp = now.toISOString();
    const position: SessionEntry = { type: "custom", id, parentId, timestamp, customType: POSITION_TYPE };
    this.#position = position;
    const length = JSON.stringify(position).length;
    addTo(this.tree, { id, parentId, kind: kindOf(position), role: roleOf(position), length });
  }
}
