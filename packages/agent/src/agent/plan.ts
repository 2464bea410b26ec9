/** What an operation would do, computed without doing it. The door of `bough/agent/plan`. */

export type {
  CompactionEntry,
  ContextReplacement,
  EntryId,
  MoveCause,
  SessionEntry,
} from "@bough/session/entry/index.js";
export type { SessionManager } from "@bough/session/session/index.js";
export type { CompactionPreparation, NavigateOptions, TreePreparation } from "../extension/index.js";
export type { CompactionSettings } from "../project/index.js";
export { type ContextEditPlan, type ContextEditRequest, planContextEdit } from "./compaction/edit-context.js";
export { type PinPlan, type PinRequest, planPin, planUnpin } from "./compaction/pins.js";
export { type CompactionPlan, planCompaction } from "./compaction/plan-compaction.js";
export { planUndoCompaction, type UndoCompactionPlan } from "./compaction/undo-compaction.js";
export { type CherryPickPlan, planCherryPick } from "./merge/cherry-pick.js";
export { type MergePlan, type MergeRequest, planMerge } from "./merge/merge-branch.js";
export { type BranchHereRequest, planBranchHere } from "./move/branch-here.js";
export { type ClonePlan, planClone } from "./move/clone.js";
export { type ForkPlan, planFork } from "./move/fork.js";
export type { Position } from "./move/move-history.js";
export { type NavigatePlan, type NavigateRequest, type PlannedSession, planNavigate } from "./move/navigate.js";
export { type PopRequest, planPop } from "./move/pop.js";
export { planSwitchTo, type SwitchRequest } from "./move/switch-to.js";
