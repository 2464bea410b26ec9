/** All subcommands, in the order of the help. */
import type { Subcommand } from "./subcommand.js";
import { ACCOUNT_COMMANDS } from "./table/account-commands.js";
import { AGENT_COMMANDS } from "./table/agent-commands.js";
import { CARE_COMMANDS } from "./table/care-commands.js";
import { CHANGE_COMMANDS } from "./table/change-commands.js";
import { EDITOR_COMMANDS } from "./table/editor-commands.js";
import { EXTENSION_COMMANDS } from "./table/extension-commands.js";
import { FILE_COMMANDS } from "./table/file-commands.js";
import { LOOK_COMMANDS } from "./table/look-commands.js";
import { MCP_COMMANDS } from "./table/mcp-commands.js";
import { STORE_COMMANDS } from "./table/store-commands.js";

export const SUBCOMMAND_GROUPS: readonly { readonly title: string; readonly commands: readonly Subcommand[] }[] = [
  { title: "Browse and search", commands: LOOK_COMMANDS },
  { title: "Files", commands: FILE_COMMANDS },
  { title: "Copy, label, archive", commands: CHANGE_COMMANDS },
  { title: "Other machines", commands: STORE_COMMANDS },
  { title: "Other agents", commands: AGENT_COMMANDS },
  { title: "Models and accounts", commands: ACCOUNT_COMMANDS },
  { title: "Extensions, servers and editors", commands: [...EXTENSION_COMMANDS, ...MCP_COMMANDS, ...EDITOR_COMMANDS] },
  { title: "Export, repair, diagnose", commands: CARE_COMMANDS },
];

export const SUBCOMMANDS: readonly Subcommand[] = SUBCOMMAND_GROUPS.flatMap(({ commands }) => commands);

export function findSubcommand(name: string | undefined): Subcommand | undefined {
  return SUBCOMMANDS.find((command) => command.name === name);
}
