/** Labels by target: the latest label entry for a target wins; an empty one removes the label. */
import type { Label, LabelEntry, SessionEntry } from "../entry/index.js";
import type { TreeIndex } from "./tree-index.js";

export interface ResolvedLabel {
  readonly label: Label;
  /** ISO time of the label entry. */
  readonly timestamp: string;
}

/** Follows the label entries of an index and reads each of them once. */
export class Labels {
  readonly #byTarget = new Map<string, ResolvedLabel>();
  #read = 0;

  /** Labels by target ID, up to date with `tree`. */
  resolve(tree: TreeIndex, entryAt: (n: number) => SessionEntry): ReadonlyMap<string, ResolvedLabel> {
    const { labelEntries } = tree;
    for (; this.#read < labelEntries.length; this.#read++) {
      const entry = entryAt(labelEntries[this.#read] as number);
      if (entry.type === "label") this.#apply(entry);
    }
    return this.#byTarget;
  }

  #apply(entry: LabelEntry): void {
    const label: unknown = entry.label;
    // Deleting first keeps the map in the order in which the labels were set.
    this.#byTarget.delete(entry.targetId);
    if (typeof label === "string" && label !== "") {
      this.#byTarget.set(entry.targetId, { label, timestamp: entry.timestamp });
    }
  }
}
