/** Holds the state of the page, and tells whoever draws it. */
import { initialTree } from "../../../view/index.js";
import { PageModel } from "../data/page-model.js";
import type { PageSource } from "../data/page-source.js";
import { contextList, pathList, type TranscriptList } from "../data/transcript-list.js";
import type { PageState } from "./page-state.js";
import { Unfolded } from "./unfolded.js";

export class PageStore {
  readonly source: PageSource;
  readonly unfolded = new Unfolded();
  model: PageModel;
  #state: PageState;
  #list: { readonly list: TranscriptList; readonly end: number; readonly shows: PageState["shows"] } | undefined;
  #listener: () => void = () => {};

  constructor(source: PageSource) {
    this.source = source;
    this.model = new PageModel(source);
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

  /** What the transcript shows; the same object as long as that is the same. */
  get list(): TranscriptList {
    const { end, shows } = this.#state;
    const known = this.#list;
    if (known !== undefined && known.end === end && known.shows === shows) return known.list;
    const list = shows === "path" ? pathList(this.source, end) : contextList(this.source, end);
    this.#list = { list, end, shows };
    return list;
  }

  /** The browser has read the whole file: what was drawn without all of it is drawn again. */
  finishReading(): void {
    const { missed } = this.source;
    if (missed) {
      this.source.readAgain();
      this.model = new PageModel(this.source);
      // What the model saw was put together from what was there.
      if (this.#state.shows === "context") this.#list = undefined;
    }
    this.set({ complete: true, blocksVersion: this.#state.blocksVersion + (missed ? 1 : 0) });
  }
}
