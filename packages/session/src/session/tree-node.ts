import { inspect } from "node:util";
import type { EntryId, SessionEntry } from "../entry/index.js";
import { childrenOf } from "../tree/index.js";
import type { SessionStore } from "./session-store.js";

/**
 * A node of the tree that `getTree` returns. Its entry is read and its children are created on access; printing,
 * spreading, cloning and `JSON.stringify` give a plain `{ entry, children, label? }`.
 */
export interface SessionTreeNode {
  /** The entry's ID, without reading the entry. Not copied by a spread, because the entry has it too. */
  readonly id: EntryId;
  readonly entry: SessionEntry;
  /** Oldest first. */
  readonly children: readonly SessionTreeNode[];
  readonly label?: string | undefined;
}

/** The children of entry `n` as nodes; the roots for -1. */
export function nodesBelow(store: SessionStore, n: number): SessionTreeNode[] {
  return childrenOf(store.tree, n).map((child) => storeNode(store, child));
}

function storeNode(store: SessionStore, n: number): SessionTreeNode {
  const { tree } = store;
  const id = () => tree.ids.textOf(n);
  // After the file was replaced, the entry is looked up again by its ID.
  const number = () => (store.tree === tree ? n : store.tree.ids.findText(id()));
  const label = () => store.labels().get(id())?.label;
  let children: readonly SessionTreeNode[] | undefined;
  const node = {
    get entry() {
      return store.entryAt(number());
    },
    get children() {
      children ??= nodesBelow(store, number());
      return children;
    },
  };
  // Enumerable only if there is a label, as in any plain object.
  return Object.defineProperties(node, {
    id: { get: id },
    label: { get: label, enumerable: label() !== undefined },
    [inspect.custom]: { value: plainNode },
  }) as SessionTreeNode;
}

/** Prints the values; a getter would print only as a getter. */
function plainNode(this: SessionTreeNode): object {
  return { ...this };
}
