/** Completes a line that starts with a slash. */
import { lastWordStart } from "./arguments.js";
import type { CommandContext, Completion } from "./command.js";
import { allCommands, findCommand } from "./commands.js";

interface LineCompletions {
  /** Where the completion starts; everything after it is replaced. */
  readonly from: number;
  readonly items: readonly Completion[];
}

/** For the line up to the cursor. Undefined if it is not a command, or nothing fits. Never fails. */
export async function completeCommandLine(
  context: CommandContext,
  line: string,
  extra = context.extra,
): Promise<LineCompletions | undefined> {
  const name = /^\/([^\s/.]*)$/u.exec(line)?.[1];
  if (name !== undefined) return found(1, namesFor(context, name, extra));
  const match = /^\/([^\s/.]+)(\s+)([\s\S]*)$/u.exec(line);
  const command = match === null ? undefined : findCommand(match[1] as string, extra);
  if (match === null || command?.complete === undefined) return undefined;
  const typed = match[3] as string;
  const start = line.length - typed.length;
  return found(start + lastWordStart(typed), await command.complete(context, typed));
}

function namesFor(context: CommandContext, typed: string, extra: CommandContext["extra"]): Completion[] {
  const wanted = typed.toLowerCase();
  const named = [
    ...allCommands(extra),
    ...context.agent.templates.map(({ name, description }) => ({ name, aliases: [], summary: description ?? "" })),
  ];
  const begins = named.filter(({ name, aliases = [] }) => [name, ...aliases].some((one) => one.startsWith(wanted)));
  const holds = named.filter((command) => !begins.includes(command) && command.name.includes(wanted));
  return [...begins, ...holds].map(({ name, summary }) => ({ value: name, label: `/${name}`, description: summary }));
}

function found(from: number, items: readonly Completion[]): LineCompletions | undefined {
  return items.length === 0 ? undefined : { from, items };
}
