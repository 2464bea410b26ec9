/** Which branches were summarized or merged already. Learnt in slices: it looks at every entry's kind once. */
import { Kind, type SessionEntry } from "../../entry/index.js";
import { isRecord } from "../../text/index.js";
import { branchIndexOf, type TreeSource } from "../../tree/index.js";

/** The `customType` of the record above copies; see the agent's cherry-pick. */
const ORIGIN_TYPE = "bough.cherry-pick";

export class MergedBranches {
  readonly #source: TreeSource;
  /** By branch: the most prompts on the path to an entry that a summary or a merge represents. */
  readonly #brought = new Map<number, number>();
  #revision = -1;
  #read = 0;

  constructor(source: TreeSource) {
    this.#source = source;
  }

  /** How far it was read: what is known changes only with it. */
  get progress(): number {
    return this.#read;
  }

  /** Reads on until the deadline. */
  advance(deadline: () => boolean): "more" | "done" {
    const { tree } = this.#source;
    this.#startAnewWhereNumbersChanged();
    const { count } = tree;
    for (; this.#read < count; this.#read++) {
      const kind = tree.kindOf(this.#read);
      if (kind !== Kind.branchSummary && kind !== Kind.custom) {
        // A look at a number costs nothing; the clock does.
        if ((this.#read & 0xfff) === 0xfff && deadline()) return "more";
        continue;
      }
      if (deadline()) return "more";
      this.#note(this.#source.entryAt(this.#read));
    }
    return "done";
  }

  /** As far as it was read: nothing was asked on the branch after what was brought elsewhere. */
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

  #startAnewWhereNumbersChanged(): void {
    const { revision } = this.#source.tree;
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#read = 0;
    this.#brought.clear();
  }
}

/** The end of the branch that a summary or a merge represents. */
function sourceOf(entry: SessionEntry): string | undefined {
  if (entry.type === "branch_summary") {
    const merged = isRecord(entry.details) ? entry.details.mergedTipId : undefined;
    return [merged, entry.abandonedLeafId, entry.fromId].find((id): id is string => typeof id === "string");
  }
  if (entry.type !== "custom" || entry.customType !== ORIGIN_TYPE || !isRecord(entry.data)) return undefined;
  const { via, tipId } = entry.data;
  return via === "merge" && typeof tipId === "string" ? tipId : undefined;
}
