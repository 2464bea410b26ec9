/**
 * The part of a session that goes into a file, as a session of its own: numbers start at 0, parents are those that are
 * there, and everything that is read has been cleaned already. Whoever writes the file cannot see more than that.
 *
 *     a ─ b ─ c ─ d*       the path to d:     a ─ b ─ c ─ d
 *          └─ e ─ f        the subtree of e:  e ─ f
 */
import { type EntryId, Kind, kindOf, POSITION_TYPE, roleOf, type SessionEntry } from "../../entry/index.js";
import { branchIndexOf, Labels, pathTo, type ResolvedLabel, TreeIndex, type TreeSource } from "../../tree/index.js";
import { addTo } from "../data/tree-columns.js";

export interface HtmlScope {
  readonly kind: "path" | "subtree" | "all";
  /** Of a path its end, otherwise the leaf; of a subtree its first entry. */
  readonly entryId?: EntryId;
}

export interface ChosenOptions {
  readonly source: TreeSource;
  readonly scope: HtmlScope;
  /** What happens to each entry before anybody sees it. */
  readonly clean?: (entry: SessionEntry) => SessionEntry;
  readonly now: Date;
}

/** Bytes of entries that are kept: a few hundred usual ones, and never more than one large one. */
const MOST_RECENT_LENGTH = 4 * 1024 * 1024;

export class ChosenEntries implements TreeSource {
  readonly tree = new TreeIndex();
  readonly leaf: number;
  readonly name: string | undefined;
  readonly #source: TreeSource;
  readonly #clean: (entry: SessionEntry) => SessionEntry;
  readonly #numbers: Int32Array;
  /** For each entry of the source its number here, -1 where it stays behind. */
  readonly #places: Int32Array;
  /** Entries that stand in no session: labels and the position, which hung elsewhere. */
  readonly #added: SessionEntry[] = [];
  readonly #labels = new Labels();
  readonly #recent = new Map<number, SessionEntry>();
  #recentLength = 0;

  constructor({ source, scope, clean = (entry) => entry, now }: ChosenOptions) {
    this.#source = source;
    this.#clean = clean;
    this.name = source.name;
    this.#numbers = numbersIn(source, scope);
    this.#places = new Int32Array(source.tree.count).fill(-1);
    for (const [place, n] of this.#numbers.entries()) this.#places[n] = place;
    for (const n of this.#numbers) this.#place(n);
    this.tree.settle();
    const timestamp = now.toISOString();
    this.leaf = this.#chooseLeaf(scope);
    if (scope.kind !== "all") this.#addRecords(timestamp);
    if (this.leaf >= 0 && this.tree.loadedLeaf !== this.leaf) {
      this.#add({ type: "custom", customType: POSITION_TYPE, ...this.#below("position", timestamp) });
    }
  }

  /** Reads and cleans. Calls look for their results close by, so the last ones read are kept for a while. */
  entryAt(n: number): SessionEntry {
    const known = this.#recent.get(n);
    if (known !== undefined) return known;
    const original = this.#numbers[n];
    const entry = this.#clean(
      original === undefined ? (this.#added[n - this.#numbers.length] as SessionEntry) : this.#placed(original),
    );
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

  /** The nearest entry above that is here. A parent that is missing in the session is missing here too. */
  #parentIdOf(n: number): EntryId | null {
    const { tree } = this.#source;
    const missing = tree.missingParentOf(n);
    if (missing !== undefined) return missing;
    for (let at = tree.parentOf(n); at >= 0; at = tree.parentOf(at)) {
      if ((this.#places[at] as number) >= 0) return tree.ids.textOf(at);
    }
    return null;
  }

  /** A compaction keeps what it kept: where its first kept entry is not here, the first one below that is. */
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

  #chooseLeaf(scope: HtmlScope): number {
    const { leaf, tree } = this.#source;
    if (scope.kind !== "path") {
      for (let at = leaf; at >= 0; at = tree.parentOf(at)) {
        const place = this.#places[at] as number;
        if (place >= 0) return place;
      }
    }
    if (scope.kind !== "subtree" || this.tree.count === 0) return scope.kind === "path" ? this.tree.count - 1 : -1;
    const branches = branchIndexOf(this.tree);
    return branches.count === 0 ? this.tree.count - 1 : branches.tipOf(1);
  }

  /** Labels hang where the leaf was when they were given, often on another branch: here they come last. */
  #addRecords(timestamp: string): void {
    const { tree } = this.#source;
    if (this.name !== undefined) {
      this.#add({ type: "session_info", name: this.name, ...this.#below("name", timestamp) });
    }
    for (const n of this.#numbers) {
      const found = this.#source.labelOf(n);
      if (found === undefined) continue;
      const targetId = tree.ids.textOf(n);
      this.#add({ type: "label", targetId, label: found.label, ...this.#below(`label-${targetId}`, found.timestamp) });
    }
  }

  #below(
    wanted: string,
    timestamp: string,
  ): { readonly id: EntryId; readonly parentId: EntryId | null; readonly timestamp: string } {
    let id = wanted;
    for (let i = 2; this.tree.ids.findText(id) >= 0; i++) id = `${wanted}-${i}`;
    return { id, parentId: this.leaf < 0 ? null : this.tree.ids.textOf(this.leaf), timestamp };
  }

  #add(entry: SessionEntry): void {
    const { type, id, parentId, timestamp, ...fields } = entry;
    const ordered = { type, id, parentId, timestamp, ...fields } as SessionEntry;
    this.#added.push(ordered);
    const length = JSON.stringify(ordered).length;
    addTo(this.tree, { id, parentId, kind: kindOf(ordered), role: roleOf(ordered), length });
  }
}

/** Numbers of the source that are in the scope. Walks the index and reads nothing. */
function numbersIn({ tree, leaf }: TreeSource, { kind, entryId }: HtmlScope): Int32Array {
  if (kind === "all") return Int32Array.from(allBut(tree, [Kind.unreadable]));
  const start = entryId === undefined ? leaf : tree.ids.findText(entryId);
  const left = new Set<Kind>([Kind.unreadable, Kind.label, Kind.position, Kind.sessionInfo]);
  const found = kind === "path" ? pathTo(tree, start) : below(tree, start);
  return found.filter((n) => !left.has(tree.kindOf(n)));
}

function* allBut(tree: TreeIndex, kinds: readonly Kind[]): Generator<number> {
  for (let n = 0; n < tree.count; n++) if (!kinds.includes(tree.kindOf(n))) yield n;
}

/** An entry and everything below it, in the order of the file. */
function below(tree: TreeIndex, start: number): Int32Array {
  if (start < 0) return new Int32Array(0);
  const found: number[] = [];
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    found.push(at);
    for (let child = tree.firstChildOf(at); child >= 0; child = tree.nextSiblingOf(child)) open.push(child);
  }
  return Int32Array.from(found).sort();
}
