/** Search as you type: each change restarts the search, which runs in slices so that keys never wait. */
import { nextMatch, previousMatch, TreeSearch, withSearch } from "@bough/session/view/index.js";
import type { KeyPress } from "../keys/key-press.js";
import { TextField } from "../questions/text-field.js";
import { BROWSE, type OpenedTree, type TreeMode } from "./opened-tree.js";

type SearchMode = Extract<TreeMode, { kind: "search" }>;

/** The running search of each tree; stopped by the next one, by Esc, and when the tree closes. */
const running = new WeakMap<OpenedTree, AbortController>();

export function startSearch(tree: OpenedTree): void {
  tree.mode = { kind: "search", field: new TextField(tree.state.search?.query ?? ""), origin: tree.state };
  tree.app.host.redraw();
}

/** Searches for words passed in: `/tree words`. */
export function searchFor(tree: OpenedTree, words: string): void {
  search(tree, { origin: tree.state, words });
}

/** Another filter shows other rows, so search again. The selection stays. */
export function searchAgain(tree: OpenedTree): void {
  const { search: found, filter } = tree.state;
  if (found === undefined || found.filter === filter) return;
  search(tree, { origin: tree.state, words: found.query, select: "stay" });
}

export function endSearch(tree: OpenedTree): void {
  running.get(tree)?.abort();
  running.delete(tree);
}

export function handleSearchKey(tree: OpenedTree, mode: SearchMode, key: KeyPress): boolean {
  const { keys } = tree.app.host;
  const question = keys.actionFor("question", key);
  if (question === "question.answer") {
    tree.mode = BROWSE;
    // If nothing was found, the line about Enter says so.
    tree.say(undefined);
    return true;
  }
  if (question === "question.cancel") {
    endSearch(tree);
    tree.mode = BROWSE;
    tree.show(withSearch(mode.origin, undefined));
    return true;
  }
  const list = keys.actionFor("list", key);
  if (list === "list.next" || list === "list.previous") {
    const { model, state } = tree;
    tree.show(list === "list.next" ? nextMatch(model, state) : previousMatch(model, state));
    return true;
  }
  const before = mode.field.text;
  if (!mode.field.handleKey(key, keys)) return false;
  if (mode.field.text !== before) search(tree, { origin: mode.origin, words: mode.field.text });
  tree.app.host.redraw();
  return true;
}

export function pasteIntoSearch(tree: OpenedTree, mode: SearchMode, text: string): void {
  mode.field.paste(text);
  search(tree, { origin: mode.origin, words: mode.field.text });
}

interface SearchInput {
  /** The tree without the search. */
  readonly origin: OpenedTree["state"];
  readonly words: string;
  /** `first` (default): selects the first match as soon as it is known; the count follows. */
  readonly select?: "first" | "stay";
}

function search(tree: OpenedTree, { origin, words, select = "first" }: SearchInput): void {
  const before = tree.state.search;
  endSearch(tree);
  if (words.trim() === "") {
    tree.show(withSearch(origin, undefined));
    return;
  }
  const found = new TreeSearch(tree.model, words, { filter: origin.filter, before });
  tree.show(withSearch(origin, found));
  const control = new AbortController();
  running.set(tree, control);
  tree.app.host.inSlices((deadline) => {
    const result = found.advance(deadline);
    const { state } = tree;
    if (select === "first" && state.search === found && state.match < 0 && found.matches.length > 0)
      tree.state = nextMatch(tree.model, state);
    tree.app.host.redraw();
    return result;
  }, control.signal);
}
