/**
 * The tree over a log: one number per entry, in file order, in typed arrays that grow. Does not know the content of
 * entries (keeps I8, I9).
 */
import { isMark, Kind, type Role } from "../entry/index.js";
import type { RecordScan } from "../entry/internal.js";
import { ChildLinks } from "./child-links.js";
import { enlarged } from "./enlarged.js";
import { EntryTimes } from "./entry-times.js";
import { IdTable } from "./id-table.js";
import { LoadedLeaf } from "./loaded-leaf.js";
import { LoadingParents } from "./loading-parents.js";
import { cutCycles, markAll, type Unconnected } from "./settle.js";

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });
const ROOT = -1;
/** The parent is not in the file (yet): drawn as a root. */
const ORPHAN = -2;

export interface NewEntry {
  readonly kind: Kind;
  readonly role: Role;
  readonly offset: number;
  readonly length: number;
}

type KindAndRole = Pick<NewEntry, "kind" | "role">;

/** Parents, children, kinds and offsets of all entries of a log, by number. */
export class TreeIndex {
  readonly ids = new IdTable();
  /** Decides the order of siblings. The owner of the log sets how a time is read. */
  readonly times = new EntryTimes();
  #loading = new LoadingParents();
  #parents = new Int32Array(64);
  /** Nearest mark at or above: state, compaction, context edit. */
  #marks = new Int32Array(64);
  #kinds = new Uint8Array(64);
  #roles = new Uint8Array(64);
  #offsets = new Float64Array(64);
  #lengths = new Uint32Array(64);
  #links: ChildLinks | undefined;
  /** Parent IDs that named no entry when the child was added. */
  readonly #missing = new Map<number, string>();
  /** The same for entries that `adopt` connected. */
  readonly #adopted = new Map<number, string>();
  /** Entries whose ID was taken: separate roots that no ID leads to. */
  readonly #duplicates = new Set<number>();
  readonly #leaf = new LoadedLeaf({
    count: () => this.count,
    idOf: (n) => this.ids.textOf(n),
    kindOf: (n) => this.#kinds[n] as Kind,
    roleOf: (n) => this.#roles[n] as Role,
    linkOf: (n) => this.#parents[n] as number,
    offsetOf: (n) => this.#offsets[n] as number,
    isDuplicate: (n) => this.#duplicates.size > 0 && this.#duplicates.has(n),
  });
  #marksAreStale = false;
  readonly #lists = new KindLists();
  #revision = 0;

  get count(): number {
    return this.ids.count;
  }

  /** Increases whenever a known entry gets another parent or kind: anything counted must be counted again. */
  get revision(): number {
    return this.#revision;
  }

  /** The leaf that results from loading the entries so far, or -1 (keeps I3 and I4). */
  get loadedLeaf(): number {
    return this.#leaf.get();
  }

  /** Entries of kind `label`, oldest first. */
  get labelEntries(): readonly number[] {
    return this.#lists.labels;
  }

  /** Entries of kind `session_info`, oldest first. */
  get nameEntries(): readonly number[] {
    return this.#lists.names;
  }

  /** Entries of kind `position`, and those that were one before damage was found in them. */
  get positionEntries(): readonly number[] {
    return this.#lists.positions;
  }

  get latestCompaction(): number {
    return this.#lists.latestCompaction;
  }

  reserve(count: number, idLength: number): void {
    this.ids.reserve(count, idLength);
    if (count > this.#parents.length) this.#grow(count);
  }

  /**
   * Adds a scanned entry while a whole log is loaded. Runs once per line: anything that needs a lookup waits for
   * `finishLoading`.
   */
  load(scan: RecordScan, offset: number, length: number): void {
    const n = this.ids.count;
    const { view } = scan;
    let parent = ROOT;
    if (scan.parentStart >= 0) {
      // Most entries are children of the one before them, so comparing its bytes avoids a lookup.
      if (this.ids.lastIs(view, scan.parentStart, scan.parentEnd)) parent = n - 1;
      else {
        parent = ORPHAN;
        this.#loading.add(n, view, scan.parentStart, scan.parentEnd);
      }
    }
    this.ids.load(view, scan.idStart, scan.idEnd);
    this.times.load(view, scan.timestampStart);
    this.#store(n, parent, scan, offset, length);
  }

  /**
   * Finishes loading, in steps. Returns false if there is any irregularity, like a duplicate ID or a parent that comes
   * later: the index is unusable then.
   */
  *finishLoading(): Generator<void, boolean, void> {
    if (!this.ids.indexAll()) return false;
    yield;
    if (!this.#connectLoaded()) return false;
    for (let n = 0; n < this.count; n++) {
      if (n % 4096 === 0) yield;
      const parent = this.#parents[n] as number;
      if (parent >= 0 && this.#kinds[parent] === Kind.position) return false;
      this.#updateDerived(n, parent);
    }
    this.times.finishLoading(this.count);
    return true;
  }

  /** Adds a scanned entry and returns -1, or returns the number of the entry that has its ID and adds nothing. */
  addScanned(scan: RecordScan, offset: number, length: number): number {
    const { view } = scan;
    const earlier = this.ids.add(view, scan.idStart, scan.idEnd);
    if (earlier >= 0) return earlier;
    const n = this.count - 1;
    let parent = ROOT;
    if (scan.parentStart >= 0) {
      // Most entries are children of the one before them: comparing its bytes saves a hash and a lookup.
      if (n > 0 && this.ids.is(n - 1, view, scan.parentStart, scan.parentEnd)) parent = n - 1;
      else parent = this.ids.find(view, scan.parentStart, scan.parentEnd);
      if (!this.#canBeParent(parent, n)) {
        parent = ORPHAN;
        this.#missing.set(n, UTF8.decode(scan.bytes.subarray(scan.parentStart, scan.parentEnd)));
      }
    }
    this.#place(n, parent, scan, offset, length);
    return -1;
  }

  /** Like `addScanned`, for an entry with text IDs. */
  add(id: string, parentId: string | null, entry: NewEntry): number {
    // Look up before adding: most entries are children of the one added or found last, which is cached.
    let parent = parentId === null ? ROOT : this.ids.findText(parentId);
    const earlier = this.ids.addText(id);
    if (earlier >= 0) return earlier;
    const n = this.count - 1;
    if (parentId !== null && !this.#canBeParent(parent, n)) {
      parent = ORPHAN;
      this.#missing.set(n, parentId);
    }
    this.#place(n, parent, entry, entry.offset, entry.length);
    return -1;
  }

  /** Adds an entry whose ID is taken, as a separate root that no ID leads to and that never holds the leaf. */
  addDuplicate(id: string, entry: NewEntry): void {
    this.ids.addTextAgain(id);
    const n = this.count - 1;
    this.#duplicates.add(n);
    this.#place(n, ROOT, entry, entry.offset, entry.length);
  }

  /**
   * Connects entries whose parent came later in the file, cuts cycles, and returns what remains unconnected. Called
   * after a part of the log has been added.
   */
  settle(): Unconnected {
    const missing: number[] = [];
    let linked = false;
    for (const [n, parentId] of this.#missing) {
      const parent = this.ids.findText(parentId);
      if (parent < 0 || this.#kinds[parent] === Kind.position) {
        missing.push(n);
        continue;
      }
      this.#missing.delete(n);
      this.#parents[n] = parent;
      linked = true;
    }
    if (!linked) return { missing, cycles: [] };
    // Only a parent that comes later can close a cycle, or leave marks that were computed too early.
    this.#links = undefined;
    this.#revision += 1;
    const cycles = cutCycles(this.#parents, this.count);
    this.#marksAreStale = true;
    return { missing, cycles };
  }

  /**
   * Connects entries to parents that they name in another way; -1 is the start. Their `missingParentOf` stays, because
   * their line names no entry. Returns those that were cut from a cycle.
   */
  adopt(parents: ReadonlyMap<number, number>): readonly number[] {
    if (parents.size === 0) return [];
    for (const [n, parent] of parents) {
      this.#adopted.set(n, this.#missing.get(n) as string);
      this.#missing.delete(n);
      this.#parents[n] = parent < 0 ? ROOT : parent;
    }
    this.#links = undefined;
    this.#revision += 1;
    this.#marksAreStale = true;
    this.findLeafAgain();
    return cutCycles(this.#parents, this.count);
  }

  /** Whether any entry names a parent that is missing. */
  get hasMissing(): boolean {
    return this.#missing.size > 0;
  }

  /** The parent ID of an entry that belongs to no entry. */
  missingParentOf(n: number): string | undefined {
    return this.#missing.get(n) ?? this.#adopted.get(n);
  }

  /** Number of the parent, or -1 for a root. */
  parentOf(n: number): number {
    const parent = this.#parents[n] as number;
    return parent < 0 ? -1 : parent;
  }

  kindOf(n: number): Kind {
    return this.#kinds[n] as Kind;
  }

  roleOf(n: number): Role {
    return this.#roles[n] as Role;
  }

  offsetOf(n: number): number {
    return this.#offsets[n] as number;
  }

  lengthOf(n: number): number {
    return this.#lengths[n] as number;
  }

  markAt(n: number): number {
    if (this.#marksAreStale) {
      this.#marksAreStale = false;
      markAll({ parents: this.#parents, kinds: this.#kinds, marks: this.#marks, count: this.count });
    }
    return this.#marks[n] as number;
  }

  /** Moves an entry's bytes: our line ended up after another process's, or the file was rewritten. */
  relocate(n: number, offset: number, length: number): void {
    this.#offsets[n] = offset;
    this.#lengths[n] = length;
  }

  /** Gives an unreadable entry the content that was found elsewhere. */
  revive(n: number, entry: NewEntry): void {
    this.#kinds[n] = entry.kind;
    this.#roles[n] = entry.role;
    this.relocate(n, entry.offset, entry.length);
    this.times.forget(n);
    this.#links = undefined;
    this.#lists.add(n, entry.kind);
    this.#revision += 1;
    this.#marksAreStale = true;
    this.findLeafAgain();
  }

  /** Marks an entry as unreadable; it keeps its position, but no longer holds the leaf. */
  setUnreadable(n: number): void {
    if (isMark(this.#kinds[n] as Kind)) this.#marksAreStale = true;
    this.#kinds[n] = Kind.unreadable;
    this.#roles[n] = 0;
    this.#revision += 1;
    if (this.#leaf.was(n)) this.findLeafAgain();
  }

  /** Call after entries were added out of order, as happens after damage: the loaded leaf is recomputed. */
  findLeafAgain(): void {
    this.#leaf.findAgain();
  }

  firstChildOf(n: number): number {
    this.#links ??= new ChildLinks(this.#parents, this.count, this.times);
    return this.#links.firstOf(n);
  }

  nextSiblingOf(n: number): number {
    this.#links ??= new ChildLinks(this.#parents, this.count, this.times);
    return this.#links.nextOf(n, this.#parents[n] as number);
  }

  /** A position record is never a parent, and no entry is its own. */
  #canBeParent(parent: number, child: number): boolean {
    return parent >= 0 && parent !== child && this.#kinds[parent] !== Kind.position;
  }

  #place(n: number, parent: number, what: KindAndRole, offset: number, length: number): void {
    this.#store(n, parent, what, offset, length);
    this.#links?.add(n, parent);
    this.#updateDerived(n, parent);
  }

  #store(n: number, parent: number, what: KindAndRole, offset: number, length: number): void {
    if (n >= this.#parents.length) this.#grow(n + 1);
    this.#parents[n] = parent;
    this.#kinds[n] = what.kind;
    this.#roles[n] = what.role;
    this.#offsets[n] = offset;
    this.#lengths[n] = length;
  }

  /** Updates everything that depends on an entry whose parent is known: marks, the leaf, and the lists by kind. */
  #updateDerived(n: number, parent: number): void {
    const kind = this.#kinds[n] as Kind;
    this.#marks[n] = isMark(kind) ? n : parent < 0 ? -1 : (this.#marks[parent] as number);
    this.#lists.add(n, kind);
    this.#leaf.move(n);
  }

  /** Finds the parents that were not directly before their children. */
  #connectLoaded(): boolean {
    const { numbers, count } = this.#loading;
    for (let i = 0; i < count; i++) {
      const n = numbers[i] as number;
      const parent = this.#loading.findIn(this.ids, i);
      if (parent < 0 || parent >= n) return false;
      this.#parents[n] = parent;
    }
    this.#loading = new LoadingParents();
    return true;
  }

  #grow(needed: number): void {
    const size = Math.max(needed, this.#parents.length * 2);
    this.#parents = enlarged(this.#parents, new Int32Array(size));
    this.#marks = enlarged(this.#marks, new Int32Array(size));
    this.#kinds = enlarged(this.#kinds, new Uint8Array(size));
    this.#roles = enlarged(this.#roles, new Uint8Array(size));
    this.#offsets = enlarged(this.#offsets, new Float64Array(size));
    this.#lengths = enlarged(this.#lengths, new Uint32Array(size));
  }
}

/** Entries of the kinds that are queried as a whole, in file order. */
class KindLists {
  readonly labels: number[] = [];
  readonly names: number[] = [];
  readonly positions: number[] = [];
  latestCompaction = -1;

  add(n: number, kind: Kind): void {
    if (kind === Kind.label) this.labels.push(n);
    else if (kind === Kind.sessionInfo) this.names.push(n);
    else if (kind === Kind.position) this.positions.push(n);
    else if (kind === Kind.compaction) this.latestCompaction = n;
  }
}
