/** Turns a path into what the model sees: compaction, summaries, edits, repairs, and the three roles. Pure. */
export {
  type AgentMessage,
  type AssistantBlock,
  type CompactionEntry,
  type FileEntry,
  type ImageBlock,
  Kind,
  Role,
  type SessionEntry,
  type TextBlock,
} from "../entry/index.js";
export type { TreeIndex } from "../tree/index.js";
export { buildContext, buildState } from "./build-context.js";
export { buildSessionContext, getLatestCompactionEntry } from "./build-session-context.js";
export type { ChosenModel } from "./chosen-model.js";
export { entryMessage } from "./entry-message.js";
export { GrowingContext } from "./growing-context.js";
export { BRANCH_SUMMARY_PREAMBLE, COMPACTION_SUMMARY_PREAMBLE } from "./message-text.js";
export { toModelInput } from "./model-input.js";
export type {
  AssistantInput,
  ModelInputMessage,
  ModelInputTarget,
  ProviderBlock,
  ToolResultInput,
  UserInput,
} from "./model-input-message.js";
export { type PathMarks, readPathMarks } from "./path-marks.js";
export { type PathSource, treePathSource } from "./path-source.js";
export { assertPromptPrefix, type PromptPrefix, promptPrefix } from "./prompt-prefix.js";
export { INTERRUPTED_RESULT, LEFT_OUT_RESULT, repairPairs } from "./repair-pairs.js";
export type { ModelChoice, SessionContext, SessionState } from "./session-context.js";
export { visiblePath } from "./visible-path.js";
