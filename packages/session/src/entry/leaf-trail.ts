import type { EntryId, SessionEntry } from "./entry.js";
import { kindOf, LeafEffect, roleOf } from "./kind.js";
import { LeafRule, SubagentEntries } from "./leaf-rule.js";

/** Follows the leaf over entries in file order, as loading does (I4). */
export class LeafTrail {
  leaf: EntryId | null;
  readonly #rule: LeafRule;
  readonly #subagents = new SubagentEntries<EntryId | null>();

  /** `isOwn`: a record of Bough's own came before. */
  constructor({ leaf = null, isOwn = false }: { readonly leaf?: EntryId | null; readonly isOwn?: boolean } = {}) {
    this.leaf = leaf;
    this.#rule = new LeafRule({ isOwn });
  }

  take(entry: SessionEntry): void {
    const { id, parentId: parent } = entry;
    const role = roleOf(entry);
    const ruled = this.#rule.effectOf(kindOf(entry), role, id);
    const effect = this.#subagents.effectOf(ruled, { id, parent, role, leaf: this.leaf });
    if (effect === LeafEffect.points) this.leaf = entry.parentId;
    else if (effect === LeafEffect.sets || (effect === LeafEffect.extends && entry.parentId === this.leaf)) {
      this.leaf = entry.id;
    }
  }
}
