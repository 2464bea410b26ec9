/** The whole page: the tree on one side, the conversation on the other. */
import { Component } from "preact";
import { goToPrompt, goToVersion } from "../state/go-to.js";
import { pageKeys } from "../state/keys.js";
import type { PageStore } from "../state/page-store.js";
import { focusTree, showTree } from "../state/tree-shown.js";
import { Dialogs } from "./dialogs.js";
import { Sidebar } from "./sidebar.js";
import { closeMenu, PathHeading, setTools, Toolbar } from "./toolbar.js";
import { Transcript } from "./transcript.js";

export class Page extends Component<{ readonly store: PageStore }> {
  #transcript: Transcript | undefined;

  override componentDidMount(): void {
    const { store } = this.props;
    pageKeys({
      j: () => this.#onPrompt(1),
      k: () => this.#onPrompt(-1),
      "[": () => goToVersion(store, this.#here(), -1),
      "]": () => goToVersion(store, this.#here(), 1),
      "/": () => {
        showTree(store);
        queueMicrotask(() => document.getElementById("search")?.focus());
      },
      t: () => setTools(store, !store.state.toolsOpen),
      "?": () => store.set({ dialog: "keys" }),
      Escape: () => closeTop(store),
    });
    document.addEventListener("pointerdown", ({ target }) => {
      if (target instanceof Element && target.closest("details.menu") === null) closeMenu();
    });
  }

  render() {
    const { store } = this.props;
    const { state } = store;
    return (
      <>
        <nav class="skip" aria-label="Skip">
          <button type="button" onClick={() => document.getElementById("transcript")?.focus()}>
            To the conversation
          </button>
          <button type="button" onClick={() => skipToTree(store)}>
            To the tree
          </button>
        </nav>
        <div class={state.sidebar === "open" ? "page" : "page alone"}>
          <Sidebar store={store} />
          {state.sheet === "open" ? (
            <button
              type="button"
              class="veil"
              aria-label="Close the tree"
              onClick={() => store.set({ sheet: "closed" })}
            />
          ) : null}
          <main>
            <Toolbar store={store} onPrompt={(step) => this.#onPrompt(step)} />
            <Transcript
              onMade={(transcript) => {
                this.#transcript = transcript;
              }}
              store={store}
              list={store.list}
              target={state.target}
              version={state.blocksVersion}
              heading={<PathHeading store={store} />}
            />
          </main>
        </div>
        <Dialogs store={store} />
        <div class="visually-hidden" role="status" aria-live="polite">
          {state.announcement}
        </div>
      </>
    );
  }

  #onPrompt(step: -1 | 1): void {
    goToPrompt(this.props.store, this.#transcript?.current ?? 0, step);
  }

  /** The entry the reader looks at. */
  #here(): number {
    const { store } = this.props;
    const { chosen, end } = store.state;
    const n = store.list.entryNumberAt(this.#transcript?.current ?? 0);
    return n >= 0 ? n : chosen >= 0 ? chosen : end;
  }
}

/** Only what is on top; a dialog closes on its own. */
function closeTop(store: PageStore): void {
  if (!closeMenu() && store.state.sheet === "open") store.set({ sheet: "closed" });
}

/** On a phone the tree is a sheet, which has to come up before it can have the focus. */
function skipToTree(store: PageStore): void {
  showTree(store);
  queueMicrotask(focusTree);
}
