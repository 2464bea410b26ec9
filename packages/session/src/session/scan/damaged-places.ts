/** Keeps damaged lines with their tree positions until children show that they were entries. */
import { type EntryId, Kind, Role } from "../../entry/index.js";
import type { TreeIndex } from "../../tree/index.js";
import type { Span } from "./problem-list.js";

export class DamagedPlaces {
  readonly #places = new Map<EntryId, Span & { readonly parentId: EntryId | null }>();

  add(id: EntryId, parentId: EntryId | null, { offset, length }: Span): void {
    this.#places.set(id, { parentId, offset, length });
  }

  /**
   * Adds the lines that entries without a parent name as their parent, as unreadable entries. Returns whether there
   * were any.
   */
  restore(tree: TreeIndex, missing: readonly number[]): boolean {
    let restored = false;
    for (const n of missing) {
      const id = tree.missingParentOf(n) as EntryId;
      const place = this.#places.get(id);
      if (place === undefined || tree.ids.findText(id) >= 0) continue;
      tree.add(id, place.parentId, { kind: Kind.unreadable, role: Role.none, ...place });
      restored = true;
    }
    return restored;
  }
}
