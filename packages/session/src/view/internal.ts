/**
 * What this program's screens use of this room, but other programs do not: layouts of lists, comparisons, plans and
 * questions. Pure.
 */
export {
  type AttemptCells,
  attemptCells,
  attemptStep,
  keptSentences,
  type ShownAttempt,
} from "./attempts/attempt-cells.js";
export { type BranchFilter, BranchList, type BranchRow, type BranchSort } from "./branches/branch-list.js";
export { BRANCH_SORTS, layoutBranches } from "./branches/layout-branches.js";
export { type NamedBranch, namedBranch, namedBranchAt } from "./branches/named-branch.js";
export { wordsPair } from "./compare/compare-body.js";
export {
  type BranchComparison,
  type BranchSide,
  type CompareModel,
  type CompareTurn,
  comparedPaths,
  compareModel,
} from "./compare/compare-model.js";
export { layoutCompare } from "./compare/layout-compare.js";
export {
  type ContextItem,
  type ContextRow,
  type ContextSort,
  contextItem,
  contextRows,
} from "./context/context-rows.js";
export { layoutContext } from "./context/layout-context.js";
export { diffMargins, diffNumbers } from "./files/diff-numbers.js";
export { cutLine, fitLine, lineWidth, rule, selectLine } from "./fit-line.js";
export { type Hint, hintLine, keySentence, noMatchText } from "./hints.js";
export { linesAround } from "./lines-around.js";
export { type DrawnList, type LayoutOptions, scrolledTop } from "./list-layout.js";
export { layoutPlan, type PlanFiles, type PlanModel } from "./merge/layout-plan.js";
export { type PlanTurn, planTurns } from "./merge/plan-turns.js";
export { layoutMove, type MovePhase, type MoveQuestion, moveAnswers } from "./move/layout-move.js";
export { type BlockedFacts, blockedWords } from "./permission/blocked-words.js";
export { permissionLines, permissionTitle } from "./permission/permission-lines.js";
export { parsePlainAnswer } from "./plain/plain-answer.js";
export { plainBlock } from "./plain/plain-block.js";
export { plainSessions } from "./plain/plain-sessions.js";
export { layoutSessions } from "./sessions/layout-sessions.js";
export {
  listedSessions,
  SESSION_SORTS,
  type SessionRow,
  type SessionSort,
  sessionRow,
} from "./sessions/session-rows.js";
export { layoutStats, type SessionStats, type Totals } from "./stats/layout-stats.js";
export { type Column, type TableHead, tableScreen } from "./table-screen.js";
export { cutToWidth, displayWidth, padToWidth } from "./text/display-width.js";
export { graphemesOf } from "./text/graphemes.js";
export { wrapWords } from "./text/wrap-words.js";
export { todoLines } from "./todo/todo-lines.js";
export { copiesRun } from "./transcript/copies-run.js";
export { finderAt } from "./transcript/path-blocks.js";
export { toolTitle } from "./transcript/tool-title.js";
export { toolTrouble } from "./transcript/tool-trouble.js";
export { markdownPieces, turnsOf } from "./transcript/transcript-markdown.js";
export {
  continueTarget,
  type EnterAction,
  editTarget,
  enterAction,
  MOVING_IS_OFF,
  NOT_A_PROMPT,
  OPEN_ELSEWHERE,
} from "./tree/enter-action.js";
export { type RowFileEnds, rowFileEnds } from "./tree/row-files.js";
export { branchLabel, branchName, branchPrompt } from "./tree/rows/branch-name.js";
export { beginsTurn } from "./tree/rows/turn-start.js";
export { isSearched } from "./tree/search-text.js";
export { selectedPlace } from "./tree/selection.js";
export { openBranch, togglePick } from "./tree/tree-folds.js";
export { nextFilter, nextNarrowing, nextPreview, toggleFilter, toggleLabelTimes } from "./tree/tree-state.js";
