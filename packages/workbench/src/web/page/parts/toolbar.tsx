/** The toolbar above the transcript. */
import { counted, grouped } from "@bough/session/text/index.js";
import { branchName } from "@bough/session/view/internal.js";
import type { PageSource } from "../data/page-source.js";
import { goToLeaf } from "../state/go-to.js";
import type { PageStore } from "../state/page-store.js";
import { nextTheme } from "../state/theme.js";
import { isTreeShown, toggleTree } from "../state/tree-shown.js";

interface ToolbarProps {
  readonly store: PageStore;
  /** Goes to the prompt before or after the reader's position. */
  readonly onPrompt: (step: -1 | 1) => void;
}

export function Toolbar({ store, onPrompt }: ToolbarProps) {
  const { state, source, model } = store;
  // A page of a server has only what was shown.
  const isWhole = source.find === undefined;
  const toggleTools = () => setTools(store, !state.toolsOpen);
  return (
    <div class="toolbar" role="toolbar" aria-label="Transcript">
      <button
        type="button"
        aria-controls="sidebar"
        aria-expanded={isTreeShown(state)}
        onClick={() => toggleTree(store)}
      >
        Tree ({grouped(model.branches.count)})
      </button>
      <button type="button" aria-label="Previous prompt" onClick={() => onPrompt(-1)}>
        ‹ <span class="wide">prompt</span>
      </button>
      <button type="button" aria-label="Next prompt" onClick={() => onPrompt(1)}>
        <span class="wide">prompt</span> ›
      </button>
      {state.end === source.leaf ? null : (
        <button type="button" class="leaf" onClick={() => goToLeaf(store)}>
          <span aria-hidden="true">@ </span>Back to the leaf
        </button>
      )}
      <button type="button" aria-pressed={state.toolsOpen} onClick={toggleTools}>
        Tools
      </button>
      <ContextSwitch store={store} place="wide" />
      <details class="menu">
        <summary>More</summary>
        <div class="menu-items">
          <ContextSwitch store={store} place="narrow" />
          {isWhole ? (
            <button type="button" onClick={chosen(() => store.set({ dialog: "charts" }))}>
              Tokens and cost
            </button>
          ) : null}
          <button type="button" onClick={() => nextTheme(store)}>
            Theme: {state.theme}
          </button>
          <button type="button" onClick={chosen(() => window.print())}>
            Print
          </button>
          {isWhole ? (
            <button type="button" onClick={chosen(() => downloadJsonl(source))}>
              Get JSONL
            </button>
          ) : null}
          <button type="button" onClick={chosen(() => store.set({ dialog: "keys" }))}>
            Keys
          </button>
        </div>
      </details>
    </div>
  );
}

/** Closes the menu after an item was chosen. */
function chosen(act: () => void): () => void {
  return () => {
    closeMenu();
    act();
  };
}

/** Returns whether it was open. */
export function closeMenu(): boolean {
  const menu = document.querySelector<HTMLDetailsElement>("details.menu[open]");
  if (menu !== null) menu.open = false;
  return menu !== null;
}

/** Shown in the toolbar if there is room, otherwise in the menu. */
function ContextSwitch({ store, place }: { readonly store: PageStore; readonly place: "wide" | "narrow" }) {
  return (
    <button
      type="button"
      class={place}
      aria-pressed={store.state.shows === "context"}
      onClick={chosen(() => toggleContext(store))}
    >
      What the model saw
    </button>
  );
}

export function setTools(store: PageStore, open: boolean): void {
  store.unfolded.forget();
  store.set({
    toolsOpen: open,
    blocksVersion: store.state.blocksVersion + 1,
    announcement: open ? "Tools are expanded." : "Tools are collapsed.",
  });
}

function toggleContext(store: PageStore): void {
  const shows = store.state.shows === "path" ? "context" : "path";
  store.set({ shows, target: undefined });
  const announcement =
    shows === "context"
      ? `What the model saw at the end of this path: ${counted(store.list.count, "message")}.`
      : "The whole path.";
  store.set({ announcement });
}

/** Describes the shown path, above its first entry. */
export function PathHeading({ store }: { readonly store: PageStore }) {
  const { state, source, model } = store;
  const branch = model.branches.branchOf(state.end);
  const { madeAt, startedAt, sessionId } = source.facts;
  const parts = [
    counted(model.branches.turnsAt(state.end), "turn"),
    `${counted(model.branches.count, "branch", "branches")} in this file`,
    source.find === undefined ? `made ${madeAt.slice(0, 10)}` : `started ${startedAt.slice(0, 10)}`,
    `session ${sessionId.slice(0, 40)}`,
  ];
  return (
    <header class="path-heading">
      <p class="path-name">
        {state.end < 0 ? null : <b>#{branch} </b>}
        <bdi>{state.end < 0 ? source.facts.title : branchName(source, branch)}</bdi>
        {state.shows === "context" ? (
          <span class="note-words"> · what the model saw: {counted(store.list.count, "message")}</span>
        ) : null}
      </p>
      <p class="muted">{parts.join(" · ")}</p>
      {state.end >= 0 ? null : (
        <p>
          <span class="here-words">@ you are here</span>, before the first entry. The tree leads to what was said.
        </p>
      )}
      {state.complete ? null : <p class="muted">~ reading earlier entries…</p>}
    </header>
  );
}

function downloadJsonl(source: PageSource): void {
  const { facts } = source;
  const parts: string[] = [`${JSON.stringify(facts.header)}\n`];
  for (const chunk of facts.chunks.keys()) {
    const text = source.chunkText(chunk);
    if (text !== undefined) parts.push(`${text}\n`);
  }
  const address = URL.createObjectURL(new Blob(parts, { type: "application/jsonl" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${facts.title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "session"}.jsonl`;
  link.click();
  // By then the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
