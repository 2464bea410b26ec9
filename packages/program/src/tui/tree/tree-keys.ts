/** The keys of the tree: what each does, and why it is disabled. */

import { isPromptAt } from "@bough/session/tree/index.js";
import {
  firstRow,
  foldOrStepOut,
  jumpToLeaf,
  lastRow,
  nextBranch,
  nextFork,
  nextMatch,
  nextPage,
  nextRow,
  openOrStepIn,
  previousBranch,
  previousFork,
  previousMatch,
  previousPage,
  previousRow,
  withSearch,
} from "@bough/session/view/index.js";
import {
  continueTarget,
  type EnterAction,
  editTarget,
  enterAction,
  NOT_A_PROMPT,
  nextFilter,
  nextNarrowing,
  nextPreview,
  toggleFilter,
  toggleLabelTimes,
  togglePick,
} from "@bough/session/view/internal.js";
import { forkFrom, redoLastStep, SENTENCES, undoLastStep } from "../../command/index.js";
import { showHelp } from "../help/show-help.js";
import { isWhereYouAre } from "../host/panel-work.js";
import { bindKeys, key, type ScreenKeys } from "../keys/key-table.js";
import type { OffReason } from "../keys/off-reason.js";
import { editSummary, isUnusedSummary } from "./edit-summary.js";
import { startLabel } from "./label-field.js";
import { filterWords, look, narrowingWords, previewWords } from "./look-around.js";
import type { OpenedTree } from "./opened-tree.js";
import { endFor, isOnOwnPath } from "./row-targets.js";
import { endSearch, startSearch } from "./search-field.js";
import { cherryPick, compare, copy, enter, mergedRow, moveBack, moveToRow, reload } from "./tree-operations.js";

const ON_TOP = "This is the first row.";
const AT_END = "This is the last row.";
const NO_ENTRY = "No entry on this row.";

