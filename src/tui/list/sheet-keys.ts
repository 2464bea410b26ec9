/** The keys of sheets that are read: a session's numbers, a message, a summary. */
import type { KeyScope } from "../keys/key-table.js";
import { sheetMoves } from "./list-moves.js";

export const SHEET_KEYS: KeyScope = {
  title: "Sheets",
  actions: [
    ...sheetMoves("sheet"),
    { id: "sheet.help", keys: ["?", "f1"], help: "show all keys" },
    { id: "sheet.close", keys: ["esc", "q", "enter", "ctrl+c"], help: "close" },
  ],
};
