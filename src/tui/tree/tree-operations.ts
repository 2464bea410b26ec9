/** Keys of the tree that do something: move, fork, copy, compare, open a field. Reasons against it were asked before. */
import { pathToFileURL } from "node:url";
import { forkFrom, goTo, redoLastMove, undoLastMove } from "../../command/index.js";
import { entryText } from "../../entry/index.js";
import { withoutControls } from "../../text/index.js";
import {
  continueTarget,
  type EnterAction,
  editTarget,
  enterAction,
  jumpToLeaf,
  openRow,
  span,
  withSearch,
} from "../../view/index.js";
import { showHelp } from "../help/show-help.js";
import { askChoice } from "../questions/ask-choice.js";
import { editSummary, isUnusedSummary } from "./edit-summary.js";
import { startLabel } from "./label-field.js";
import type { OpenTree } from "./open-tree.js";
import { endFor, entriesOfRow, entriesOfRows } from "./row-targets.js";
import { endSearch, startSearch } from "./search-field.js";
import { mergedRow, treeOffReason } from "./tree-reasons.js";

export const TREE_OPERATIONS: Readonly<Record<string, (tree: OpenTree) => void>> = {
  "tree.enter": enter,
  "tree.edit": (tree) => {
    if (isUnusedSummary(tree)) editSummary(tree);
    else go(tree, editTarget(tree.model, tree.state));
  },
  "tree.continue": (tree) => {
    const target = continueTarget(tree.model, tree.state);
    if (target !== undefined) go(tree, { kind: "go", openCalls: false, ...target });
  },
  "tree.summary": (tree) => go(tree, enterAction(tree.model, tree.state, tree.situation), "summary"),
  "tree.forkSession": (tree) => tree.work.perform(() => forkFrom(tree.app.world, tree.idOf(tree.selected))),
  "tree.label": startLabel,
  "tree.cherryPick": cherryPick,
  "tree.merge": (tree) =>
    tree.work.openScreen({ screen: "merge", tipId: tree.idOf(endFor(tree.model, mergedRow(tree))) }),
  "tree.compare": compare,
  "tree.copy": (tree) => void copy(tree),
  "tree.search": startSearch,
  "tree.undo": (tree) => retrace(tree, undoLastMove),
  "tree.redo": (tree) => retrace(tree, redoLastMove),
  "tree.reload": reload,
  "tree.help": (tree) =>
    void showHelp(tree.app.desk, { scope: "tree", offReason: (actionId) => treeOffReason(tree, actionId) }),
  "tree.close": (tree) => {
    if (tree.work.stop()) return;
    if (tree.state.search === undefined) tree.close();
    else {
      endSearch(tree);
      tree.show(withSearch(tree.state, undefined));
    }
  },
};

function enter(tree: OpenTree): void {
  const action = enterAction(tree.model, tree.state, tree.situation);
  if (action.kind === "open") tree.show(openRow(tree.model, tree.state));
  else if (action.kind === "fork") tree.work.perform(() => forkFrom(tree.app.world, action.id));
  else go(tree, action);
}

/** Before a prompt, whose text returns to the editor; or to that very entry, whatever it is. */
function go(tree: OpenTree, action: EnterAction | undefined, summary: "ask" | "summary" = "ask"): void {
  if (action?.kind !== "edit" && action?.kind !== "go") return;
  const place = action.kind === "edit" ? "selected" : "exact";
  tree.work.perform(() => goTo(tree.app.world, { targetId: action.id, place, summary }));
}

/** Undoing stays in the tree: whoever goes back and forth wants to see where that is. */
function retrace(tree: OpenTree, step: typeof undoLastMove): void {
  tree.work.perform(async () => {
    const outcome = await step(tree.app.world);
    if (outcome.kind === "done") tree.state = jumpToLeaf(tree.model, tree.state);
    return outcome;
  }, "stay");
}

function cherryPick(tree: OpenTree): void {
  const { model, state, selected } = tree;
  const ids = state.picked.size > 0 ? entriesOfRows(model, state.picked) : entriesOfRow(model, selected);
  tree.work.openScreen({ screen: "cherry-pick", ids });
}

function compare(tree: OpenTree): void {
  const { model, state, selected } = tree;
  const [first, second] = [...state.picked].sort((a, b) => a - b);
  const { leaf } = model.source;
  const a = first !== undefined && second !== undefined ? endFor(model, first) : leaf;
  const b = endFor(model, second ?? first ?? selected);
  tree.work.openScreen({ screen: "compare", a: tree.idOf(a), b: tree.idOf(b) });
}

/** Text, id, link, command: whatever leads back to this entry. */
async function copy(tree: OpenTree): Promise<void> {
  const { desk, world } = tree.app;
  const { source } = tree.model;
  const n = tree.selected;
  const id = tree.idOf(n);
  const file = world.agent.session.getSessionFile();
  const link = file === undefined ? undefined : `${pathToFileURL(file).href}#e=${id}`;
  // It may be pasted into another terminal.
  const text = withoutControls(entryText(source.entryAt(n))).trim();
  const choices = [
    ...(text === "" ? [] : [{ keys: ["t", "enter"], answer: { what: "Its text", text }, label: "text" }]),
    { keys: ["i"], answer: { what: "Its id", text: id }, label: "id", detail: id },
    ...(link === undefined
      ? []
      : [{ keys: ["l"], answer: { what: "A link", text: link }, label: "link", detail: link }]),
    {
      keys: ["c"],
      answer: { what: "The command", text: `/switch ${id}` },
      label: "command",
      detail: `/switch ${id}`,
    },
  ];
  const answer = await askChoice(desk, {
    name: "copy",
    lines: [[span(" Copy", "strong")]],
    choices,
    cancel: undefined,
  });
  if (answer === undefined) return;
  desk.copy(answer.text);
  tree.say(`${answer.what} is copied.`);
}

function reload(tree: OpenTree): void {
  const count = tree.newElsewhere;
  tree.app.world.agent.session.refresh();
  tree.newElsewhere = 0;
  tree.say(`${count === 1 ? "1 entry" : `${count} entries`} of another process taken in.`);
}