export const TREE_KEYS: ScreenKeys<OpenedTree> = {
  title: "Tree",
  actions: [
    look("tree.previous", ["up", "k"], "go to the row above", previousRow, { nothing: ON_TOP }),
    look("tree.next", ["down", "j"], "go to the row below", nextRow, { nothing: AT_END }),
    look("tree.open", ["right", "l"], "open the branch; if it is open, step into it", openOrStepIn, {
      off: "No branch here to open.",
    }),
    look("tree.fold", ["left", "h"], "fold the branch; if it is folded, go to the fork point", foldOrStepOut, {
      off: "No branch here to fold.",
    }),
    look("tree.previousBranch", ["["], "go to the previous branch at this fork", previousBranch, {
      off: "No branch before this one at this fork.",
    }),
    look("tree.nextBranch", ["]"], "go to the next branch at this fork", nextBranch, {
      off: "No branch after this one at this fork.",
    }),
    look("tree.previousFork", ["{"], "go to the previous fork point", previousFork, { off: "No fork point above." }),
    look("tree.nextFork", ["}"], "go to the next fork point", nextFork, { off: "No fork point below." }),
    look("tree.here", ["@"], "go to your position", jumpToLeaf, { nothing: "You are here." }),
    look("tree.first", ["home", "g"], "go to the first row", firstRow, { nothing: ON_TOP }),
    look("tree.last", ["end", "G"], "go to the last row", lastRow, { nothing: AT_END }),
    look(
      "tree.pageUp",
      ["pageup"],
      "go up a page; in a full-screen preview, scroll it",
      (model, state, { pageSize }) => previousPage(model, state, pageSize),
      { nothing: ON_TOP },
    ),
    look(
      "tree.pageDown",
      ["pagedown"],
      "go down a page; in a full-screen preview, scroll it",
      (model, state, { pageSize }) => nextPage(model, state, pageSize),
      { nothing: AT_END },
    ),
    key("tree.enter", ["enter"], "edit a prompt, go to a row, or open a fold, as the footer says", {
      run: enter,
      disabled: enterReason,
    }),
    key("tree.edit", ["e"], "edit this prompt and send it again, beside the old one", {
      run: (tree) => (isUnusedSummary(tree) ? editSummary(tree) : moveToRow(tree, editTarget(tree.model, tree.state))),
      disabled: changing((tree) => {
        if (isUnusedSummary(tree) || editTarget(tree.model, tree.state) !== undefined) return undefined;
        return "No prompt of yours at or above this row.";
      }),
    }),
    key("tree.continue", ["c"], "continue after this turn", {
      run: (tree) => {
        const target = continueTarget(tree.model, tree.state);
        if (target !== undefined) moveToRow(tree, { kind: "go", openCalls: false, ...target });
      },
      disabled: changing(({ model, state }) => {
        const target = continueTarget(model, state);
        if (target === undefined) return "No turn on this row to continue after.";
        return isWhereYouAre(model.source, target.newLeaf) ? SENTENCES.alreadyHere : undefined;
      }),
    }),
    key("tree.summary", ["s"], "go there with a summary of the branch you leave", {
      run: (tree) => moveToRow(tree, enterAction(tree.model, tree.state, tree.situation), "summary"),
      disabled: changing((tree) => {
        const target = enterAction(tree.model, tree.state, tree.situation);
        return target.kind === "open" ? NO_ENTRY : moveReason(tree, target);
      }),
    }),
    key("tree.forkSession", ["b"], "fork from here into a new session", {
      run: (tree) => tree.work.perform(() => forkFrom(tree.app.context, tree.idOf(tree.selected))),
      disabled: ({ work, model, selected }) =>
        work.off ?? (isPromptAt(model.source.tree, selected) ? undefined : NOT_A_PROMPT),
    }),
    key("tree.label", ["m", "L"], "label this row; an empty label removes it", {
      run: startLabel,
      disabled: (tree) => tree.work.notesOff ?? noEntry(tree),
    }),
    look("tree.labelTimes", ["T"], "show or hide label times", (_model, state) => toggleLabelTimes(state), {
      said: ({ labelTimes }) => (labelTimes ? "Showing label times." : "Label times hidden."),
    }),
    look("tree.pick", ["space"], "select or deselect this row", togglePick, {
      off: "No entry on this row, so it cannot be selected.",
    }),
    key("tree.cherryPick", ["p"], "copy the selected rows to your position", {
      run: cherryPick,
      disabled: changing(({ model, state, selected, app }) => {
        if (state.picked.size > 0) return undefined;
        if (selected < 0) return `${app.host.keys.hint("tree.pick")} selects rows; do that first.`;
        return isOnOwnPath(model, selected) ? "Already on your path. Select rows on another branch." : undefined;
      }),
    }),
    key("tree.merge", ["M"], "merge this branch into yours", {
      run: (tree) => tree.work.openScreen({ screen: "merge", tipId: tree.idOf(endFor(tree.model, mergedRow(tree))) }),
      disabled: changing((tree) => {
        const n = mergedRow(tree);
        if (n < 0) return "No branch on this row.";
        if (tree.state.picked.size > 1)
          return "Several rows are selected. Select one row of the branch to merge, or none.";
        return isOnOwnPath(tree.model, n)
          ? { message: "This is your own path.", hint: "Choose a row on another branch." }
          : undefined;
      }),
    }),
    key("tree.compare", ["d"], "compare this row with your position, or compare two selected rows", {
      run: compare,
      disabled: ({ model, state, selected }) => {
        if (state.picked.size > 2) return "Select at most two rows to compare.";
        if (state.picked.size === 2) return undefined;
        const [picked] = state.picked;
        const other = picked ?? selected;
        if (other < 0) return NO_ENTRY;
        if (model.source.leaf < 0) return "You are before the first entry; there is nothing to compare with.";
        return isWhereYouAre(model.source, other)
          ? { message: "You are here.", hint: "Choose another row." }
          : undefined;
      },
    }),
    look(
      "tree.preview",
      ["v"],
      "cycle preview: below, beside, full screen, off",
      (_model, state, { width }) => nextPreview(state, width),
      { said: previewWords },
    ),
    key("tree.copy", ["y"], "copy this row's text, ID, link or command", {
      run: (tree) => void copy(tree),
      disabled: noEntry,
    }),
    look(
      "tree.filter",
      ["tab"],
      "cycle filter: default, no tools, your messages, labels, all",
      (_model, state) => nextFilter(state),
      { said: filterWords },
    ),
    look("tree.all", ["ctrl+o"], "toggle showing all entries", (_model, state) => toggleFilter(state, "all"), {
      said: filterWords,
    }),
    look(
      "tree.userOnly",
      ["ctrl+u"],
      "toggle showing only your messages",
      (_model, state) => toggleFilter(state, "user-only"),
      { said: filterWords },
    ),
    look(
      "tree.narrow",
      ["f"],
      "cycle what is shown: file changes, failures, matches, all",
      (_model, state) => nextNarrowing(state),
      { said: narrowingWords },
    ),
    key("tree.search", ["/"], "search", startSearch),
    {
      ...look("tree.nextMatch", ["n"], "go to the next match", nextMatch, { nothing: "No more matches." }),
      disabled: noSearch,
    },
    {
      ...look("tree.previousMatch", ["N"], "go to the previous match", previousMatch, {
        nothing: "No earlier matches.",
      }),
      disabled: noSearch,
    },
    key("tree.undo", ["z"], "undo the last run or move", {
      run: (tree) => moveBack(tree, undoLastStep),
      disabled: changing(() => undefined),
    }),
    key("tree.redo", ["Z"], "redo what was undone last", {
      run: (tree) => moveBack(tree, redoLastStep),
      disabled: changing(() => undefined),
    }),
    key("tree.reload", ["r"], "load what other processes added", {
      run: reload,
      disabled: ({ newElsewhere }) => (newElsewhere > 0 ? undefined : "No other process has added anything."),
    }),
    key(
      "tree.help",
      ["?", "f1"],
      "show all keys",
      (tree) => void showHelp(tree.app.host, { scope: "tree", ...bindKeys(TREE_KEYS, tree) }),
    ),
    key("tree.close", ["esc", "q", "ctrl+c"], "clear the search, then close the tree", (tree) => {
      if (tree.work.stop()) return;
      if (tree.state.search === undefined) tree.close();
      else {
        endSearch(tree);
        tree.show(withSearch(tree.state, undefined));
      }
    }),
  ],
};

