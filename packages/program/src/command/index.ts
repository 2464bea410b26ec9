/** Slash commands as data, the same for every front end; and the moves they share. */
export { currentBranch } from "./branch-facts.js";
export type {
  Command,
  CommandContext,
  CommandGroup,
  CommandOutcome,
  Completion,
  ConfirmRequest,
  DiffEnds,
  FilesAnswer,
  FilesQuestion,
  FrontEnd,
  LongWork,
  LongWorkOutcome,
  MoveAnswer,
  MoveQuestion,
  ScreenRequest,
} from "./command.js";
export { COMMAND_ERROR_CODES } from "./command-error.js";
export { commandsByGroup, type ListedCommand, listedCommand } from "./command-list.js";
export { allCommands, COMMANDS, commandNames } from "./commands.js";
export { compactPath, undoLastCompaction } from "./compact/compact-path.js";
export { recordedChanges } from "./compare/recorded-files.js";
export { completeCommandLine } from "./complete-command-line.js";
export { branchOf, branchTitle } from "./context-facts.js";
export { createCommandContext } from "./create-context.js";
export { commandsOfExtensions, type RunExtensionCommand } from "./extension-commands.js";
export { onMerge, onMove } from "./files/decide-files.js";
export { notShown } from "./files/diff-command.js";
export { stepDifferences } from "./files/step-differences.js";
export { forkFrom } from "./fork/fork-session.js";
export { type ImportedForeign, importAndOpen, importForeign, openImported } from "./import/import-foreign.js";
export { ownSession } from "./import/own-session.js";
export { cherryPickHere, mergeHere } from "./merge/merge-here.js";
export { moveTo } from "./move/move-to.js";
export { switchBranch } from "./move/switch-branch.js";
export { redoLastStep, undoLastStep } from "./move/undo-last-step.js";
export { failureNotice, showOutcome } from "./outcome.js";
export { jobEndedSentence } from "./program/job-ended.js";
export {
  grantedNotice,
  grantsEndedSentence,
  holdsMode,
  jobBlockedNotice,
  noSuchModeSentence,
  permissionModeSentence,
  ruleKeptNotice,
  sandboxHint,
  sandboxNotice,
} from "./program/permission-sentences.js";
export { readCommandLine, runCommandLine } from "./run-command-line.js";
export {
  automaticCompactionNotice,
  busySentence,
  extensionProblemSentence,
  SENTENCES,
  sharedNotice,
  workingNotice,
} from "./sentences.js";
export { labelEntry } from "./session/label-entry.js";
export { lastAnswer } from "./session/last-answer.js";
export { openFile, otherProgramsSession } from "./session/open-file.js";
export { whereYouWere } from "./where-you-were.js";
