/** /clone: this path in a new file. */
import { readArguments } from "../arguments.js";
import { empty, unless, working } from "../availability.js";
import type { Command } from "../command.js";
import { cloneSession } from "./fork-session.js";

export const CLONE_COMMAND: Command = {
  name: "clone",
  group: "session",
  usage: "",
  summary: "Copy this path to a new session file",
  details: "Switches to the copy. Other branches are not copied; the original session is unchanged.",
  unavailable: unless(empty, working),
  async run(world, args) {
    readArguments(args, { most: 0 });
    return cloneSession(world);
  },
};
