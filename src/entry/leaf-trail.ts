/** Where the leaf is after each entry of a session file. */
import type { EntryId, SessionEntry } from "./entry.js";
import { kindOf, LeafEffect, leafEffect } from "./kind.js";

/** Follows the leaf over entries in the order of a file, as loading does (I4). */
export class LeafTrail {
  leaf: EntryId | null;

  constructor(leaf: EntryId | null = null) {
    this.leaf = leaf;
  }

  take(entry: Pick<SessionEntry, "type" | "id" | "parentId">): void {
    const effect = leafEffect(kindOf(entry as SessionEntry));
    if (effect === LeafEffect.points) this.leaf = entry.parentId;
    else if (effect === LeafEffect.sets || (effect === LeafEffect.extends && entry.parentId === this.leaf)) {
      this.leaf = entry.id;
    }
  }
}
