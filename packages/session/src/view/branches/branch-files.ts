/** Counts the files that each branch changed, in slices, from the tip of a branch up to its start. */
import { Kind, Role, resultIn } from "../../entry/index.js";
import { branchIndexOf, type TreeSource } from "../../tree/index.js";
import { callsIn } from "../transcript/read-content.js";
import { pathIn } from "../transcript/tool-title.js";

interface Count {
  readonly files: Set<string>;
  /** Calls that had no effect: their results, which come below them, are errors. */
  readonly failed: Set<string>;
  /** Ranges to be walked up, newest last: the next entry, and the first one outside the range. */
  readonly stretches: { at: number; readonly until: number }[];
  /** The branch's tip when the last range was added. */
  tip: number;
  isKnown: boolean;
}

export class BranchFiles {
  readonly #source: TreeSource;
  readonly #counts = new Map<number, Count>();
  #revision = -1;

  constructor(source: TreeSource) {
    this.#source = source;
  }

  /** Undefined until counted. While a branch grows, the last count. */
  countOf(branch: number): number | undefined {
    const count = this.#counts.get(branch);
    return count?.isKnown === true ? count.files.size : undefined;
  }

  /** Continues counting until the deadline. */
  advance(branch: number, deadline: () => boolean): "more" | "done" {
    const { tree } = this.#source;
    if (tree.revision !== this.#revision) {
      this.#revision = tree.revision;
      this.#counts.clear();
    }
    const count = this.#countOf(branch);
    for (let stretch = count.stretches.at(-1); stretch !== undefined; stretch = count.stretches.at(-1)) {
      while (stretch.at >= 0 && stretch.at !== stretch.until) {
        const n = stretch.at;
        stretch.at = branchIndexOf(tree).conversationParentOf(n);
        if (this.#look(n, count) && deadline()) return "more";
      }
      count.stretches.pop();
    }
    count.isKnown = true;
    return "done";
  }

  #countOf(branch: number): Count {
    const branches = branchIndexOf(this.#source.tree);
    const tip = branches.tipOf(branch);
    let count = this.#counts.get(branch);
    if (count === undefined) {
      const start = branches.forkPointOf(branch);
      count = { files: new Set(), failed: new Set(), stretches: [], tip: start, isKnown: false };
      this.#counts.set(branch, count);
    }
    // If it grew, everything above the old tip is counted or queued already.
    if (count.tip !== tip) count.stretches.push({ at: tip, until: count.tip });
    count.tip = tip;
    return count;
  }

  /** True if the entry had to be read. */
  #look(n: number, count: Count): boolean {
    const { tree } = this.#source;
    const role = tree.kindOf(n) === Kind.message ? tree.roleOf(n) : Role.none;
    if (role !== Role.assistant && role !== Role.toolResult) return false;
    const entry = this.#source.entryAt(n);
    const result = resultIn(entry);
    if (result?.isError === true) count.failed.add(result.toolCallId);
    for (const { id, name, arguments: input } of callsIn(entry)) {
      const path = name === "edit" || name === "write" ? pathIn(input) : "";
      if (path !== "" && !count.failed.has(id)) count.files.add(path);
    }
    return true;
  }
}
