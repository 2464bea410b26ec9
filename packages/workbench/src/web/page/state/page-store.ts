/** Holds the state of the page, and notifies its listener of changes. */
import { initialTree, TreeModel } from "@bough/session/view/index.js";
import type { BlockLook, FoldingKind } from "../../html/block-look.js";
import type { PageSource } from "../data/page-source.js";
import { contextList, pathList, type TranscriptList } from "../data/transcript-list.js";
import type { PageState } from "./page-state.js";

/**
 * Which blocks are open and how much of long ones is shown. Kept apart from the elements, which exist only while
 * visible.
 */
const TEXT = 30_000;
const OUTPUT = 8_000;

class Unfolded {
  readonly #open = new Map<string, boolean>();
  readonly #more = new Map<string, number>();

  isOpen(id: string, kind: FoldingKind, { toolsOpen }: { readonly toolsOpen: boolean }): boolean {
    return this.#open.get(id) ?? (toolsOpen && (kind === "tool" || kind === "shell" || kind === "files"));
  }

  setOpen(id: string, open: boolean): void {
    this.#open.set(id, open);
  }

  /** Resets all blocks, so that tools follow the toolbar button again. */
  forget(): void {
    this.#open.clear();
  }

  showMore(id: string): void {
    this.#more.set(id, (this.#more.get(id) ?? 0) + 1);
  }

  limits(id: string): ReturnType<BlockLook["limits"]> {
    const factor = 10 ** (this.#more.get(id) ?? 0);
    return { text: TEXT * factor, output: OUTPUT * factor };
  }
}

export class PageStore {
  readonly source: PageSource;
  readonly unfolded = new Unfolded();
  model: TreeModel;
  #state: PageState;
  #list: { readonly list: TranscriptList; readonly end: number; readonly shows: PageState["shows"] } | undefined;
  #listener: () => void = () => {};

  constructor(source: PageSource) {
    this.source = source;
    this.model = new TreeModel(source);
    this.#state = {
      tree: initialTree(),
      end: source.leaf,
      chosen: -1,
      shows: "path",
      target: undefined,
      query: "",
      searching: false,
      toolsOpen: false,
      blocksVersion: 0,
      sheet: "closed",
      sidebar: "open",
      dialog: undefined,
      theme: "system",
      announcement: "",
      complete: document.readyState !== "loading",
    };
  }

  get state(): PageState {
    return this.#state;
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  set(change: Partial<PageState>): void {
    this.#state = { ...this.#state, ...change };
    this.#listener();
  }

  /** What the transcript shows; the same object until that changes. */
  get list(): TranscriptList {
    const { end, shows } = this.#state;
    const known = this.#list;
    if (known !== undefined && known.end === end && known.shows === shows) return known.list;
    const list = shows === "path" ? pathList(this.source, end) : contextList(this.source, end);
    this.#list = { list, end, shows };
    return list;
  }

  /** Call it when entries arrived that were missed: redraws what was drawn without them. */
  readAgain(): void {
    this.source.readAgain();
    this.model = new TreeModel(this.source);
    if (this.#state.shows === "context") this.#list = undefined;
    this.set({ blocksVersion: this.#state.blocksVersion + 1 });
  }

  /** Call it when the browser has read the whole file: redraws what was drawn without all of it. */
  finishReading(): void {
    const { missed } = this.source;
    if (missed) {
      this.source.readAgain();
      this.model = new TreeModel(this.source);
      // What the model saw was computed from incomplete data.
      if (this.#state.shows === "context") this.#list = undefined;
    }
    this.set({ complete: true, blocksVersion: this.#state.blocksVersion + (missed ? 1 : 0) });
  }
}
