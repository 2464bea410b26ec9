/** The keys of the preview and of the result of a compaction. */
import type { KeyScope } from "../keys/key-table.js";
import { sheetMoves } from "../list/list-moves.js";

export const COMPACT_KEYS: KeyScope = {
  title: "Compaction",
  actions: [
    ...sheetMoves("compact"),
    { id: "compact.enter", keys: ["enter"], help: "write the summary; afterwards, close" },
    { id: "compact.about", keys: ["w"], help: "say what the summary should keep" },
    { id: "compact.undo", keys: ["z"], help: "undo the compaction" },
    { id: "compact.show", keys: ["v"], help: "read the summary" },
    { id: "compact.help", keys: ["?", "f1"], help: "show all keys" },
    { id: "compact.close", keys: ["esc", "q", "ctrl+c"], help: "close" },
  ],
};
