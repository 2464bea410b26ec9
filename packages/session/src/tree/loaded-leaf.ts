/** The leaf that results from loading the entries so far (keeps I3 and I4). */
import { Kind, LeafEffect, leafEffect, Role } from "../entry/index.js";
import { LeafRule, SubagentEntries } from "../entry/internal.js";

/** What is needed of the index. `linkOf` is -1 for a root, and less for an entry whose parent is missing. */
interface LeafSource {
  count(): number;
  idOf(n: number): string;
  kindOf(n: number): Kind;
  roleOf(n: number): Role;
  linkOf(n: number): number;
  offsetOf(n: number): number;
  /** Entries whose ID was taken never hold the leaf. */
  isDuplicate(n: number): boolean;
}

export class LoadedLeaf {
  readonly #source: LeafSource;
  #leaf = -1;
  #rule = new LeafRule();
  #subagents = new SubagentEntries<number>();
  /** If set, the leaf is recomputed on demand: twenty thousand damaged lines must not cost a pass each. */
  #isStale = false;

  constructor(source: LeafSource) {
    this.#source = source;
  }

  /** The leaf's number, or -1. */
  get(): number {
    if (this.#isStale) this.#find();
    return this.#leaf;
  }

  /** Whether `n` was the leaf when it was last computed. */
  was(n: number): boolean {
    return this.#leaf === n;
  }

  /** Call after entries were added out of order, as happens after damage. */
  findAgain(): void {
    this.#isStale = true;
  }

  /** Applies the effect of an added entry on the leaf. */
  move(n: number): void {
    if (this.#isStale || this.#source.isDuplicate(n)) return;
    const parent = this.#source.linkOf(n);
    const effect = this.#effectOf(n, parent);
    if (effect === LeafEffect.sets) {
      this.#leaf = n;
      return;
    }
    if (parent < -1) return;
    if (effect === LeafEffect.points) {
      // A position at an unreadable entry has no effect: nothing can be appended below it.
      if (parent === -1 || this.#source.kindOf(parent) !== Kind.unreadable) this.#leaf = parent;
    } else if (effect === LeafEffect.extends && parent === this.#leaf) this.#leaf = n;
  }

  /** Most entries set the leaf regardless of what came before, so their IDs are not read. */
  #effectOf(n: number, parent: number): LeafEffect {
    const kind = this.#source.kindOf(n);
    const role = this.#source.roleOf(n);
    const isCertain = role < Role.bough && leafEffect(kind) === LeafEffect.sets;
    const effect = isCertain ? LeafEffect.sets : this.#rule.effectOf(kind, role, this.#source.idOf(n));
    return this.#subagents.effectOf(effect, { id: n, parent, role, leaf: this.#leaf });
  }

  /** Goes through all entries in file order. */
  #find(): void {
    const order = Int32Array.from({ length: this.#source.count() }, (_, n) => n);
    // Entries without an offset in the file yet come last.
    const offsetOf = (n: number) => {
      const offset = this.#source.offsetOf(n);
      return offset < 0 ? Number.POSITIVE_INFINITY : offset;
    };
    order.sort((a, b) => offsetOf(a) - offsetOf(b) || a - b);
    this.#isStale = false;
    this.#leaf = -1;
    this.#rule = new LeafRule();
    this.#subagents = new SubagentEntries<number>();
    for (const n of order) this.move(n);
  }
}