/** For keys that change this session: why it is read-only or busy, then the key's own reason. */
function changing(own: (tree: OpenedTree) => OffReason | undefined): (tree: OpenedTree) => OffReason | undefined {
  return (tree) => {
    if (tree.work.off !== undefined) return tree.work.off;
    // When choosing a prompt for a new session, this session is not changed.
    if (tree.purpose === "fork")
      return { message: "Choose a prompt to fork from here.", hint: "To move in this session, use /tree." };
    return own(tree);
  };
}

function enterReason(tree: OpenedTree): OffReason | undefined {
  const action = enterAction(tree.model, tree.state, tree.situation);
  return action.kind === "open" ? undefined : (tree.work.off ?? moveReason(tree, action));
}

/** Moving to the prompt right below the leaf changes no position, but still returns its text. */
function moveReason({ model }: OpenedTree, action: EnterAction): string | undefined {
  if (action.kind === "off") return action.reason;
  const here = action.kind === "here" || (action.kind === "go" && isWhereYouAre(model.source, action.newLeaf));
  return here ? SENTENCES.alreadyHere : undefined;
}

function noEntry({ selected }: OpenedTree): string | undefined {
  return selected < 0 ? NO_ENTRY : undefined;
}

/** Matches exist only during a search. */
function noSearch({ state, app }: OpenedTree): string | undefined {
  if (state.search !== undefined) return undefined;
  return `No search. ${app.host.keys.hint("tree.search")} searches.`;
}
