/** Putting together what commands run in. */
import type { Command, CommandContext, FrontEnd } from "./command.js";
import { commandSettings } from "./command-settings.js";
import { commandsOfServers } from "./mcp/prompt-commands.js";

interface CommandContextOptions extends Omit<CommandContext, "settings" | "extra"> {
  readonly front: FrontEnd;
  /** Commands of extensions; see `commandsOfExtensions`. Asked each time: they may change. */
  readonly extra?: () => readonly Command[];
}

/** What commands run in. One for each front end, for as long as its agent lives. */
export function createCommandContext(options: CommandContextOptions): CommandContext {
  const { extra = () => [], ...rest } = options;
  const { agent, home } = rest;
  return {
    ...rest,
    get extra() {
      return [...extra(), ...commandsOfServers(agent)];
    },
    settings: commandSettings({ settings: agent.settings, home }),
  };
}
