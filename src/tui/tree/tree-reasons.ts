/** Why a key of the tree does nothing at the moment. Every key works, or has its reason here. */
import { SENTENCES } from "../../command/index.js";
import { continueTarget, enterAction } from "../../view/index.js";
import type { OpenTree } from "./open-tree.js";
import { isOnOwnPath, isPrompt } from "./row-targets.js";
import { isIdle, TREE_MOVES } from "./tree-moves.js";

const READ_ONLY = "Open in another process. You can look; moving is off.";
const CHANGES = new Set(["edit", "continue", "summary", "forkSession", "cherryPick", "merge", "undo", "redo"]);

/** Undefined where the action works now. */
export function treeOffReason(tree: OpenTree, actionId: string): string | undefined {
  const action = actionId.replace(/^tree\./, "");
  if (action === "web") return "The web viewer is not there yet. v shows the whole entry here.";
  if (CHANGES.has(action)) {
    const reason = changeOff(tree);
    if (reason !== undefined) return reason;
  }
  if (action === "label" && tree.app.readOnly) return READ_ONLY;
  const move = TREE_MOVES[actionId];
  if (move !== undefined) {
    if ((action === "nextMatch" || action === "previousMatch") && tree.state.search === undefined) {
      return `Nothing is searched for. ${tree.app.desk.keys.hint("tree.search")} searches.`;
    }
    return isIdle(move, tree.model, tree.state, tree.pageSize) ? move.nothing : undefined;
  }
  return rowReason(tree, action);
}

/** Why nothing can be moved or added now. */
export function changeOff(tree: OpenTree): string | undefined {
  if (tree.app.readOnly) return READ_ONLY;
  return tree.busy ? SENTENCES.working : undefined;
}

function rowReason(tree: OpenTree, action: string): string | undefined {
  const { model, state, selected } = tree;
  const { keys } = tree.app.desk;
  switch (action) {
    case "enter":
      return enterReason(tree);
    case "edit":
      if (isPrompt(model, selected)) return undefined;
      return `Only your prompts can be edited. ${keys.hint("tree.continue")} continues after this turn.`;
    case "continue": {
      const target = continueTarget(model, state);
      if (target === undefined) return "This row stands for no turn to continue after.";
      return target.n === model.source.leaf ? SENTENCES.alreadyHere : undefined;
    }
    case "summary":
      return selected < 0 ? "This row stands for no entry." : undefined;
    case "forkSession":
      return isPrompt(model, selected) ? undefined : "A fork starts from one of your prompts.";
    case "label":
    case "copy":
      return selected < 0 ? "This row stands for no entry." : undefined;
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
  const { model, state, selected, purpose } = tree;
  const action = enterAction(model, state, tree.situation);
  if (action.kind === "open") return undefined;
  const off = changeOff(tree);
  if (off !== undefined) return off;
  if (purpose === "fork") return isPrompt(model, selected) ? undefined : "A fork starts from one of your prompts.";
  if (action.kind === "off") return action.reason;
  return action.kind === "here" ? SENTENCES.alreadyHere : undefined;
}

function mergeReason(tree: OpenTree): string | undefined {
  const n = mergedRow(tree);
  if (n < 0) return "This row stands for no branch.";
  if (tree.state.picked.size > 1) return "Several rows are picked. Pick one of the branch to merge, or none.";
  return isOnOwnPath(tree.model, n) ? "This is your own path. Choose a row of another branch." : undefined;
}

/** The picked row names the branch, else the selected one. */
export function mergedRow({ state, selected }: OpenTree): number {
  const [picked] = state.picked;
  return picked ?? selected;
}

function compareReason({ model, state, selected }: OpenTree): string | undefined {
  if (state.picked.size > 2) return "Two can be compared. More than two rows are picked.";
  if (state.picked.size === 2) return undefined;
  const [picked] = state.picked;
  const other = picked ?? selected;
  if (other < 0) return "This row stands for no entry.";
  if (model.source.leaf < 0) return "You are before the first entry, so there is nothing to compare with.";
  const here = model.branches.conversationAt(model.source.leaf);
  return model.branches.conversationAt(other) === here ? "This is where you are. Choose another row." : undefined;
}
