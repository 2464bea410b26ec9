/** Where damaged lines would be in the tree, kept until their children say that they were there. */
import { type EntryId, Kind, Role } from "../../entry/index.js";
import type { TreeIndex } from "../../tree/index.js";
import type { Span } from "./problem-list.js";

export class DamagedPlaces {
  readonly #places = new Map<EntryId, Span & { readonly parentId: EntryId | null }>();

  add(id: EntryId, parentId: EntryId | null, { offset, length }: Span): void {
    this.#places.set(id, { parentId, offset, length });
  }

  /** Adds the lines that entries without a parent name as theirs, as entries that cannot be read. Answers whether there were any. */
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
