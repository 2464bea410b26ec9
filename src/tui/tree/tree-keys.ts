/** The keys of the tree: what each does, and why it does nothing at the moment. */
import { forkFrom, redoLastMove, SENTENCES, undoLastMove } from "../../command/index.js";
import { isPromptAt } from "../../tree/index.js";
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
} from "../../view/index.js";
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
} from "../../view/internal.js";
import { showHelp } from "../help/show-help.js";
import { isWhereYouAre } from "../host/panel-work.js";
import { bindKeys, type ScreenKeys } from "../keys/key-table.js";
import { editSummary, isUnusedSummary } from "./edit-summary.js";
import { startLabel } from "./label-field.js";
import { filterWords, looks, narrowingWords, previewWords } from "./look-around.js";
import type { OpenTree } from "./open-tree.js";
import { endFor, isOnOwnPath } from "./row-targets.js";
import { endSearch, startSearch } from "./search-field.js";
import { cherryPick, compare, copy, enter, mergedRow, moveBack, moveToRow, reload } from "./tree-operations.js";

const ON_TOP = "This is the first row.";
const AT_END = "This is the last row.";
const NO_ENTRY = "No entry on this row.";

export const TREE_KEYS: ScreenKeys<OpenTree> = {
  title: "Tree",
  actions: [
    { id: "tree.previous", keys: ["up", "k"], help: "go to the row above", ...looks(previousRow, { nothing: ON_TOP }) },
    { id: "tree.next", keys: ["down", "j"], help: "go to the row below", ...looks(nextRow, { nothing: AT_END }) },
    {
      id: "tree.open",
      keys: ["right", "l"],
      help: "open the branch; if it is open, step into it",
      ...looks(openOrStepIn, { off: "There is no branch to open here." }),
    },
    {
      id: "tree.fold",
      keys: ["left", "h"],
      help: "fold the branch; if it is folded, go to the fork point",
      ...looks(foldOrStepOut, { off: "There is no branch to fold here." }),
    },
    {
      id: "tree.previousBranch",
      keys: ["["],
      help: "go to the previous branch at this fork",
      ...looks(previousBranch, { off: "No branch before this one at this fork." }),
    },
    {
      id: "tree.nextBranch",
      keys: ["]"],
      help: "go to the next branch at this fork",
      ...looks(nextBranch, { off: "No branch after this one at this fork." }),
    },
    {
      id: "tree.previousFork",
      keys: ["{"],
      help: "go to the previous fork point",
      ...looks(previousFork, { off: "No fork point above." }),
    },
    {
      id: "tree.nextFork",
      keys: ["}"],
      help: "go to the next fork point",
      ...looks(nextFork, { off: "No fork point below." }),
    },
    {
      id: "tree.here",
      keys: ["@"],
      help: "go to where you are",
      ...looks(jumpToLeaf, { nothing: "This is where you are." }),
    },
    { id: "tree.first", keys: ["home", "g"], help: "go to the first row", ...looks(firstRow, { nothing: ON_TOP }) },
    { id: "tree.last", keys: ["end", "G"], help: "go to the last row", ...looks(lastRow, { nothing: AT_END }) },
    {
      id: "tree.pageUp",
      keys: ["pageup"],
      help: "go up a page; in a full-screen preview, scroll it",
      ...looks((model, state, { pageSize }) => previousPage(model, state, pageSize), { nothing: ON_TOP }),
    },
    {
      id: "tree.pageDown",
      keys: ["pagedown"],
      help: "go down a page; in a full-screen preview, scroll it",
      ...looks((model, state, { pageSize }) => nextPage(model, state, pageSize), { nothing: AT_END }),
    },
    {
      id: "tree.enter",
      keys: ["enter"],
      help: "do what the footer says: edit a prompt, go to a row, open a fold",
      run: enter,
      disabled: enterReason,
    },
    {
      id: "tree.edit",
      keys: ["e"],
      help: "edit this prompt and send it again, beside the old one",
      run: (tree) => (isUnusedSummary(tree) ? editSummary(tree) : moveToRow(tree, editTarget(tree.model, tree.state))),
      disabled: changing((tree) => {
        if (isUnusedSummary(tree) || editTarget(tree.model, tree.state) !== undefined) return undefined;
        return "None of your prompts is at or above this row.";
      }),
    },
    {
      id: "tree.continue",
      keys: ["c"],
      help: "continue after this turn",
      run: (tree) => {
        const target = continueTarget(tree.model, tree.state);
        if (target !== undefined) moveToRow(tree, { kind: "go", openCalls: false, ...target });
      },
      disabled: changing(({ model, state }) => {
        const target = continueTarget(model, state);
        if (target === undefined) return "No turn on this row to continue after.";
        return isWhereYouAre(model.source, target.newLeaf) ? SENTENCES.alreadyHere : undefined;
      }),
    },
    {
      id: "tree.summary",
      keys: ["s"],
      help: "go there and bring a summary of what you leave",
      run: (tree) => moveToRow(tree, enterAction(tree.model, tree.state, tree.situation), "summary"),
      disabled: changing((tree) => {
        const target = enterAction(tree.model, tree.state, tree.situation);
        return target.kind === "open" ? NO_ENTRY : moveReason(tree, target);
      }),
    },
    {
      id: "tree.forkSession",
      keys: ["b"],
      help: "fork from here into a new session",
      run: (tree) => tree.work.perform(() => forkFrom(tree.app.world, tree.idOf(tree.selected))),
      disabled: ({ work, model, selected }) =>
        work.off ?? (isPromptAt(model.source.tree, selected) ? undefined : NOT_A_PROMPT),
    },
    {
      id: "tree.label",
      keys: ["m", "L"],
      help: "label this row; an empty label removes it",
      run: startLabel,
      disabled: (tree) => tree.work.notesOff ?? noEntry(tree),
    },
    {
      id: "tree.labelTimes",
      keys: ["T"],
      help: "show when labels were set",
      ...looks((_model, state) => toggleLabelTimes(state), {
        said: ({ labelTimes }) => (labelTimes ? "Labels show when they were set." : "Labels without times."),
      }),
    },
    {
      id: "tree.pick",
      keys: ["space"],
      help: "select or deselect this row",
      ...looks(togglePick, { off: "No entry on this row, so it cannot be selected." }),
    },
    {
      id: "tree.cherryPick",
      keys: ["p"],
      help: "copy the picked rows to where you are",
      run: cherryPick,
      disabled: changing(({ model, state, selected, app }) => {
        if (state.picked.size > 0) return undefined;
        if (selected < 0) return `${app.host.keys.hint("tree.pick")} picks rows first.`;
        return isOnOwnPath(model, selected)
          ? "This is on your path already. Choose rows of another branch."
          : undefined;
      }),
    },
    {
      id: "tree.merge",
      keys: ["M"],
      help: "bring this branch to where you are",
      run: (tree) => tree.work.openScreen({ screen: "merge", tipId: tree.idOf(endFor(tree.model, mergedRow(tree))) }),
      disabled: changing((tree) => {
        const n = mergedRow(tree);
        if (n < 0) return "No branch on this row.";
        if (tree.state.picked.size > 1) return "Several rows are picked. Pick one of the branch to merge, or none.";
        return isOnOwnPath(tree.model, n) ? "This is your own path. Choose a row of another branch." : undefined;
      }),
    },
    {
      id: "tree.compare",
      keys: ["d"],
      help: "compare this row with where you are, or two picked rows",
      run: compare,
      disabled: ({ model, state, selected }) => {
        if (state.picked.size > 2) return "Select at most two rows to compare.";
        if (state.picked.size === 2) return undefined;
        const [picked] = state.picked;
        const other = picked ?? selected;
        if (other < 0) return NO_ENTRY;
        if (model.source.leaf < 0) return "You are before the first entry, so there is nothing to compare with.";
        return isWhereYouAre(model.source, other) ? "This is where you are. Choose another row." : undefined;
      },
    },
    {
      id: "tree.preview",
      keys: ["v"],
      help: "cycle preview: below, beside, full screen, off",
      ...looks((_model, state, { width }) => nextPreview(state, width), { said: previewWords }),
    },
    {
      id: "tree.copy",
      keys: ["y"],
      help: "copy this row: its text, id, link or command",
      run: (tree) => void copy(tree),
      disabled: noEntry,
    },
    {
      id: "tree.filter",
      keys: ["tab"],
      help: "show the next filter: default, no tools, your messages, labels, all",
      ...looks((_model, state) => nextFilter(state), { said: filterWords }),
    },
    {
      id: "tree.all",
      keys: ["ctrl+o"],
      help: "show all entries, and return to the filter before",
      ...looks((_model, state) => toggleFilter(state, "all"), { said: filterWords }),
    },
    {
      id: "tree.userOnly",
      keys: ["ctrl+u"],
      help: "show your messages only, and return to the filter before",
      ...looks((_model, state) => toggleFilter(state, "user-only"), { said: filterWords }),
    },
    {
      id: "tree.narrow",
      keys: ["f"],
      help: "narrow further: with file changes, failed, only matches",
      ...looks((_model, state) => nextNarrowing(state), { said: narrowingWords }),
    },
    { id: "tree.search", keys: ["/"], help: "search", run: startSearch },
    {
      id: "tree.nextMatch",
      keys: ["n"],
      help: "go to the next match",
      ...looks(nextMatch, { nothing: "No further match." }),
      disabled: noSearch,
    },
    {
      id: "tree.previousMatch",
      keys: ["N"],
      help: "go to the previous match",
      ...looks(previousMatch, { nothing: "No earlier match." }),
      disabled: noSearch,
    },
    {
      id: "tree.undo",
      keys: ["z"],
      help: "undo the last move",
      run: (tree) => moveBack(tree, undoLastMove),
      disabled: changing(() => undefined),
    },
    {
      id: "tree.redo",
      keys: ["Z"],
      help: "redo the move that was undone",
      run: (tree) => moveBack(tree, redoLastMove),
      disabled: changing(() => undefined),
    },
    {
      id: "tree.reload",
      keys: ["r"],
      help: "take in what other processes added",
      run: reload,
      disabled: ({ newElsewhere }) => (newElsewhere > 0 ? undefined : "No other process has added anything."),
    },
    {
      id: "tree.help",
      keys: ["?", "f1"],
      help: "show all keys",
      run: (tree) => void showHelp(tree.app.host, { scope: "tree", ...bindKeys(TREE_KEYS, tree) }),
    },
    {
      id: "tree.close",
      keys: ["esc", "q", "ctrl+c"],
      help: "clear the search, then close the tree",
      run: (tree) => {
        if (tree.work.stop()) return;
        if (tree.state.search === undefined) tree.close();
        else {
          endSearch(tree);
          tree.show(withSearch(tree.state, undefined));
        }
      },
    },
  ],
};

