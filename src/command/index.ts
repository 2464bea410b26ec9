/** Slash commands as data, the same for every front end; and the moves they share. */
export { type BranchFacts, currentBranch, currentEntry, newestBranches } from "./branch-facts.js";
export * from "./command.js";
export { COMMAND_ERROR_CODES, CommandError, type CommandErrorCode } from "./command-error.js";
export { COMMAND_GROUPS, commandsByGroup, commandUsage, type ListedCommand, listedCommand } from "./command-list.js";
export { type CommandSettings, type CommandSettingsOptions, commandSettings } from "./command-settings.js";
export { allCommands, COMMANDS, commandNames, findCommand } from "./commands.js";
export { compactPath, undoLastCompaction } from "./compact/compact-path.js";
export { completeCommandLine, type LineCompletions } from "./complete-command-line.js";
export { type CommandWorldOptions, createCommandWorld } from "./create-world.js";
export { commandsOfExtensions, type RunExtensionCommand } from "./extension-commands.js";
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
export { cloneSession, forkFrom, startNewSession } from "./fork/fork-session.js";
export { type HandoffRequest, handOff, handoffFacts, planHandoff, writeHandoff } from "./handoff/hand-off.js";
export {
  endsOnSentence,
  groupedLosses,
  handedOffSentence,
  handoffPlanLines,
  type LastPrompt,
  type LossGroup,
  lastPromptOf,
  resumeLine,
} from "./handoff/handoff-sentences.js";
export { type ImportCounts, importCounts } from "./import/import-counts.js";
export { type ImportedForeign, importAndOpen, importForeign, openImported } from "./import/import-foreign.js";
export {
  damagedRecords,
  damageSentence,
  type ImportSentenceOptions,
  importRemarks,
  importSentence,
  shortDay,
} from "./import/import-sentences.js";
export { cherryPickHere, type MergeHereRequest, mergeHere } from "./merge/merge-here.js";
export { type GoToRequest, goTo } from "./move/go-to.js";
export { type SwitchBranchRequest, switchBranch } from "./move/switch-branch.js";
export { redoLastMove, undoLastMove } from "./move/undo-move.js";
export { failureSentence, showOutcome } from "./outcome.js";
export { type PopRequest, popBack } from "./pop/pop-back.js";
export { grantedSentence, grantsEndedSentence } from "./program/permission-sentences.js";
export { type BranchMatch, matchBranch, resolveReference } from "./reference.js";
export { type ReadCommandLine, readCommandLine, runCommandLine } from "./run-command-line.js";
export * from "./sentences.js";
export { type LabelRequest, labelEntry, labelHolder, labelsOf } from "./session/label-entry.js";
export { openFile, otherProgramsSession } from "./session/open-file.js";
export { type WhereYouWere, whereYouWere } from "./where-you-were.js";
export { branchOf, branchTitle, entryTitle, previousBranch } from "./world-facts.js";
