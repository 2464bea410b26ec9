/** /undo and /redo: the last move back, and again. */
import { readArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import type { Command } from "../command.js";
import { redoLastMove, undoLastMove } from "./undo-move.js";

export const UNDO_COMMAND: Command = {
  name: "undo",
  group: "tree",
  usage: "",
  summary: "Undo the last move, or the last run's edits",
  details:
    "Changes your position, and asks whether files go along; no messages are removed. Right after a run that changed files, offers to undo the run. The move history is kept until you quit. Merged and cherry-picked entries stay; right after a merge, /undo says how to get back to before it. /compact undo undoes a compaction.",
  unavailable: cannotMove,
  async run(context, args) {
    readArguments(args, { most: 0 });
    return undoLastMove(context);
  },
};

export const REDO_COMMAND: Command = {
  name: "redo",
  group: "tree",
  usage: "",
  summary: "Redo the last undone move",
  details: "Asks whether files go along. A new move clears the redo history.",
  unavailable: cannotMove,
  async run(context, args) {
    readArguments(args, { most: 0 });
    return redoLastMove(context);
  },
};
