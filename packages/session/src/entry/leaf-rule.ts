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
    if (role >= Role.bough) this.#isOwn = true;
    if (isAside(role)) return LeafEffect.none;
    const effect = leafEffect(kind);
    return effect === LeafEffect.extends && !this.#isOwn && PI_ID.test(id) ? LeafEffect.sets : effect;
  }
}

/** Below it, others work while the leaf is elsewhere. */
function isAside(role: Role): boolean {
  return role === Role.subagent || role === Role.attempt;
}

/**
 * Which entries belong to conversations of sub-agents and to attempts. Such an entry sets the leaf only if it continues the leaf,
 * because then someone has moved there: they work while the leaf is elsewhere (I4).
 */
export class SubagentEntries<Id> {
  /** Empty in most sessions. */
  readonly #ids = new Set<Id>();

  has(id: Id): boolean {
    return this.#ids.has(id);
  }

  /** The effect on the leaf, given that of the leaf rule. Call it for each entry, in file order. */
  effectOf(effect: LeafEffect, { id, parent, role, leaf }: PlacedEntry<Id>): LeafEffect {
    if (isAside(role)) {
      this.#ids.add(id);
      return LeafEffect.none;
    }
    if (this.#ids.size === 0 || !this.#ids.has(parent)) return effect;
    this.#ids.add(id);
    return effect === LeafEffect.sets && parent !== leaf ? LeafEffect.none : effect;
  }
}

interface PlacedEntry<Id> {
  readonly id: Id;
  readonly parent: Id;
  readonly role: Role;
  readonly leaf: Id;
}
