/** Commands as a list for people, by group. */
import { asNotice } from "@bough/session/text/index.js";
import type { Command, CommandContext, CommandGroup } from "./command.js";

/** Titles of the groups, in the order they are shown. */
const COMMAND_GROUPS: Readonly<Record<CommandGroup, string>> = {
  tree: "Branches and the tree",
  files: "Files",
  context: "What the model sees",
  session: "Sessions",
  model: "Models",
  program: "The program",
};

/** "/switch <id>" */
export function commandUsage({ name, usage }: Pick<Command, "name" | "usage">): string {
  return usage === "" ? `/${name}` : `/${name} ${usage}`;
}

export function commandsByGroup(
  commands: readonly Command[],
): { readonly title: string; readonly commands: readonly Command[] }[] {
  const groups = Object.entries(COMMAND_GROUPS) as [CommandGroup, string][];
  return groups
    .map(([group, title]) => ({ title, commands: commands.filter((command) => command.group === group) }))
    .filter((group) => group.commands.length > 0);
}

export interface ListedCommand extends Pick<Command, "name" | "group" | "usage" | "summary" | "details"> {
  readonly aliases: readonly string[];
  readonly available: boolean;
  /** Why it cannot be used now. */
  readonly reason?: string;
  /** What to do about that. */
  readonly hint?: string | undefined;
}

/** A command as data, with whether it can be used now. */
export function listedCommand(context: CommandContext, command: Command): ListedCommand {
  const { name, aliases = [], group, usage, summary, details } = command;
  const reason = command.unavailable?.(context);
  const listed = { name, aliases, group, usage, summary, details };
  if (reason === undefined) return { ...listed, available: true };
  const { message, hint } = asNotice(reason);
  return { ...listed, available: false, reason: message, ...(hint === undefined ? {} : { hint }) };
}
