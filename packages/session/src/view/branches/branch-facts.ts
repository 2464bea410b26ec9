/** The data about a branch that must be read to show or find it, cached until its tip or label changes. */
import { type EntryId, entryText } from "../../entry/index.js";
import { firstWords } from "../../text/index.js";
import { branchIndexOf, isPromptAt, type TreeSource } from "../../tree/index.js";
import { timeOf } from "../transcript/read-content.js";
import { branchEnd, branchLabel, branchName } from "../tree/rows/branch-name.js";

export interface BranchFact {
  /** Its last entry. */
  readonly tip: number;
  readonly tipId: EntryId;
  /** Time of its last entry in milliseconds; 0 if unknown. */
  readonly last: number;
  readonly label: string | undefined;
  readonly name: string;
  /** Its last answer failed or was stopped. */
  readonly failed: boolean;
  /** Name and label in lower case. */
  readonly words: string;
}

/** The prompt that a branch starts from is not searched for further up than this. */
const PROMPT_DISTANCE = 200;

interface Kept {
  readonly fact: BranchFact;
  /** The number of labels ever set when it was last verified. */
  labelsSeen: number;
}

export class BranchFacts {
  readonly #source: TreeSource;
  readonly #kept = new Map<number, Kept>();
  readonly #from = new Map<number, string | null>();
  #revision = -1;
  #reads = 0;

  constructor(source: TreeSource) {
    this.#source = source;
  }

  /** The number of reads so far: the known data changes only with it. */
  get reads(): number {
    return this.#reads;
  }

  /** The cached data, without reading; undefined if that is not enough. */
  known(branch: number): BranchFact | undefined {
    this.#clearIfRenumbered();
    const kept = this.#kept.get(branch);
    const { tree } = this.#source;
    if (kept === undefined || kept.fact.tip !== branchIndexOf(tree).tipOf(branch)) return undefined;
    const labels = tree.labelEntries.length;
    if (kept.labelsSeen !== labels && kept.fact.label !== branchLabel(this.#source, branch)) return undefined;
    kept.labelsSeen = labels;
    return kept.fact;
  }

  of(branch: number): BranchFact {
    return this.known(branch) ?? this.#read(branch);
  }

  /** The prompt of the turn that a branch starts from; `null` for the start of the session. */
  fromOf(branch: number): string | null {
    this.#clearIfRenumbered();
    const found = this.#from.get(branch);
    if (found !== undefined) return found;
    const from = this.#promptAbove(branchIndexOf(this.#source.tree).forkPointOf(branch));
    this.#from.set(branch, from);
    return from;
  }

  #read(branch: number): BranchFact {
    const source = this.#source;
    const tip = branchIndexOf(source.tree).tipOf(branch);
    const entry = source.entryAt(tip);
    const end = branchEnd(source, branch);
    const label = branchLabel(source, branch);
    const name = branchName(source, branch);
    const words = `${name} ${label ?? ""}`.toLowerCase();
    const failed = end === "failed" || end === "stopped";
    const fact: BranchFact = { tip, tipId: entry.id, last: timeOf(entry), label, name, failed, words };
    this.#kept.set(branch, { fact, labelsSeen: source.tree.labelEntries.length });
    this.#reads += 1;
    return fact;
  }

  #promptAbove(n: number): string | null {
    const { tree } = this.#source;
    const branches = branchIndexOf(tree);
    if (n < 0) return null;
    for (let at = n, steps = 0; at >= 0 && steps < PROMPT_DISTANCE; steps++, at = branches.conversationParentOf(at)) {
      if (!isPromptAt(tree, at)) continue;
      return firstWords(entryText(this.#source.entryAt(at)), 200);
    }
    return "";
  }

  #clearIfRenumbered(): void {
    const { revision } = this.#source.tree;
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#kept.clear();
    this.#from.clear();
  }
}
