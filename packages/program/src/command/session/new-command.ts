/** /new: an empty session. */
import { readArguments } from "../arguments.js";
import { working } from "../availability.js";
import type { Command } from "../command.js";
import { startNewSession } from "../fork/fork-session.js";

export const NEW_COMMAND: Command = {
  name: "new",
  aliases: ["clear"],
  group: "session",
  usage: "",
  summary: "Start a new session",
  details: "The previous session is saved; /resume lists it.",
  unavailable: working,
  async run(context, args) {
    readArguments(args, { most: 0 });
    return startNewSession(context);
  },
};
