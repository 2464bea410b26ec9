import type { EntryId, SessionEntry } from "./entry.js";
import { kindOf, LeafEffect, roleOf } from "./kind.js";
import { LeafRule } from "./leaf-rule.js";

/** Follows the leaf over entries in file order, as loading does (I4). */
export class LeafTrail {
  leaf: EntryId | null;
  readonly #rule: LeafRule;

  /** `isOwn`: a record of Bough's own came before. */
  constructor({ leaf = null, isOwn = false }: { readonly leaf?: EntryId | null; readonly isOwn?: boolean } = {}) {
    this.leaf = leaf;
    this.#rule = new LeafRule({ isOwn });
  }

  take(entry: SessionEntry): void {
    const effect = this.#rule.effectOf(kindOf(entry), roleOf(entry), entry.id);
    if (effect === LeafEffect.points) this.leaf = entry.parentId;
    else if (effect === LeafEffect.sets || (effect === LeafEffect.extends && entry.parentId === this.leaf)) {
      this.leaf = entry.id;
    }
  }
}
