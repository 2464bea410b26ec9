/** Slash commands as data, the same for every front end; and the moves they share. */
export { type BranchFacts, currentBranch, currentEntry, newestBranches } from "./branch-facts.js";
export * from "./command.js";
export { COMMAND_ERROR_CODES, CommandError, type CommandErrorCode } from "./command-error.js";
export { COMMAND_GROUPS, commandsByGroup, commandUsage, type ListedCommand, listedCommand } from "./command-list.js";
export { type CommandSettings, type CommandSettingsOptions, commandSettings } from "./command-settings.js";
export { allCommands, COMMANDS, commandNames, findCommand } from "./commands.js";
export { completeCommandLine, type LineCompletions } from "./complete-command-line.js";
export { type CommandWorldOptions, createCommandWorld } from "./create-world.js";
export { commandsOfExtensions, type RunExtensionCommand } from "./extension-commands.js";
export { cherryPickHere, type MergeHereRequest, mergeHere } from "./flow/bring-here.js";
export { compactPath, undoLastCompaction } from "./flow/compact-path.js";
export { cloneSession, forkFrom, startNewSession } from "./flow/fork-session.js";
export { type GoToRequest, goTo } from "./flow/go-to.js";
export { type HandoffRequest, handOff, handoffFacts, planHandoff, writeHandoff } from "./flow/hand-off.js";
export { type ImportedForeign, importAndOpen, importForeign, openImported } from "./flow/import-foreign.js";
export { type LabelRequest, labelEntry, labelHolder, labelsOf } from "./flow/label-entry.js";
export { type Leaving, leavingOf } from "./flow/leaving.js";
export { openFile, otherProgramsSession } from "./flow/open-file.js";
export { type MovePlace, type PlannedMove, planMove } from "./flow/plan-move.js";
export { type PopRequest, popBack } from "./flow/pop-back.js";
export { type SwitchBranchRequest, switchBranch } from "./flow/switch-branch.js";
export { redoLastMove, undoLastMove } from "./flow/undo-move.js";
export type { ForeignSearch } from "./foreign/find-here.js";
export {
  foreignFacts,
  foreignListed,
  foreignReference,
  foreignTitle,
  foundForeignSentence,
} from "./foreign/foreign-words.js";
export type { CountedImport, ImportRequest } from "./foreign/import-and-count.js";
export { importAside } from "./foreign/import-aside.js";
export { type ForeignMatch, matchForeign } from "./foreign/match-foreign.js";
export { listForeign, streamForeign } from "./foreign/stream-foreign.js";
export {
  endsOnSentence,
  groupedLosses,
  handedOffSentence,
  handoffPlanLines,
  type LastPrompt,
  type LossGroup,
  lastPromptOf,
  resumeLine,
} from "./handoff-sentences.js";
export { type ImportCounts, importCounts } from "./import-counts.js";
export {
  damagedRecords,
  damageSentence,
  type ImportSentenceOptions,
  importRemarks,
  importSentence,
  shortDay,
} from "./import-sentences.js";
export { failureSentence, showOutcome } from "./outcome.js";
export { grantedSentence, grantsEndedSentence } from "./permission-sentences.js";
export { type BranchMatch, matchBranch, resolveReference } from "./reference.js";
export { type ReadCommandLine, readCommandLine, runCommandLine } from "./run-command-line.js";
export * from "./sentences.js";
export { type WhereYouWere, whereYouWere } from "./where-you-were.js";
export { branchOf, branchTitle, entryTitle, previousBranch } from "./world-facts.js";
