/** /compact: replace older messages with a summary. */

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
    "Arguments tell the summary what to keep. The terminal first shows what will be summarized and what is kept. /compact undo undoes the last compaction; nothing is ever removed from the file.",
  complete: (_context, typed) => (typed.includes(" ") ? [] : choices(["undo"], typed)),
  unavailable: cannotMove,
  async run(context, args) {
    if (args === "undo") return undoLastCompaction(context);
    return shownOr(context, { screen: "compact", instructions: args === "" ? undefined : args }, () =>
      compactPath(context, args),
    );
  },
};
