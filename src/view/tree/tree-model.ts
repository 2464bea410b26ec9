/**
 * A session as a tree of rows, as far as they are opened. One is made when a tree is opened, and let go with it.
 * What a user chose is in a `TreeState`; the rows follow from both.
 */
import { buildRows } from "./rows/build-rows.js";
import type { TreeRows } from "./rows/tree-row.js";
import { TreeReader } from "./tree-reader.js";
import type { TreeState } from "./tree-state.js";

/** The rows of a session's tree, made as they are needed. */
export class TreeModel extends TreeReader {
  #rows: TreeRows | undefined;
  #rowsFor: readonly unknown[] = [];
  #warm = 0;

  /** All rows that are open. Rebuilt only if something they depend on changed. */
  rows(state: TreeState): TreeRows {
    const { tree, leaf } = this.source;
    const { filter, narrowing, opened, more, stretches } = state;
    const search = narrowing === "matches" ? state.search : undefined;
    const growing = [tree.count, tree.revision, leaf, search?.matches.length];
    const wanted = [tree, search, filter, narrowing, opened, more, stretches, ...growing];
    if (this.#rows === undefined || wanted.some((part, i) => part !== this.#rowsFor[i])) {
      this.#rows = buildRows(this, state);
      this.#rowsFor = wanted;
    }
    return this.#rows;
  }

  /**
   * What the first use of a filter would have to find out, in parts: each call does one of them and says whether there are
   * more. For the moments between keys; nothing depends on it.
   */
  warmUp(): "more" | "done" {
    const parts = [
      () => this.source.tree.firstChildOf(-1),
      () => this.labelled,
      () => this.branches.subtreeOrder,
      () => this.labelledPlaces,
    ];
    parts[this.#warm]?.();
    this.#warm += 1;
    return this.#warm < parts.length ? "more" : "done";
  }
}