/** For keys that change this session: why it stays as it is, then their own reason. */
function changing(own: (tree: OpenTree) => string | undefined): (tree: OpenTree) => string | undefined {
  return (tree) => {
    if (tree.work.off !== undefined) return tree.work.off;
    // Where a prompt is chosen for a new session, this one is not touched.
    if (tree.purpose === "fork") return "Choose a prompt to fork from here. To move in this session, use /tree.";
    return own(tree);
  };
}

function enterReason(tree: OpenTree): string | undefined {
  const action = enterAction(tree.model, tree.state, tree.situation);
  return action.kind === "open" ? undefined : (tree.work.off ?? moveReason(tree, action));
}

/** A prompt right below is no place to go to, but its text is wanted back. */
function moveReason({ model }: OpenTree, action: EnterAction): string | undefined {
  if (action.kind === "off") return action.reason;
  const here = action.kind === "here" || (action.kind === "go" && isWhereYouAre(model.source, action.newLeaf));
  return here ? SENTENCES.alreadyHere : undefined;
}

function noEntry({ selected }: OpenTree): string | undefined {
  return selected < 0 ? NO_ENTRY : undefined;
}

/** Matches without a search are nowhere to go. */
function noSearch({ state, app }: OpenTree): string | undefined {
  if (state.search !== undefined) return undefined;
  return `Nothing is searched for. ${app.host.keys.hint("tree.search")} searches.`;
}
