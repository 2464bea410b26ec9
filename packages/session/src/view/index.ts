/**
 * Rows and blocks to draw, without colors and without a DOM; the only tree renderer. The door of `bough/view`. Pure.
 */

export type { EntryId, ImageBlock, MoveCause, SessionEntry } from "../entry/index.js";
export type { BranchIndex, TreeSource } from "../tree/index.js";
export type { EntryOrigin, OriginsOf } from "./branches/branch-origins.js";
export { ASCII_GLYPHS, type Glyphs, SIGNS, UNICODE_GLYPHS } from "./glyphs.js";
export { type Line, lineText, type Span, span, type Tone } from "./line.js";
export { type PlainTree, type PlainTreeOptions, plainTree } from "./plain/plain-tree.js";
export type {
  AnswerBlock,
  BlockBase,
  ChangeBlock,
  CustomBlock,
  FailureBlock,
  LabelBlock,
  NoteBlock,
  PromptBlock,
  ShellBlock,
  ThinkingBlock,
  ToolBlock,
  TranscriptBlock,
  UnreadableBlock,
} from "./transcript/block.js";
export type { CopiesRun } from "./transcript/copies-run.js";
export { type BlockFinder, entryBlocks } from "./transcript/entry-blocks.js";
export { pathBlocks } from "./transcript/path-blocks.js";
export { type MarkdownOptions, transcriptMarkdown } from "./transcript/transcript-markdown.js";
export { layoutTree, type TreeLayout, type TreeLayoutOptions, type TypedText } from "./tree/layout-tree.js";
export type { BranchEnd } from "./tree/rows/branch-name.js";
export { describeRow, type RowLabel, type RowParts, type RowSign } from "./tree/rows/describe-row.js";
export type { EntryFacts, EntrySort, EntryTrouble } from "./tree/rows/entry-facts.js";
export type { StepFiles } from "./tree/rows/step-files.js";
export type { TreeRow, TreeRowKind, TreeRows } from "./tree/rows/tree-row.js";
export type { SearchRequest } from "./tree/search-text.js";
export { selectedRow } from "./tree/selection.js";
export { TREE_FILTERS, type TreeFilter } from "./tree/tree-filter.js";
export { foldOrStepOut, nextMatch, openOrStepIn, openRow, previousMatch, selectEntry } from "./tree/tree-folds.js";
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
  PREVIEW_PLACES,
  type PreviewPlace,
  type RowPlace,
  type Stretch,
  TREE_NARROWINGS,
  type TreeNarrowing,
  type TreePreview,
  type TreeState,
  withFilter,
  withSearch,
} from "./tree/tree-state.js";
