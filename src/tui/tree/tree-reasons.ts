/** Why a key of the tree does nothing at the moment. Every key works, or has its reason here. */
import { SENTENCES } from "../../command/index.js";
import { isPromptAt } from "../../tree/index.js";
import { continueTarget, type EnterAction, editTarget, enterAction, NOT_A_PROMPT } from "../../view/index.js";
import { isUnusedSummary } from "./edit-summary.js";
import type { OpenTree } from "./open-tree.js";
import { isOnOwnPath } from "./row-targets.js";
import { isWhereYouAre } from "./same-place.js";
import { TREE_MOVES } from "./tree-moves.js";

const CHANGES = new Set(["edit", "continue", "summary", "forkSession", "cherryPick", "merge", "undo", "redo"]);

/** Moves that are cheap to try out. The others say why when they are pressed. */
const TRIED = new Set(["open", "fold", "previousBranch", "nextBranch", "previousFork", "nextFork", "pick"]);

/** Undefined where the action works now. */
export function treeOffReason(tree: OpenTree, actionId: string): string | undefined {
  const action = actionId.replace(/^tree\./, "");
  if (CHANGES.has(action)) {
    const reason = tree.work.off ?? (action === "forkSession" ? undefined : forkReason(tree));
    if (reason !== undefined) return reason;
  }
  if (action === "label" && tree.work.notesOff !== undefined) return tree.work.notesOff;
  const move = TREE_MOVES[actionId];
  if (move !== undefined) {
    if (needsSearch(tree, actionId)) {
      return `Nothing is searched for. ${tree.app.desk.keys.hint("tree.search")} searches.`;
    }
    if (!TRIED.has(action)) return undefined;
    // Tried out: states are values, so nobody notices.
    return move.move(tree.model, tree.state, tree) === tree.state ? move.nothing : undefined;
  }
  return rowReason(tree, action);
}

/** Where a prompt is chosen for a new session, this one stays as it is. */
function forkReason({ purpose }: OpenTree): string | undefined {
  return purpose === "fork" ? "Choose a prompt to fork from here. To move in this session, use /tree." : undefined;
}

/** Matches without a search are nowhere to go. */
export function needsSearch({ state }: OpenTree, actionId: string): boolean {
  return state.search === undefined && (actionId === "tree.nextMatch" || actionId === "tree.previousMatch");
}

function rowReason(tree: OpenTree, action: string): string | undefined {
  const { model, state, selected } = tree;
  const { keys } = tree.app.desk;
  switch (action) {
    case "enter":
      return enterReason(tree);
    case "edit":
      if (isUnusedSummary(tree)) return undefined;
      return editTarget(model, state) === undefined ? "None of your prompts is at or above this row." : undefined;
    case "continue": {
      const target = continueTarget(model, state);
      if (target === undefined) return "No turn on this row to continue after.";
      return isWhereYouAre(model.source, target.newLeaf) ? SENTENCES.alreadyHere : undefined;
    }
    case "summary": {
      const target = enterAction(model, state, tree.situation);
      if (target.kind === "open") return "No entry on this row.";
      return target.kind === "off" ? target.reason : hereReason(tree, target);
    }
    case "forkSession":
      return isPromptAt(model.source.tree, selected) ? undefined : NOT_A_PROMPT;
    case "label":
    case "copy":
      return selected < 0 ? "No entry on this row." : undefined;
    case "cherryPick":
      if (state.picked.size > 0) return undefined;
      if (selected < 0) return `${keys.hint("tree.pick")} picks rows first.`;
      return isOnOwnPath(model, selected) ? "This is on your path already. Choose rows of another branch." : undefined;
    case "merge":
      return mergeReason(tree);
    case "compare":
      return compareReason(tree);
    case "reload":
      return tree.newElsewhere > 0 ? undefined : "No other process has added anything.";
    default:
      return undefined;
  }
}

function enterReason(tree: OpenTree): string | undefined {
  const { model, state } = tree;
  const action = enterAction(model, state, tree.situation);
  if (action.kind === "open") return undefined;
  const off = tree.work.off;
  if (off !== undefined) return off;
  return action.kind === "off" ? action.reason : hereReason(tree, action);
}

/** A prompt right below is no place to go to, but its text is wanted back. */
function hereReason({ model }: OpenTree, action: EnterAction): string | undefined {
  const here = action.kind === "here" || (action.kind === "go" && isWhereYouAre(model.source, action.newLeaf));
  return here ? SENTENCES.alreadyHere : undefined;
}

function mergeReason(tree: OpenTree): string | undefined {
  const n = mergedRow(tree);
  if (n < 0) return "No branch on this row.";
  if (tree.state.picked.size > 1) return "Several rows are picked. Pick one of the branch to merge, or none.";
  return isOnOwnPath(tree.model, n) ? "This is your own path. Choose a row of another branch." : undefined;
}

/** The picked row names the branch, else the selected one. */
export function mergedRow({ state, selected }: OpenTree): number {
  const [picked] = state.picked;
  return picked ?? selected;
}

function compareReason({ model, state, selected }: OpenTree): string | undefined {
  if (state.picked.size > 2) return "Select at most two rows to compare.";
  if (state.picked.size === 2) return undefined;
  const [picked] = state.picked;
  const other = picked ?? selected;
  if (other < 0) return "No entry on this row.";
  if (model.source.leaf < 0) return "You are before the first entry, so there is nothing to compare with.";
  return isWhereYouAre(model.source, other) ? "This is where you are. Choose another row." : undefined;
}
