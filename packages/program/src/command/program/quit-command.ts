/** /quit: the end. */
import { readArguments } from "../arguments.js";
import type { Command } from "../command.js";

export const QUIT_COMMAND: Command = {
  name: "quit",
  aliases: ["exit"],
  group: "program",
  usage: "",
  summary: "Leave Bough",
  details: "Stops what is running. The session is saved and opens at the same position next time.",
  async run(_context, args) {
    readArguments(args, { most: 0 });
    return { kind: "quit" };
  },
};
