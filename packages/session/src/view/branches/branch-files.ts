/** Counts the files that each branch changed, in slices, from the tip of a branch up to its start. */
import { Kind, Role, resultIn } from "../../entry/index.js";
import { branchIndexOf, type TreeSource } from "../../tree/index.js";
import { callsIn } from "../transcript/read-content.js";
import { pathIn } from "../transcript/tool-title.js";
import { type KnownSteps, stepFilesBelow } from "../tree/rows/step-files.js";

interface Count {
  /** As written in calls of `edit` and `write`: absolute, or relative to a folder below the root. */
  readonly named: Set<string>;
  /** As recorded, relative to the root: what commands changed too. */
  readonly recorded: Set<string>;
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
  readonly #steps: KnownSteps = new Map();
  #revision = -1;

  constructor(source: TreeSource) {
    this.#source = source;
  }

  /** Undefined until counted. While a branch grows, the last count. */
  countOf(branch: number): number | undefined {
    const count = this.#counts.get(branch);
    if (count?.isKnown !== true) return undefined;
    let files = count.recorded.size;
    for (const path of count.named) if (!isRecorded(path, count.recorded)) files += 1;
    return files;
  }

  /** Continues counting until the deadline. */
  advance(branch: number, deadline: () => boolean): "more" | "done" {
    const { tree } = this.#source;
    if (tree.revision !== this.#revision) {
      this.#revision = tree.revision;
      this.#counts.clear();
      this.#steps.clear();
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
      count = { named: new Set(), recorded: new Set(), failed: new Set(), stretches: [], tip: start, isKnown: false };
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
    if (role !== Role.assistant && role !== Role.toolResult && role !== Role.bashExecution) return false;
    for (const path of stepFilesBelow(this.#source, n, this.#steps)?.paths ?? []) count.recorded.add(path);
    if (role === Role.bashExecution) return true;
    const entry = this.#source.entryAt(n);
    const result = resultIn(entry);
    if (result?.isError === true) count.failed.add(result.toolCallId);
    for (const { id, name, arguments: input } of callsIn(entry)) {
      const path = name === "edit" || name === "write" ? pathIn(input) : "";
      if (path !== "" && !count.failed.has(id)) count.named.add(path);
    }
    return true;
  }
}

/** Whether a path, or its end, is one of those that were recorded. */
function isRecorded(path: string, recorded: ReadonlySet<string>): boolean {
  if (recorded.size === 0) return false;
  for (let from = 0; from >= 0; from = path.indexOf("/", from) + 1 || -1) {
    if (recorded.has(path.slice(from))) return true;
  }
  return false;
}
