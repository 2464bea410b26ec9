/** The table of commands: the terminal, RPC, help and the reference are made from it. */
import type { Command } from "./command.js";
import { BRANCH_HERE_COMMAND } from "./table/branch-here-command.js";
import { BRANCHES_COMMAND } from "./table/branches-command.js";
import { CHERRY_PICK_COMMAND } from "./table/cherry-pick-command.js";
import { CLONE_COMMAND } from "./table/clone-command.js";
import { COMPACT_COMMAND } from "./table/compact-command.js";
import { COMPARE_COMMAND } from "./table/compare-command.js";
import { CONTEXT_COMMAND } from "./table/context-command.js";
import { COPY_COMMAND } from "./table/copy-command.js";
import { EXPORT_BRANCH_COMMAND } from "./table/export-branch-command.js";
import { EXPORT_COMMAND } from "./table/export-command.js";
import { BRANCH_COMMAND, FORK_COMMAND } from "./table/fork-command.js";
import { HANDOFF_COMMAND } from "./table/handoff-command.js";
import { helpCommand } from "./table/help-command.js";
import { HINTS_COMMAND } from "./table/hints-command.js";
import { IMPORT_COMMAND } from "./table/import-command.js";
import { LABEL_COMMAND } from "./table/label-command.js";
import { MERGE_COMMAND } from "./table/merge-command.js";
import { MODEL_COMMAND } from "./table/model-command.js";
import { NAME_COMMAND } from "./table/name-command.js";
import { NEW_COMMAND } from "./table/new-command.js";
import { PERMISSIONS_COMMAND } from "./table/permissions-command.js";
import { PIN_COMMAND, UNPIN_COMMAND } from "./table/pin-command.js";
import { POP_COMMAND } from "./table/pop-command.js";
import { QUIT_COMMAND } from "./table/quit-command.js";
import { RESUME_COMMAND } from "./table/resume-command.js";
import { SEARCH_COMMAND } from "./table/search-command.js";
import { SESSION_COMMAND } from "./table/session-command.js";
import { SETTINGS_COMMAND } from "./table/settings-command.js";
import { SWITCH_COMMAND } from "./table/switch-command.js";
import { THINKING_COMMAND } from "./table/thinking-command.js";
import { TREE_COMMAND } from "./table/tree-command.js";
import { REDO_COMMAND, UNDO_COMMAND } from "./table/undo-command.js";

export const COMMANDS: readonly Command[] = [
  TREE_COMMAND,
  BRANCHES_COMMAND,
  SWITCH_COMMAND,
  POP_COMMAND,
  UNDO_COMMAND,
  REDO_COMMAND,
  BRANCH_HERE_COMMAND,
  FORK_COMMAND,
  BRANCH_COMMAND,
  LABEL_COMMAND,
  CHERRY_PICK_COMMAND,
  MERGE_COMMAND,
  COMPARE_COMMAND,
  CONTEXT_COMMAND,
  COMPACT_COMMAND,
  PIN_COMMAND,
  UNPIN_COMMAND,
  NEW_COMMAND,
  RESUME_COMMAND,
  IMPORT_COMMAND,
  HANDOFF_COMMAND,
  CLONE_COMMAND,
  NAME_COMMAND,
  SESSION_COMMAND,
  SEARCH_COMMAND,
  EXPORT_COMMAND,
  EXPORT_BRANCH_COMMAND,
  COPY_COMMAND,
  MODEL_COMMAND,
  THINKING_COMMAND,
  SETTINGS_COMMAND,
  PERMISSIONS_COMMAND,
  HINTS_COMMAND,
  helpCommand(() => COMMANDS),
  QUIT_COMMAND,
];

const BUILT_IN: ReadonlyMap<string, Command> = new Map(
  COMMANDS.flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command])),
);

/** By name or alias. The built-in one wins over an extension's. */
export function findCommand(name: string, extra: readonly Command[] = []): Command | undefined {
  return BUILT_IN.get(name) ?? extra.find((command) => command.name === name);
}

/** The built-in ones and those of extensions that can be reached. */
export function allCommands(extra: readonly Command[] = []): readonly Command[] {
  return [...COMMANDS, ...extra.filter(({ name }) => !BUILT_IN.has(name))];
}

export function commandNames(extra: readonly Command[] = []): string[] {
  return allCommands(extra).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}
