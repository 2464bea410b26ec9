/** The table of commands: the terminal, RPC, help and the reference are made from it. */
import { AGENT_COMMAND } from "./agent/agent-command.js";

import { ATTEMPTS_COMMAND } from "./attempt/attempts-command.js";
import { TRY_COMMAND } from "./attempt/try-command.js";
import type { Command } from "./command.js";
import { COMPACT_COMMAND } from "./compact/compact-command.js";
import { CONTEXT_COMMAND } from "./compact/context-command.js";
import { PIN_COMMAND, UNPIN_COMMAND } from "./compact/pin-command.js";
import { COMPARE_COMMAND } from "./compare/compare-command.js";
import { EXPORT_BRANCH_COMMAND } from "./export/export-branch-command.js";
import { EXPORT_COMMAND } from "./export/export-command.js";
import { DIFF_COMMAND } from "./files/diff-command.js";
import { RESTORE_COMMAND } from "./files/restore-command.js";
import { BRANCH_COMMAND, CLONE_COMMAND, FORK_COMMAND } from "./fork/fork-command.js";
import { HANDOFF_COMMAND } from "./handoff/handoff-command.js";
import { IMPORT_COMMAND } from "./import/import-command.js";
import { MCP_COMMAND } from "./mcp/mcp-command.js";
import { CHERRY_PICK_COMMAND } from "./merge/cherry-pick-command.js";
import { MERGE_COMMAND } from "./merge/merge-command.js";
import { BRANCH_HERE_COMMAND } from "./move/branch-here-command.js";
import { BRANCHES_COMMAND } from "./move/branches-command.js";
import { SWITCH_COMMAND } from "./move/switch-command.js";
import { TREE_COMMAND } from "./move/tree-command.js";
import { REDO_COMMAND, UNDO_COMMAND } from "./move/undo-command.js";
import { POP_COMMAND } from "./pop/pop-command.js";
import { CHILDREN_COMMAND } from "./program/children-command.js";
import { helpCommand } from "./program/help-command.js";
import { HINTS_COMMAND } from "./program/hints-command.js";
import { INIT_COMMAND } from "./program/init-command.js";
import { JOBS_COMMAND } from "./program/jobs-command.js";
import { LOGIN_COMMAND, LOGOUT_COMMAND } from "./program/login-command.js";
import { MODEL_COMMAND } from "./program/model-command.js";
import { PERMISSIONS_COMMAND } from "./program/permissions-command.js";
import { QUIT_COMMAND } from "./program/quit-command.js";
import { SETTINGS_COMMAND } from "./program/settings-command.js";
import { THINKING_COMMAND } from "./program/thinking-command.js";
import { SEARCH_COMMAND } from "./search/search-command.js";
import { COPY_COMMAND } from "./session/copy-command.js";
import { LABEL_COMMAND } from "./session/label-command.js";
import { NEW_COMMAND } from "./session/new-command.js";
import { RENAME_COMMAND } from "./session/rename-command.js";
import { RESUME_COMMAND } from "./session/resume-command.js";
import { SESSION_COMMAND } from "./session/session-command.js";
import { SYNC_COMMAND } from "./sync/sync-command.js";
import { TRIED_COMMAND } from "./tried/tried-command.js";

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
  TRY_COMMAND,
  ATTEMPTS_COMMAND,
  DIFF_COMMAND,
  RESTORE_COMMAND,
  CONTEXT_COMMAND,
  COMPACT_COMMAND,
  PIN_COMMAND,
  UNPIN_COMMAND,
  NEW_COMMAND,
  RESUME_COMMAND,
  IMPORT_COMMAND,
  HANDOFF_COMMAND,
  CLONE_COMMAND,
  RENAME_COMMAND,
  SESSION_COMMAND,
  SEARCH_COMMAND,
  TRIED_COMMAND,
  EXPORT_COMMAND,
  EXPORT_BRANCH_COMMAND,
  SYNC_COMMAND,
  COPY_COMMAND,
  AGENT_COMMAND,
  MODEL_COMMAND,
  LOGIN_COMMAND,
  LOGOUT_COMMAND,
  THINKING_COMMAND,
  SETTINGS_COMMAND,
  INIT_COMMAND,
  CHILDREN_COMMAND,
  JOBS_COMMAND,
  PERMISSIONS_COMMAND,
  MCP_COMMAND,
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
