/** Operations of the tree's keys: move, fork, copy, compare. Whether they are possible was checked before. */
import { pathToFileURL } from "node:url";
import { entryText } from "@bough/session/entry/index.js";
import { withoutControls } from "@bough/session/text/index.js";
import { jumpToLeaf, openRow, span } from "@bough/session/view/index.js";
import { type EnterAction, enterAction } from "@bough/session/view/internal.js";
import { forkFrom, moveTo, type undoLastStep } from "../../command/index.js";
import { askChoice } from "../questions/ask-choice.js";
import type { OpenedTree } from "./opened-tree.js";
import { endFor, entriesOfRow, entriesOfRows } from "./row-targets.js";

export function enter(tree: OpenedTree): void {
  const action = enterAction(tree.model, tree.state, tree.situation);
  if (action.kind === "open") tree.show(openRow(tree.model, tree.state));
  else if (action.kind === "fork") tree.work.perform(() => forkFrom(tree.app.context, action.id));
  else moveToRow(tree, action);
}

/** Just before a prompt, whose text returns to the editor; or to exactly this entry, whatever it is. */
export function moveToRow(tree: OpenedTree, action: EnterAction | undefined, summary: "ask" | "summary" = "ask"): void {
  if (action?.kind !== "edit" && action?.kind !== "go") return;
  const place = action.kind === "edit" ? "selected" : "exact";
  tree.work.perform(() => moveTo(tree.app.context, { targetId: action.id, place, summary }));
}

/** Undo keeps the tree open, so that the user sees each position. */
export function moveBack(tree: OpenedTree, step: typeof undoLastStep): void {
  tree.work.perform(async () => {
    const outcome = await step(tree.app.context);
    if (outcome.kind === "done") tree.state = jumpToLeaf(tree.model, tree.state);
    return outcome;
  }, "stay");
}

export function cherryPick(tree: OpenedTree): void {
  const { model, state, selected } = tree;
  const ids = state.picked.size > 0 ? entriesOfRows(model, state.picked) : entriesOfRow(model, selected);
  tree.work.openScreen({ screen: "cherry-pick", ids });
}

export function compare(tree: OpenedTree): void {
  const { model, state, selected } = tree;
  const [first, second] = [...state.picked].sort((a, b) => a - b);
  const { leaf } = model.source;
  const a = first !== undefined && second !== undefined ? endFor(model, first) : leaf;
  const b = endFor(model, second ?? first ?? selected);
  tree.work.openScreen({ screen: "compare", a: tree.idOf(a), b: tree.idOf(b) });
}

/** The picked row determines the branch, otherwise the selected one. */
export function mergedRow({ state, selected }: OpenedTree): number {
  const [picked] = state.picked;
  return picked ?? selected;
}

/** Text, id, link or command: anything that leads back to this entry. */
export async function copy(tree: OpenedTree): Promise<void> {
  const { host, context } = tree.app;
  const { source } = tree.model;
  const n = tree.selected;
  const id = tree.idOf(n);
  const file = context.agent.session.getSessionFile();
  const link = file === undefined ? undefined : `${pathToFileURL(file).href}#e=${id}`;
  // It may be pasted into another terminal.
  const text = withoutControls(entryText(source.entryAt(n))).trim();
  const choices = [
    ...(text === "" ? [] : [{ keys: ["t", "enter"], answer: { what: "the text", text }, label: "text" }]),
    { keys: ["i"], answer: { what: "the ID", text: id }, label: "id", detail: id },
    ...(link === undefined
      ? []
      : [{ keys: ["l"], answer: { what: "the link", text: link }, label: "link", detail: link }]),
    {
      keys: ["c"],
      answer: { what: "the command", text: `/switch ${id}` },
      label: "command",
      detail: `/switch ${id}`,
    },
  ];
  const answer = await askChoice(host, {
    name: "copy",
    lines: [[span(" Copy", "strong")]],
    choices,
    cancel: undefined,
  });
  if (answer === undefined) return;
  host.copy(answer.text);
  tree.say(`Copied ${answer.what}.`);
}

export function reload(tree: OpenedTree): void {
  const count = tree.newElsewhere;
  tree.app.context.agent.session.refresh();
  tree.newElsewhere = 0;
  tree.say(`${count === 1 ? "1 entry" : `${count} entries`} from another process loaded.`);
}
