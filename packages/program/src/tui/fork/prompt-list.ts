/** The prompts of a path, newest first. Texts are read only when shown or searched. */
import { type EntryId, entryText } from "@bough/session/entry/index.js";
import { firstWords, wordMatcher } from "@bough/session/text/index.js";
import { isPromptAt, type TreeSource } from "@bough/session/tree/index.js";

interface PromptRow {
  readonly id: EntryId;
  readonly text: string;
  /** Milliseconds; NaN if the entry has no time. */
  readonly time: number;
}

export class PromptList {
  readonly #source: TreeSource;
  readonly #prompts: readonly number[];
  readonly #rows = new Map<number, PromptRow>();
  #fits = wordMatcher("");
  #found: number[];
  #looked: number;

  constructor(source: TreeSource) {
    this.#source = source;
    const prompts: number[] = [];
    const { tree } = source;
    for (let n = source.leaf; n >= 0; n = tree.parentOf(n)) {
      if (isPromptAt(tree, n)) prompts.push(n);
    }
    this.#prompts = prompts;
    this.#found = prompts;
    this.#looked = prompts.length;
  }

  get total(): number {
    return this.#prompts.length;
  }

  /** Those found so far. */
  get count(): number {
    return this.#found.length;
  }

  get isComplete(): boolean {
    return this.#looked >= this.#prompts.length;
  }

  row(index: number): PromptRow | undefined {
    const n = this.#found[index];
    return n === undefined ? undefined : this.#rowAt(n);
  }

  /** Starts the search; `advance` continues it. */
  search(words: string): void {
    this.#fits = wordMatcher(words);
    const all = words.trim() === "";
    this.#found = all ? [...this.#prompts] : [];
    this.#looked = all ? this.#prompts.length : 0;
  }

  advance(deadline: () => boolean): "more" | "done" {
    while (!this.isComplete) {
      const n = this.#prompts[this.#looked++] as number;
      if (this.#fits(this.#rowAt(n).text)) this.#found.push(n);
      if (deadline()) break;
    }
    return this.isComplete ? "done" : "more";
  }

  #rowAt(n: number): PromptRow {
    let row = this.#rows.get(n);
    if (row === undefined) {
      const entry = this.#source.entryAt(n);
      row = { id: entry.id, text: firstWords(entryText(entry)) || "(no text)", time: Date.parse(entry.timestamp) };
      this.#rows.set(n, row);
    }
    return row;
  }
}
