/** Index over entries: parents, children, paths, ancestors, branches, segments, labels. Pure. */
export {
  type BadRecordReason,
  type EntryId,
  type FileDelta,
  type FileState,
  Kind,
  type Label,
  type MoveCause,
  Role,
  type SessionEntry,
  type SkippedFile,
} from "../entry/index.js";
export type { RecordScan } from "../entry/internal.js";
export { branchCause } from "./branch-cause.js";
export { BranchIndex, branchIndexOf } from "./branch-index.js";
export {
  branchCount,
  conversationParent,
  isConversation,
  tipsOf,
} from "./branches.js";
export type { EntryTimes } from "./entry-times.js";
export { type FileStep, type FileTarget, type FileWay, fileTargets } from "./file-walk.js";
export type { IdTable } from "./id-table.js";
export { Labels, type ResolvedLabel } from "./labels.js";
export { childrenOf, commonAncestor, depthOf, isOnPath, pathTo } from "./paths.js";
export {
  type LeavingMove,
  type LeftBehind,
  leftBehind,
  type MovePlace,
  type MoveRequest,
  type PlannedMove,
  planMove,
} from "./plan-move.js";
export type { Unconnected } from "./settle.js";
export type { SubtreeOrder } from "./subtree-order.js";
export { type LinesTree, treeFromLines, type UnreadLine } from "./tree-from-lines.js";
export { type NewEntry, TreeIndex } from "./tree-index.js";
export type { TreeSource } from "./tree-source.js";
export { type EntryKinds, isExtensionMessageAt, isPromptAt, startsTurnAt } from "./turn-start.js";
