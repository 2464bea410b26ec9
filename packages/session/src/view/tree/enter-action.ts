/** What Enter, `e` and `c` will do on a row. Only describes it; the code that moves the leaf calls this first. */
import { Kind, Role, resultIn } from "../../entry/index.js";
import { isPromptAt, type LeftBehind, leftBehind, type MovePlace, planMove, startsTurnAt } from "../../tree/index.js";
import { callsIn } from "../transcript/read-content.js";
import type { TreeRow } from "./rows/tree-row.js";
import { beginsTurn } from "./rows/turn-start.js";
import { selectedRow } from "./selection.js";
import type { TreeModel } from "./tree-model.js";
import type { TreeReader } from "./tree-reader.js";
import type { TreeSituation } from "./tree-situation.js";
import type { TreeState } from "./tree-state.js";

export interface Target {
  /** The entry to pass to the move: its number and ID. */
  readonly n: number;
  readonly id: string;
  /** The leaf after the move; -1 is before the first entry. */
  readonly newLeaf: number;
  /** What the move takes out of the context. */
  readonly leaves: LeftBehind;
}

export type EnterAction =
  /** Moves the leaf before a prompt, whose text returns to the editor. */
  | ({ readonly kind: "edit" } & Target)
  /**
   * Moves the leaf to an entry. `openCalls`: calls had no result there yet, and the model is told that they were
   * interrupted.
   */
  | ({ readonly kind: "go"; readonly openCalls: boolean } & Target)
  /** Starts a new session before this prompt. */
  | { readonly kind: "fork"; readonly n: number; readonly id: string }
  /** Opens the row, because something in it is folded. */
  | { readonly kind: "open" }
  /** The leaf is already there. */
  | { readonly kind: "here" }
  | { readonly kind: "off"; readonly reason: string };

export function enterAction(model: TreeModel, state: TreeState, situation: TreeSituation = {}): EnterAction {
  const row = selectedRow(model, state);
  if (row === undefined) return { kind: "off", reason: "Nothing to go to yet." };
  if (row.kind === "earlier" || row.kind === "later" || row.kind === "more") return { kind: "open" };
  const off = movingIsOff(situation);
  if (off !== undefined) return { kind: "off", reason: off };
  if (situation.purpose === "fork") return forkAction(model, row);
  const n = row.kind === "side" ? endOfSide(model, row) : row.n;
  if (row.kind === "here" || isHere(model, n)) return { kind: "here" };
  if (row.kind === "entry" && startsTurnAt(model.source.tree, n)) return editAction(model, n);
  return { kind: "go", openCalls: hasOpenCalls(model, n), ...targetAt(model, { n, place: "exact" }) };
}

/** Why a row cannot be forked from. */
export const NOT_A_PROMPT = "A fork starts from one of your prompts.";

function forkAction(model: TreeModel, { n }: TreeRow): EnterAction {
  if (n < 0 || !isPromptAt(model.source.tree, n)) return { kind: "off", reason: NOT_A_PROMPT };
  return { kind: "fork", n, id: idOf(model, n) };
}

/** Notes such as labels are below the current entry without being another position. */
function isHere({ source, branches }: TreeModel, n: number): boolean {
  return n === source.leaf || (n >= 0 && n === branches.conversationAt(source.leaf));
}

/** `e`: before the prompt of the selected row's turn, with its text in the editor. Undefined if there is no prompt. */
export function editTarget(model: TreeModel, state: TreeState): Extract<EnterAction, { kind: "edit" }> | undefined {
  const row = selectedRow(model, state);
  if (row === undefined) return undefined;
  const { tree } = model.source;
  let at = row.n;
  while (at >= 0 && !isPromptAt(tree, at)) at = tree.parentOf(at);
  return at < 0 ? undefined : editAction(model, at);
}

/** `c`: the end of the selected row's turn, or of its branch. Undefined if the row has no entry. */
export function continueTarget(model: TreeModel, state: TreeState): Target | undefined {
  const row = selectedRow(model, state);
  if (row === undefined || row.n < 0 || row.kind === "more") return undefined;
  const n = row.kind === "side" ? endOfSide(model, row) : endOfTurn(model, row.n);
  return targetAt(model, { n, place: "exact" });
}

/** The end of every reason against moving. */
export const MOVING_IS_OFF = "You can browse but not move.";

/** Why a session that was opened read-only cannot be changed. */
export const OPEN_ELSEWHERE = `Open in another process. ${MOVING_IS_OFF}`;

/** Why moving is disabled, or undefined if it is not. */
function movingIsOff({ busy, readOnly }: TreeSituation): string | undefined {
  if (busy !== undefined) return `${busy} ${MOVING_IS_OFF}`;
  if (readOnly === true) return OPEN_ELSEWHERE;
  return undefined;
}

function editAction(model: TreeModel, n: number): Extract<EnterAction, { kind: "edit" }> {
  return { kind: "edit", ...targetAt(model, { n, place: "selected" }) };
}

function targetAt(model: TreeModel, { n, place }: { readonly n: number; readonly place: MovePlace }): Target {
  const { source } = model;
  const { from, to } = planMove(source, { target: n, place });
  const leaves = leftBehind(source.tree, { from, to, tokensOf: (at) => model.tokens(at) });
  return { n, id: idOf(model, n), newLeaf: to, leaves };
}

/** Whether calls were waiting for results at this entry that came later in the same turn. */
function hasOpenCalls(model: TreeModel, n: number): boolean {
  const { source, branches } = model;
  const at = branches.conversationAt(n);
  if (at < 0 || source.tree.kindOf(at) !== Kind.message) return false;
  const below = childOnWay(model, at);
  const goesOn =
    below >= 0 && source.tree.kindOf(below) === Kind.message && source.tree.roleOf(below) === Role.toolResult;
  if (!goesOn) return false;
  const role = source.tree.roleOf(at);
  if (role === Role.assistant) return callsIn(source.entryAt(at)).length > 0;
  if (role !== Role.toolResult) return false;
  // A result below a result: its call is open here if both belong to the same answer.
  const answered = resultIn(source.entryAt(below))?.toolCallId;
  let call = at;
  while (call >= 0 && source.tree.roleOf(call) === Role.toolResult) call = branches.conversationParentOf(call);
  return call >= 0 && callsIn(source.entryAt(call)).some(({ id }) => id === answered);
}

/** The last entry before the next turn: on the trunk if the entry is on it, otherwise along its branch. */
export function endOfTurn(model: TreeModel, n: number): number {
  let at = model.branches.conversationAt(n);
  for (let below = childOnWay(model, at); below >= 0; ) {
    const next = childOnWay(model, below);
    if (beginsTurn(model, below, next)) break;
    [at, below] = [below, next];
  }
  return at < 0 ? n : at;
}

/** Whether an entry starts a turn, along the same path. */
export function isTurnStart(model: TreeModel, n: number): boolean {
  return beginsTurn(model, n, childOnWay(model, n));
}

/** The next conversation entry below: towards the leaf if that is below, otherwise along the branch. -1 at the end. */
function childOnWay({ branches, source }: TreeModel, at: number): number {
  const leaf = branches.conversationAt(source.leaf);
  if (leaf === at) return -1;
  const towards = branches.isFork(at) ? branches.childTowards(at, leaf) : -1;
  return towards < 0 ? branches.firstChildOf(at) : towards;
}

function endOfSide({ branches }: TreeModel, row: TreeRow): number {
  return branches.tipOf(branches.branchOf(row.n));
}

function idOf({ source }: TreeReader, n: number): string {
  return source.tree.ids.textOf(n);
}
