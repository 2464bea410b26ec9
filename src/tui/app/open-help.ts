/** `/help`: commands with their reasons, then keys; with words, what matches them. */
import { allCommands, commandsByGroup, listedCommand } from "../../command/index.js";
import { showHelp } from "../help/show-help.js";
import type { Screen } from "./screen.js";

export const openHelp: Screen<"help"> = async (app, { topic }) => {
  const { desk, world } = app;
  const groups = commandsByGroup(allCommands(world.extra));
  await showHelp(desk, {
    commands: groups.map(({ title, commands }) => ({
      title,
      commands: commands.map((command) => listedCommand(world, command)),
    })),
    offReason: (id) => app.offReason?.(id),
    search: topic,
  });
};
