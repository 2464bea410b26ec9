/** Whose rule says what an entry does to the leaf. */
import { type Kind, LeafEffect, leafEffect, Role } from "./kind.js";

/** pi's ids have 8 hex digits, oh-my-pi's 8 letters, digits, `_` and `-`. Bough's own have 12 hex digits. */
const PI_ID = /^[\w-]{8}$/;

/**
 * What entries do to the leaf, in the order of a file (I4).
 *
 * pi and its relatives continue at the last line, whatever it is: a label, a name and an extension's record are a place
 * there. That holds for what they wrote, which their ids tell, up to the first record of Bough's own. Everything else of
 * that kind only extends the leaf.
 */
export class LeafRule {
  #isOwn: boolean;

  constructor({ isOwn = false }: { readonly isOwn?: boolean } = {}) {
    this.#isOwn = isOwn;
  }

  /** What an entry may do to the leaf, whatever came before it. */
  static mostOf(kind: Kind, id: string): LeafEffect {
    return new LeafRule().effectOf(kind, Role.none, id);
  }

  effectOf(kind: Kind, role: Role, id: string): LeafEffect {
    if (role === Role.bough) this.#isOwn = true;
    const effect = leafEffect(kind);
    return effect === LeafEffect.extends && !this.#isOwn && PI_ID.test(id) ? LeafEffect.sets : effect;
  }
}
