import type { EntryId } from "../../entry/index.js";
import { firstWords } from "../../text/index.js";
import { branchIndexOf, type TreeSource } from "../../tree/index.js";

/** The machine that each entry from elsewhere came from, by name. Called each time, because more may arrive. */
export type OriginsOf = () => ReadonlyMap<EntryId, EntryOrigin>;

/** The machine that an entry came from. */
export interface EntryOrigin {
  readonly name: string;
}

const NONE: readonly string[] = [];

/**
 * The machine that the tip of each branch came from, if not from this one; updated when entries or origins arrive. A
 * branch that another machine started and this one continued belongs to this one, because the next turn goes there.
 */
export class BranchOrigins {
  readonly #source: TreeSource;
  readonly #originsOf: OriginsOf | undefined;
  #of = new Map<number, string[]>();
  #made: readonly unknown[] = [];

  constructor(source: TreeSource, originsOf: OriginsOf | undefined) {
    this.#source = source;
    this.#originsOf = originsOf;
  }

  /** Whether anything came from elsewhere. */
  get any(): boolean {
    this.#look();
    return this.#of.size > 0;
  }

  /**
   * The machine's name; empty if the last conversation entry of the branch was written here. Labels and records do not
   * count.
   */
  of(branch: number): readonly string[] {
    this.#look();
    return this.#of.get(branch) ?? NONE;
  }

  #look(): void {
    const origins = this.#originsOf?.();
    if (origins === undefined || (origins.size === 0 && this.#of.size === 0)) return;
    const { tree } = this.#source;
    const made = [origins, tree, tree.count, tree.revision];
    if (made.every((part, i) => part === this.#made[i])) return;
    this.#made = made;
    this.#of = new Map();
    const branches = branchIndexOf(tree);
    for (const [id, { name }] of origins) {
      const n = tree.ids.findText(id);
      if (n < 0 || branches.conversationAt(n) !== n) continue;
      const branch = branches.branchOf(n);
      if (branches.tipOf(branch) === n) this.#of.set(branch, [firstWords(name, 40)]);
    }
  }
}
