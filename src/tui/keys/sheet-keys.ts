/** The keys of sheets that are read: a session's numbers, a message, what a compaction did. */
import type { KeyScope } from "./key-table.js";

export const SHEET_KEYS: KeyScope = {
  title: "Sheets",
  actions: [
    { id: "sheet.up", keys: ["up", "k"], help: "look a line further up" },
    { id: "sheet.down", keys: ["down", "j"], help: "look a line further down" },
    { id: "sheet.pageUp", keys: ["pageup"], help: "look a page further up" },
    { id: "sheet.pageDown", keys: ["pagedown", "space"], help: "look a page further down" },
    { id: "sheet.first", keys: ["home", "g"], help: "look at the start" },
    { id: "sheet.last", keys: ["end", "G"], help: "look at the end" },
    { id: "sheet.copy", keys: ["y"], help: "copy the text" },
    { id: "sheet.help", keys: ["?", "f1"], help: "show all keys" },
    { id: "sheet.close", keys: ["esc", "q", "enter", "ctrl+c"], help: "close" },
  ],
};
