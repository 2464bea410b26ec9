/** Commands offered to a client: those that make sense without our screens, and prompt templates. */
import type { AvailableCommand } from "@agentclientprotocol/sdk/unstable";
import { allCommands, type CommandContext } from "../../command/index.js";

/** The client opens, forks and closes sessions itself, and has its own help and settings. */
const OF_THE_CLIENT: Readonly<Record<string, string>> = {
  new: "Start a new session in your editor instead.",
  resume: "Open a session from your editor's list instead.",
  import: "Run bough import in a terminal; the session is in your editor's list then.",
  fork: "Fork the session in your editor instead, or use /branch-here.",
  branch: "Fork the session in your editor instead, or use /branch-here.",
  clone: "Run bough clone in a terminal; the copy is in your editor's list then.",
  quit: "Close the session in your editor instead.",
  hints: "Hints are shown in the terminal only.",
  copy: "Copy from your editor instead.",
};

/** Why a command does not run here, and what to do instead. */
export function refusedCommand(name: string): string | undefined {
  return Object.hasOwn(OF_THE_CLIENT, name) ? `/${name} is not available here. ${OF_THE_CLIENT[name]}` : undefined;
}

export function availableCommands(context: CommandContext): AvailableCommand[] {
  const commands = allCommands(context.extra)
    .filter(({ name }) => refusedCommand(name) === undefined)
    .map(({ name, summary, usage }) => command(name, summary, usage));
  const templates = context.agent.templates.map(({ name, description, argumentHint = "[text]" }) =>
    command(name, description, argumentHint),
  );
  return [...commands, ...templates];
}

function command(name: string, description: string, usage: string): AvailableCommand {
  return { name, description, ...(usage === "" ? {} : { input: { hint: usage } }) };
}
