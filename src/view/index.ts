/** Rows and blocks to be drawn, without colours and without a DOM; the only tree renderer. Pure. */
export type { EntryId, ImageBlock, MoveCause, SessionEntry } from "../entry/index.js";
export type { BranchIndex, LeftBehind, TreeSource } from "../tree/index.js";
export {
  type BranchFilter,
  BranchList,
  type BranchListOptions,
  type BranchListWish,
  type BranchRow,
  type BranchSort,
} from "./branches/branch-list.js";
export { type BranchListState, layoutBranches, nextBranchFilter, nextBranchSort } from "./branches/layout-branches.js";
export { type CompareSideName, type CompareState, wordsPair } from "./compare/compare-body.js";
export type { CompareEnd } from "./compare/compare-model.js";
export {
  type ComparedBranch,
  type ComparedSide,
  type CompareInput,
  type CompareModel,
  type CompareRow,
  type CompareSide,
  type CompareTurn,
  type Comparison,
  compareModel,
  compareText,
} from "./compare/compare-model.js";
export { layoutCompare } from "./compare/layout-compare.js";
export { wordDifference } from "./compare/word-difference.js";
export {
  type ContextItem,
  type ContextKind,
  type ContextMarks,
  type ContextRow,
  type ContextSort,
  contextItem,
  contextRows,
  nextContextSort,
} from "./context/context-rows.js";
export {
  type ContextListState,
  layoutContext,
} from "./context/layout-context.js";
export { cutLine, fitLine, lineWidth, padLine, rule, selectLine } from "./fit-line.js";
export { flowPieces, flowText } from "./flow-pieces.js";
export { ASCII_GLYPHS, type Glyphs, UNICODE_GLYPHS } from "./glyphs.js";
export { type Hint, type HintOf, hintLine } from "./hints.js";
export { type Line, lineText, type Span, span, type Tone } from "./line.js";
export { type Cell, type FramedList, frameList, tableRow } from "./list-frame.js";
export { type DrawnList, type LayoutOptions, scrolledTop } from "./list-layout.js";
export type { PlanBase } from "./merge/layout-plan.js";
export { layoutPlan, type PlanBranch, type PlanModel, type PlanState } from "./merge/layout-plan.js";
export { conflictText, type PlanSurroundings, type PlanTurn, planTurns } from "./merge/plan-turns.js";
export { layoutMove, type MovePhase, type MoveQuestionFacts } from "./move/layout-move.js";
export { type OutlineBlockOptions, outlineBlock } from "./outline/outline-block.js";
export { outlineSessions } from "./outline/outline-sessions.js";
export { type PermissionFacts, permissionLines, permissionTitle } from "./permission/permission-lines.js";
export {
  layoutSessions,
  type SessionListState,
} from "./sessions/layout-sessions.js";
export {
  listedSessions,
  nextSessionSort,
  type SessionFacts,
  type SessionRow,
  type SessionSort,
  type SessionSurroundings,
  sessionRow,
} from "./sessions/session-rows.js";
export { layoutStats, type StatsFacts, type StatsState, type StatsTotals } from "./stats/layout-stats.js";
export { cutToWidth, displayWidth, padToWidth } from "./text/display-width.js";
export { graphemesOf } from "./text/graphemes.js";
export { wrapWords } from "./text/wrap-words.js";
export type * from "./transcript/block.js";
export type { CopiesRun } from "./transcript/copies-run.js";
export { copiesRun } from "./transcript/copies-run.js";
export { type BlockFinder, entryBlocks } from "./transcript/entry-blocks.js";
export { finderAt, pathBlocks } from "./transcript/path-blocks.js";
export type { Fields } from "./transcript/read-content.js";
export { toolTitle } from "./transcript/tool-title.js";
export { type MarkdownOptions, transcriptMarkdown } from "./transcript/transcript-markdown.js";
export {
  continueTarget,
  type EnterAction,
  editTarget,
  enterAction,
  MOVING_IS_OFF,
  NOT_A_PROMPT,
  OPEN_ELSEWHERE,
  type Target,
} from "./tree/enter-action.js";
export { layoutTree, type TreeLayout, type TreeLayoutOptions, type TypedText } from "./tree/layout-tree.js";
export { type OutlineAnswer, parseOutlineAnswer } from "./tree/outline-answer.js";
export { type OutlineOptions, outlineTree, type TreeOutline } from "./tree/outline-tree.js";
export {
  type BranchEnd,
  branchEnd,
  branchLabel,
  branchName,
  branchPrompt,
  endOfPath,
} from "./tree/rows/branch-name.js";
export { describeRow, type RowLabel, type RowParts, type RowSign } from "./tree/rows/describe-row.js";
export type { EntryFacts, EntrySort, EntryTrouble } from "./tree/rows/entry-facts.js";
export type { TreeRow, TreeRowKind, TreeRows } from "./tree/rows/tree-row.js";
export { beginsTurn } from "./tree/rows/turn-start.js";
export { isSearched, type SearchWish } from "./tree/search-text.js";
export { selectedPlace, selectedRow } from "./tree/selection.js";
export {
  foldOrStepOut,
  nextMatch,
  openBranch,
  openOrStepIn,
  openRow,
  previousMatch,
  selectEntry,
  togglePick,
} from "./tree/tree-folds.js";
export type { TreeHint, TreeHintOf } from "./tree/tree-hints.js";
export { TreeModel } from "./tree/tree-model.js";
export {
  firstRow,
  jumpToLeaf,
  lastRow,
  nextBranch,
  nextFork,
  nextPage,
  nextRow,
  previousBranch,
  previousFork,
  previousPage,
  previousRow,
} from "./tree/tree-moves.js";
export type { TokensOf, TreeReader } from "./tree/tree-reader.js";
export { TreeSearch, type TreeSearchOptions } from "./tree/tree-search.js";
export type { TreeSituation } from "./tree/tree-situation.js";
export {
  initialTree,
  nextFilter,
  nextNarrowing,
  nextPreview,
  type PreviewPlace,
  previewPlace,
  type RowPlace,
  type Stretch,
  TREE_FILTERS,
  TREE_NARROWINGS,
  type TreeFilter,
  type TreeNarrowing,
  type TreePreview,
  type TreeState,
  toggleFilter,
  toggleLabelTimes,
  withFilter,
  withSearch,
} from "./tree/tree-state.js";
