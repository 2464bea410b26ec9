/** Reads and caches what rows need of a session. Everything else comes from the index. */
import type { MoveCause, SessionEntry } from "../../entry/index.js";
import { type BranchIndex, branchCause, branchIndexOf, type TreeIndex, type TreeSource } from "../../tree/index.js";
import { BranchOrigins, type OriginsOf } from "../branches/branch-origins.js";
import { type BranchEnd, branchPrompt, endOfPath } from "./rows/branch-name.js";
import { type EntryFacts, readFacts } from "./rows/entry-facts.js";
import { type KnownSteps, type StepFiles, stepFilesBelow } from "./rows/step-files.js";
import { placesOf } from "./rows/subtree-places.js";
import { type SearchRequest, SearchTexts } from "./search-text.js";

/** More than any screen and part of a path needs; beyond it the facts are read again. */
const MOST_FACTS = 20_000;

const NO_PLACES = new Int32Array(0);

/** The number of tokens in an entry. Supplied by the caller, because only bytes are known here. */
export type TokensOf = (entry: SessionEntry) => number;

/** The data of a row's entry: text, tools, tokens, the end of its branch. */
export class TreeReader {
  readonly source: TreeSource;
  readonly #tokensOf: TokensOf | undefined;
  readonly #origins: BranchOrigins;
  readonly #tokens = new Map<number, number>();
  readonly #facts = new Map<number, EntryFacts>();
  #factsOf: TreeIndex | undefined;
  #factsRevision = -1;
  readonly #texts = new SearchTexts();
  readonly #prompts = new Map<number, string>();
  readonly #ends = new Map<number, BranchEnd>();
  readonly #steps: KnownSteps = new Map();
  readonly #causes = new Map<number, MoveCause | "">();
  #labelled: ReadonlySet<number> = new Set();
  #labelsOf: TreeIndex | undefined;
  #labelsRead = -1;

  constructor(
    source: TreeSource,
    tokensOf?: TokensOf,
    /** The machine that an entry from elsewhere came from; called each time, because more may arrive. */
    originsOf?: OriginsOf,
  ) {
    this.source = source;
    this.#tokensOf = tokensOf;
    this.#origins = new BranchOrigins(source, originsOf);
  }

  get branches(): BranchIndex {
    return branchIndexOf(this.source.tree);
  }

  /**
   * The entry that represents the current position: records below the last conversation entry, such as labels, have
   * rows only if everything is shown.
   */
  leafUnder({ filter }: { readonly filter: string }): number {
    const { leaf } = this.source;
    const said = filter === "all" ? -1 : this.branches.conversationAt(leaf);
    return said < 0 ? leaf : said;
  }

  /** The facts about an entry that a row needs. */
  facts(n: number): EntryFacts {
    this.#clearIfChanged();
    return remembered(this.#facts, n, () => readFacts(this, n));
  }

  /** Names of the machines that a branch came from; empty if it was created here. */
  replicasOf(branch: number): readonly string[] {
    return this.#origins.of(branch);
  }

  /** Files that the tools of an entry changed, as recorded below it. */
  stepFiles(n: number): StepFiles | undefined {
    this.#clearIfChanged();
    if (this.#steps.size >= MOST_FACTS) this.#steps.clear();
    return stepFilesBelow(this.source, n, this.#steps);
  }

  /** Tokens of an entry; undefined if they cannot be counted. */
  tokens(n: number): number | undefined {
    const tokensOf = this.#tokensOf;
    if (tokensOf === undefined) return undefined;
    this.#clearIfChanged();
    return remembered(this.#tokens, n, () => tokensOf(this.source.entryAt(n)));
  }

  /** The first prompt at or below an entry, which names a branch that starts with it. */
  promptBelow(n: number): string {
    this.#clearIfChanged();
    return remembered(this.#prompts, n, () => branchPrompt(this.source, n));
  }

  /** How the last reply on the path to an entry ended. */
  endAt(n: number): BranchEnd {
    this.#clearIfChanged();
    return remembered(this.#ends, n, () => endOfPath(this.source, n));
  }

  /** Why the branch that starts with an entry exists; undefined if no record tells. */
  causeOf(first: number): MoveCause | undefined {
    this.#clearIfChanged();
    return remembered(this.#causes, first, () => branchCause(this.source, first) ?? "") || undefined;
  }

  /** Entries with a label. Found through the labels, not by checking every entry. */
  get labelled(): ReadonlySet<number> {
    const { tree } = this.source;
    if (tree.labelEntries.length === this.#labelsRead && tree === this.#labelsOf) return this.#labelled;
    const labelled = new Set<number>();
    for (const id of this.source.labelTargets?.() ?? this.#targetsRead()) {
      const target = tree.ids.findText(id);
      if (target >= 0 && this.source.labelOf(target) !== undefined) labelled.add(target);
    }
    this.#labelled = labelled;
    this.#labelsOf = tree;
    this.#labelsRead = tree.labelEntries.length;
    return labelled;
  }

  *#targetsRead(): Generator<string> {
    for (const n of this.source.tree.labelEntries) {
      const entry = this.source.entryAt(n);
      if (entry.type === "label") yield String(entry.targetId);
    }
  }

  /** Their positions in one walk over the whole tree, ascending. */
  get labelledPlaces(): Int32Array {
    const { labelled } = this;
    return labelled.size === 0 ? NO_PLACES : placesOf(this, labelled);
  }

  /** The text that a search covers: the whole text of an entry, its row and its label, in lower case. */
  searchText(n: number, { filter, parts }: SearchRequest): string {
    this.#clearIfChanged();
    const label = this.labelled.has(n) ? this.source.labelOf(n) : undefined;
    const text = this.#texts.of(this, n, {
      filter,
      // A label is not in the line of its target.
      parts: label === undefined ? parts : [],
      facts: () => this.#facts.get(n) ?? readFacts(this, n),
    });
    return label === undefined ? text : `${label.label.toLowerCase()} ${text}`;
  }

  /** Entries never change, except that damage may be found in them, or that the file was read again. */
  #clearIfChanged(): void {
    const { tree } = this.source;
    if (tree === this.#factsOf && tree.revision === this.#factsRevision) return;
    this.#facts.clear();
    this.#texts.clear();
    this.#prompts.clear();
    this.#ends.clear();
    this.#causes.clear();
    this.#steps.clear();
    this.#tokens.clear();
    this.#factsOf = tree;
    this.#factsRevision = tree.revision;
  }
}

/** Returns a cached value or computes it. The cache is cleared when it is full. */
function remembered<Value>(known: Map<number, Value>, n: number, find: () => Value): Value {
  const value = known.get(n);
  if (value !== undefined) return value;
  if (known.size >= MOST_FACTS) known.clear();
  const found = find();
  known.set(n, found);
  return found;
}
