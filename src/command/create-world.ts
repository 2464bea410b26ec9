/** Putting together what commands run in. */
import type { Command, CommandFront, CommandWorld } from "./command.js";
import { commandSettings } from "./command-settings.js";

interface CommandWorldOptions extends Omit<CommandWorld, "settings" | "extra"> {
  readonly front: CommandFront;
  /** Commands of extensions; see `commandsOfExtensions`. */
  readonly extra?: readonly Command[];
}

/** What commands run in. One for each front end, for as long as its agent lives. */
export function createCommandWorld(options: CommandWorldOptions): CommandWorld {
  const { agent, home, extra = [] } = options;
  return { ...options, extra, settings: commandSettings({ settings: agent.settings, home }) };
}
