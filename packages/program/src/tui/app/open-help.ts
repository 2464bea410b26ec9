/** `/help`: commands with their reasons, then keys; with the name of a command, all about that one. */
import { allCommands, commandsByGroup, listedCommand } from "../../command/index.js";
import { showCommandHelp, showHelp } from "../help/show-help.js";
import type { Screen } from "./screen.js";

export const openHelp: Screen<"help"> = async (app, { topic }) => {
  const { host, context } = app;
  const all = allCommands(context.extra);
  const about = all.find(({ name, aliases = [] }) => topic !== undefined && [name, ...aliases].includes(topic));
  if (about !== undefined) {
    await showCommandHelp(host, listedCommand(context, about));
    return;
  }
  await showHelp(host, {
    commands: commandsByGroup(all).map(({ title, commands }) => ({
      title,
      commands: commands.map((command) => listedCommand(context, command)),
    })),
    disabledReason: (id) => app.disabledReason?.(id),
  });
};
