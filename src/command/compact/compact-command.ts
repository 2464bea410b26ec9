/** /compact: a summary in the place of the older part. */

import { cannotMove } from "../availability.js";
import type { Command } from "../command.js";
import { choices } from "../completions.js";
import { shownOr } from "../outcome.js";
import { compactPath, undoLastCompaction } from "./compact-path.js";

export const COMPACT_COMMAND: Command = {
  name: "compact",
  group: "context",
  usage: "[what to keep] | undo",
  summary: "Summarize older messages",
  details:
    "The words say what the summary should pay attention to. In the terminal, shows first what would be summarised and what is kept. /compact undo goes back to before the last compaction; nothing is ever removed from the file.",
  complete: (_world, typed) => (typed.includes(" ") ? [] : choices(["undo"], typed)),
  unavailable: cannotMove,
  async run(world, args) {
    if (args === "undo") return undoLastCompaction(world);
    return shownOr(world, { screen: "compact", ...(args === "" ? {} : { instructions: args }) }, () =>
      compactPath(world, args),
    );
  },
};
