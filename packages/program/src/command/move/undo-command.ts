/** /undo and /redo. */
import { readArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import type { Command } from "../command.js";
import { redoLastStep, undoLastStep } from "./undo-last-step.js";

export const UNDO_COMMAND: Command = {
  name: "undo",
  group: "tree",
  usage: "",
  summary: "Undo the last run or move; again, one more",
  details:
    "Goes back to before your last prompt, ! command, move, merge or cherry-pick, whichever was last, and asks whether to restore files too. Each /undo goes one step further; /redo goes forward again. A prompt returns to the editor. No messages are removed: the tree keeps everything. Also works after a restart, as far as the session records it. /compact undo undoes a compaction.",
  unavailable: cannotMove,
  async run(context, args) {
    readArguments(args, { most: 0 });
    return undoLastStep(context);
  },
};

export const REDO_COMMAND: Command = {
  name: "redo",
  group: "tree",
  usage: "",
  summary: "Redo what was undone last",
  details:
    "Goes forward one step after /undo, and asks whether to restore files too. A new prompt or move clears what could be redone.",
  unavailable: cannotMove,
  async run(context, args) {
    readArguments(args, { most: 0 });
    return redoLastStep(context);
  },
};
