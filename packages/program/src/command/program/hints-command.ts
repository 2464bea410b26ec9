/** /hints: shows the beginner hints again. */
import { readArguments } from "../arguments.js";
import type { Command } from "../command.js";
import { SENTENCES } from "../sentences.js";

export const HINTS_COMMAND: Command = {
  name: "hints",
  group: "program",
  usage: "",
  summary: "Show the beginner hints again",
  details: "Each hint is shown once; this resets them.",
  unavailable: ({ front }) => (front.hints === undefined ? SENTENCES.noHints : undefined),
  async run({ front }, args) {
    readArguments(args, { most: 0 });
    front.hints?.showAgain();
    return { kind: "done", message: SENTENCES.hintsAgain };
  },
};
