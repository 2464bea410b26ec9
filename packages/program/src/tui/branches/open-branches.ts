/** State of the branch list: what it shows and what the user selected. */

import { branchIndexOf } from "@bough/session/tree/index.js";
import { type BranchFilter, BranchList, type BranchRow, type BranchSort } from "@bough/session/view/internal.js";
import { originsOf } from "../../command/internal.js";
import type { ScreenApp } from "../app/screen.js";
import { TextField } from "../questions/text-field.js";

export class OpenBranches {
  readonly app: ScreenApp;
  readonly list: BranchList;
  sort: BranchSort = "recent";
  filter: BranchFilter = "all";
  words: string;
  /** Number of the selected branch. */
  selected: number;
  top = 0;
  pageSize = 1;
  /** The user is typing a search. */
  field: TextField | undefined;
  #numbers: readonly number[] | undefined;
  #known = "";
  #learned = 0;

  /** What a branch is chosen for. */
  readonly purpose: "compare" | "merge" | undefined;

  constructor(
    app: ScreenApp,
    { words, purpose }: { readonly words: string; readonly purpose?: "compare" | "merge" | undefined },
  ) {
    this.app = app;
    this.purpose = purpose;
    const source = app.context.agent.session.getSource();
    this.list = new BranchList(source, { originsOf: originsOf(app.context) });
    this.words = words;
    const own = branchIndexOf(source.tree).branchOf(source.leaf);
    this.selected = (purpose === undefined ? undefined : this.numbers.find((number) => number !== own)) ?? own;
    this.keepSelection();
  }

  /** The listed branches in order. Recomputed only if something they depend on changed. */
  get numbers(): readonly number[] {
    const { sort, filter, words } = this;
    const { tree, leaf } = this.source;
    const known = `${sort} ${filter} ${tree.count} ${leaf} ${this.#learned} ${words}`;
    if (this.#numbers === undefined || known !== this.#known) {
      this.#numbers = this.list.numbers({ sort, filter, words });
      this.#known = known;
    }
    return this.#numbers;
  }

  /** New facts about branches arrived, such as names or merges. */
  learned(): void {
    this.#learned += 1;
  }

  get source() {
    return this.app.context.agent.session.getSource();
  }

  get index(): number {
    return this.numbers.indexOf(this.selected);
  }

  get row(): BranchRow | undefined {
    return this.index < 0 ? undefined : this.list.row(this.selected);
  }

  /** Selects this row, or the nearest existing one. */
  select(index: number): void {
    const { numbers } = this;
    this.selected = numbers[Math.max(0, Math.min(numbers.length - 1, index))] ?? this.selected;
  }

  setSort(sort: BranchSort): void {
    this.sort = sort;
  }

  setFilter(filter: BranchFilter): void {
    this.filter = filter;
    this.keepSelection();
  }

  startTyping(): void {
    this.field = new TextField(this.words);
  }

  /** After the list changed: selects the same branch if it still exists, otherwise the first one. */
  keepSelection(): void {
    if (this.index < 0) this.select(0);
  }
}
