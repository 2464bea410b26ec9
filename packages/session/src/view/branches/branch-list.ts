/** The branches of a session as a list: sorted and filtered by number, each of them read only when shown. */
import { Kind, type SessionEntry } from "../../entry/index.js";
import { isRecord } from "../../text/index.js";
import { branchIndexOf, type TreeSource } from "../../tree/index.js";
import { branchLabel } from "../tree/rows/branch-name.js";
import { type BranchFact, BranchFacts } from "./branch-facts.js";
import { BranchFiles } from "./branch-files.js";
import { BranchOrigins, type OriginsOf } from "./branch-origins.js";

/** The `customType` of the record above copies; see the agent's cherry-pick. */
const ORIGIN_TYPE = "bough.cherry-pick";

class MergedBranches {
  readonly #source: TreeSource;
  /** By branch: the most prompts on the path to an entry that was summarized or merged. */
  readonly #brought = new Map<number, number>();
  #revision = -1;
  #read = 0;

  constructor(source: TreeSource) {
    this.#source = source;
  }

  /** The number of entries read: the known data changes only with it. */
  get progress(): number {
    return this.#read;
  }

  /** Continues reading until the deadline. */
  advance(deadline: () => boolean): "more" | "done" {
    const { tree } = this.#source;
    this.#restartIfRenumbered();
    const { count } = tree;
    for (; this.#read < count; this.#read++) {
      const kind = tree.kindOf(this.#read);
      if (kind !== Kind.branchSummary && kind !== Kind.custom) {
        // Checking a number costs nothing, but reading the clock does.
        if ((this.#read & 0xfff) === 0xfff && deadline()) return "more";
        continue;
      }
      if (deadline()) return "more";
      this.#note(this.#source.entryAt(this.#read));
    }
    return "done";
  }

  /** As far as read: whether there was no further prompt on the branch after it was summarized or merged. */
  has(branch: number): boolean {
    const brought = this.#brought.get(branch);
    if (brought === undefined) return false;
    const branches = branchIndexOf(this.#source.tree);
    return brought >= branches.turnsAt(branches.tipOf(branch));
  }

  #note(entry: SessionEntry): void {
    const id = sourceOf(entry);
    const n = id === undefined ? -1 : this.#source.tree.ids.findText(id);
    if (n < 0) return;
    const branches = branchIndexOf(this.#source.tree);
    const branch = branches.branchOf(n);
    this.#brought.set(branch, Math.max(this.#brought.get(branch) ?? 0, branches.turnsAt(n)));
  }

  #restartIfRenumbered(): void {
    const { revision } = this.#source.tree;
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#read = 0;
    this.#brought.clear();
  }
}

/** The tip of the branch that was summarized or merged. */
function sourceOf(entry: SessionEntry): string | undefined {
  if (entry.type === "branch_summary") {
    const merged = isRecord(entry.details) ? entry.details.mergedTipId : undefined;
    return [merged, entry.abandonedLeafId, entry.fromId].find((id): id is string => typeof id === "string");
  }
  if (entry.type !== "custom" || entry.customType !== ORIGIN_TYPE || !isRecord(entry.data)) return undefined;
  const { via, tipId } = entry.data;
  return via === "merge" && typeof tipId === "string" ? tipId : undefined;
}

export type BranchSort = "recent" | "age" | "size";
export type BranchFilter = "all" | "mine" | "merged" | "failed" | "labeled";

export interface BranchRow extends Omit<BranchFact, "words"> {
  readonly number: number;
  /** The prompt of the turn it starts from; `null` for the start of the session. */
  readonly from: string | null;
  readonly turns: number;
  /** Files it changed; undefined until counted. */
  readonly files: number | undefined;
  /** It was summarized or merged, and has no prompts since. */
  readonly merged: boolean;
  readonly here: boolean;
  /** Machines it came from; empty if it was created here. */
  readonly replicas: readonly string[];
}

export interface BranchListQuery {
  readonly sort: BranchSort;
  readonly filter: BranchFilter;
  /** All of them must be in the name or the label; "#4" and "4" match the branch number. */
  readonly words: string;
}

export interface BranchListOptions {
  /** Whether this process wrote an entry. Without it there is no filter "mine". */
  readonly mine?: (n: number) => boolean;
  /** Where entries from elsewhere came from. */
  readonly originsOf?: OriginsOf;
}

/** Data of up to this many branches is read immediately; the rest in slices. */
const AT_ONCE = 200;

export class BranchList {
  readonly #source: TreeSource;
  readonly #options: BranchListOptions;
  readonly #facts: BranchFacts;
  readonly #merged: MergedBranches;
  readonly #files: BranchFiles;
  readonly #origins: BranchOrigins;
  #factsRead = 0;
  #last: { readonly key: string; readonly numbers: readonly number[] } | undefined;

  constructor(source: TreeSource, options: BranchListOptions = {}) {
    this.#source = source;
    this.#options = options;
    this.#facts = new BranchFacts(source);
    this.#merged = new MergedBranches(source);
    this.#files = new BranchFiles(source);
    this.#origins = new BranchOrigins(source, options.originsOf);
  }

  get total(): number {
    return branchIndexOf(this.#source.tree).count;
  }

  /** Whether a branch came from another machine. */
  get hasReplicas(): boolean {
    return this.#origins.any;
  }

  get filters(): readonly BranchFilter[] {
    const all: readonly BranchFilter[] = ["all", "mine", "merged", "failed", "labeled"];
    return this.#options.mine === undefined ? all.filter((filter) => filter !== "mine") : all;
  }

  /**
   * Branch numbers in order. With very many branches, only those that `advance` has read can match words or `failed`.
   */
  numbers(query: BranchListQuery): readonly number[] {
    if (this.#last === undefined || this.#last.key !== this.#keyOf(query)) {
      const numbers = this.#sorted(this.#found(query), query.sort);
      // Finding may have read something, so the key is computed again.
      this.#last = { key: this.#keyOf(query), numbers };
    }
    return this.#last.numbers;
  }

  row(branch: number): BranchRow {
    const { tree, leaf } = this.#source;
    const branches = branchIndexOf(tree);
    const { tip, tipId, last, label, name, failed } = this.#facts.of(branch);
    return {
      number: branch,
      name,
      label,
      tip,
      tipId,
      from: this.#facts.fromOf(branch),
      turns: branches.turnsIn(branch),
      files: this.#files.countOf(branch),
      last,
      failed,
      merged: this.#merged.has(branch),
      here: branches.branchOf(leaf) === branch,
      replicas: this.#origins.of(branch),
    };
  }

  /** Continues reading until the deadline: files of the shown branches, what was merged, and names to search. */
  advance(deadline: () => boolean, shown: readonly number[] = []): "more" | "done" {
    for (const branch of shown) if (this.#files.advance(branch, deadline) === "more") return "more";
    if (this.#merged.advance(deadline) === "more") return "more";
    for (const { total } = this; this.#factsRead < total; this.#factsRead++) {
      if (deadline()) return "more";
      this.#facts.of(this.#factsRead + 1);
    }
    return "done";
  }

  /** Everything that the result depends on. */
  #keyOf({ sort, filter, words }: BranchListQuery): string {
    const { count, revision } = this.#source.tree;
    const reads = filter === "failed" || words.trim() !== "" ? this.#facts.reads : 0;
    const merged = filter === "merged" ? this.#merged.progress : 0;
    return [sort, filter, count, revision, reads, merged, words].join(" ");
  }

  #found({ filter, words }: BranchListQuery): number[] {
    const wanted = words
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    let budget = AT_ONCE;
    const fact = (branch: number): BranchFact | undefined => {
      const known = this.#facts.known(branch);
      if (known !== undefined || budget <= 0) return known;
      budget -= 1;
      return this.#facts.of(branch);
    };
    const numbers: number[] = [];
    for (let branch = 1, { total } = this; branch <= total; branch++) {
      if (!this.#passes(branch, filter, fact)) continue;
      if (wanted.length === 0 || hasWords(branch, fact(branch), wanted)) numbers.push(branch);
    }
    return numbers;
  }

  #sorted(numbers: number[], sort: BranchSort): readonly number[] {
    const branches = branchIndexOf(this.#source.tree);
    if (sort === "recent") return numbers.sort((a, b) => branches.tipOf(b) - branches.tipOf(a));
    if (sort === "size") return numbers.sort((a, b) => branches.turnsIn(b) - branches.turnsIn(a) || a - b);
    return numbers;
  }

  #passes(branch: number, filter: BranchFilter, fact: (branch: number) => BranchFact | undefined): boolean {
    switch (filter) {
      case "all":
        return true;
      case "mine":
        return this.#options.mine?.(branchIndexOf(this.#source.tree).tipOf(branch)) ?? true;
      case "merged":
        return this.#merged.has(branch);
      case "failed":
        return fact(branch)?.failed === true;
      case "labeled":
        return branchLabel(this.#source, branch) !== undefined;
    }
  }
}

function hasWords(branch: number, fact: BranchFact | undefined, words: readonly string[]): boolean {
  const text = fact?.words ?? "";
  return words.every((word) => text.includes(word) || word === `#${branch}` || word === String(branch));
}
