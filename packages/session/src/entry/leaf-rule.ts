import { type Kind, LeafEffect, leafEffect, Role } from "./kind.js";

/** pi's IDs have 8 hex digits, oh-my-pi's 8 letters, digits, `_` and `-`. Bough's own have 12 hex digits. */
const PI_ID = /^[\w-]{8}$/;

/**
 * The effect of entries on the leaf, in file order (I4).
 *
 * pi and its relatives resume at the last line, whatever it is: to them, a label, a name and an extension's record are
 * positions. That applies to their entries, which their IDs reveal, up to the first record of Bough's own. All other
 * entries of these kinds only extend the leaf.
 */
export class LeafRule {
  #isOwn: boolean;

  constructor({ isOwn = false }: { readonly isOwn?: boolean } = {}) {
    this.#isOwn = isOwn;
  }

  /** The strongest effect of an entry on the leaf, whatever came before it. */
  static strongestEffect(kind: Kind, id: string): LeafEffect {
    return new LeafRule().effectOf(kind, Role.none, id);
  }

  effectOf(kind: Kind, role: Role, id: string): LeafEffect {
    if (role === Role.bough) this.#isOwn = true;
    const effect = leafEffect(kind);
    return effect === LeafEffect.extends && !this.#isOwn && PI_ID.test(id) ? LeafEffect.sets : effect;
  }
}
