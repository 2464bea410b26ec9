/** Builds the context that commands run in. */
import type { Settings } from "@bough/agent/project/index.js";
import type { Command, CommandContext, FrontEnd } from "./command.js";
import { commandSettings } from "./command-settings.js";
import { commandsOfServers } from "./mcp/prompt-commands.js";

interface CommandContextOptions extends Omit<CommandContext, "settings" | "extra"> {
  readonly front: FrontEnd;
  /** Commands of extensions; see `commandsOfExtensions`. Called each time, because they may change. */
  readonly extra?: () => readonly Command[];
}

/** The context that commands run in. One per front end, for the lifetime of its agent. */
export function createCommandContext(options: CommandContextOptions): CommandContext {
  const { extra = () => [], ...rest } = options;
  const { agent, home, sync } = rest;
  const onChange = (name: string, value: unknown): void => {
    if (name === "sync") void sync?.configure({ mode: value as Settings["sync"] });
    else if (name === "store") void sync?.configure({ store: value as Settings["store"] });
  };
  return {
    ...rest,
    get extra() {
      return [...extra(), ...commandsOfServers(agent)];
    },
    settings: commandSettings({ settings: agent.settings, home, onChange }),
  };
}
