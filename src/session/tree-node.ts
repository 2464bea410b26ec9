import type { EntryId, SessionEntry } from "../entry/index.js";
import { childrenOf, type TreeIndex } from "../tree/index.js";
import type { SessionStore } from "./session-store.js";

/** A node of the tree that `getTree` hands out. Its entry is read, and its children made, when somebody asks. */
export interface SessionTreeNode {
  readonly id: EntryId;
  readonly entry: SessionEntry;
  /** Oldest first. */
  readonly children: readonly SessionTreeNode[];
  readonly label?: string | undefined;
}

class StoreNode implements SessionTreeNode {
  readonly #store: SessionStore;
  /** The tree the number belongs to: after a file was replaced under us, the entry is looked up again by its id. */
  readonly #tree: TreeIndex;
  readonly #number: number;
  #children: readonly SessionTreeNode[] | undefined;

  constructor(store: SessionStore, n: number) {
    this.#store = store;
    this.#tree = store.tree;
    this.#number = n;
  }

  get #n(): number {
    return this.#store.tree === this.#tree ? this.#number : this.#store.tree.ids.findText(this.id);
  }

  get id(): EntryId {
    return this.#tree.ids.textOf(this.#number);
  }

  get entry(): SessionEntry {
    return this.#store.entryAt(this.#n);
  }

  get children(): readonly SessionTreeNode[] {
    this.#children ??= nodesBelow(this.#store, this.#n);
    return this.#children;
  }

  get label(): string | undefined {
    return this.#store.labels().get(this.id)?.label;
  }

  toJSON(): unknown {
    const { entry, children, label } = this;
    return { entry, children, ...(label === undefined ? {} : { label }) };
  }
}

/** The children of entry `n` as nodes; the roots for -1. */
export function nodesBelow(store: SessionStore, n: number): readonly SessionTreeNode[] {
  return childrenOf(store.tree, n).map((child) => new StoreNode(store, child) as SessionTreeNode);
}
