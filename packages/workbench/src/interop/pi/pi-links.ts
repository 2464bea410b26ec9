/** The parents of entries in a session file, from the engine's index, and an order with parents first. */
import { type EntryId, Kind, type SessionEntry } from "@bough/session/entry/index.js";
import { withParent } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { ForeignLine } from "../foreign-lines.js";
import { withRawLine } from "../raw-line.js";

/** An entry, and the line it was read from if that is kept unchanged. */
export interface ReadEntry {
  readonly entry: SessionEntry;
  readonly text?: string;
}

export class PiLinks {
  readonly #session: SessionManager;
  /** Entry numbers by offset in the file. */
  #order: Int32Array;
  readonly #placed = new Set<EntryId>();
  /** Entries that come before their parent, by parent. */
  readonly #waiting = new Map<EntryId, ReadEntry[]>();
  readonly #waitingIds = new Set<EntryId>();

  constructor(session: SessionManager) {
    this.#session = session;
    this.#order = orderInFile(session);
  }

  isPlaced(id: EntryId): boolean {
    return this.#placed.has(id);
  }

  /** Whether the id is taken. */
  isKnown(id: EntryId): boolean {
    return this.#placed.has(id) || this.#waitingIds.has(id);
  }

  /** The parent of an entry; null for a root, or if the parent is not in the file. */
  parentOf({ id, parentId }: Pick<SessionEntry, "id" | "parentId">): EntryId | null {
    const { tree } = this.#session.getSource();
    const n = tree.ids.findText(id);
    // Entries written after the index was built.
    if (n < 0) return parentId !== null && this.#placed.has(parentId) ? parentId : null;
    const parent = tree.parentOf(n);
    return parent < 0 ? null : tree.ids.textOf(parent);
  }

  /** Yields the entry once its parent was yielded, and then everything that waited for it. */
  *place(read: ReadEntry): Generator<SessionEntry> {
    const ready = [read];
    for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
      const { id } = next.entry;
      const parentId = this.parentOf(next.entry);
      if (parentId !== null && !this.#placed.has(parentId)) {
        this.#wait(parentId, next);
        continue;
      }
      yield this.#put(next, parentId);
      for (const child of this.#waiting.get(id)?.reverse() ?? []) ready.push(child);
      this.#waiting.delete(id);
    }
  }

  /** At the end of the file, yields entries whose parent never came. */
  *abandoned(): Generator<SessionEntry> {
    for (const [parent, children] of this.#waiting) {
      this.#waiting.delete(parent);
      for (const child of children) {
        yield this.#put(child, null);
        // Their children now have a parent.
        for (const grandchild of this.#waiting.get(child.entry.id) ?? []) yield* this.place(grandchild);
        this.#waiting.delete(child.entry.id);
      }
    }
  }

  /** IDs of entries that the index finds in a damaged line. */
  idsIn(line: Pick<ForeignLine, "offset" | "length">): EntryId[] {
    const ids = this.#indexedIn(line);
    // The start of a damaged line can look like an entry. Reading it makes the index find what is really there.
    for (const id of ids) this.#session.getEntry(id);
    if (this.#order.length === this.#session.getSource().tree.count) return ids;
    this.#order = orderInFile(this.#session);
    return this.#indexedIn(line);
  }

  #indexedIn({ offset, length }: Pick<ForeignLine, "offset" | "length">): EntryId[] {
    const { tree } = this.#session.getSource();
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tree.offsetOf(this.#order[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    const ids: EntryId[] = [];
    for (let at = low; at < this.#order.length; at++) {
      const n = this.#order[at] as number;
      if (tree.offsetOf(n) >= offset + length) break;
      ids.push(tree.ids.textOf(n));
    }
    return ids;
  }

  /** An entry found by the index; undefined if only its place is known. */
  recovered(id: EntryId): SessionEntry | undefined {
    const { tree } = this.#session.getSource();
    return tree.kindOf(tree.ids.findText(id)) === Kind.unreadable ? undefined : this.#session.getEntry(id);
  }

  #put({ entry, text }: ReadEntry, parentId: EntryId | null): SessionEntry {
    this.#placed.add(entry.id);
    this.#waitingIds.delete(entry.id);
    const placed = parentId === entry.parentId ? entry : { ...entry, parentId };
    if (text === undefined) return placed;
    return withRawLine(placed, placed === entry ? text : withParent(text, parentId));
  }

  #wait(parentId: EntryId, read: ReadEntry): void {
    this.#waitingIds.add(read.entry.id);
    const others = this.#waiting.get(parentId);
    if (others === undefined) this.#waiting.set(parentId, [read]);
    else others.push(read);
  }
}

function orderInFile(session: SessionManager): Int32Array {
  const { tree } = session.getSource();
  return Int32Array.from({ length: tree.count }, (_, n) => n).sort((a, b) => tree.offsetOf(a) - tree.offsetOf(b));
}
