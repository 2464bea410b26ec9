/** The keys of every list that has no letters of its own: choices, models, sessions while searching. */
import type { KeyScope } from "../keys/key-table.js";

export const LIST_KEYS: KeyScope = {
  title: "Lists",
  actions: [
    { id: "list.previous", keys: ["up", "ctrl+p"], help: "go to the line above" },
    { id: "list.next", keys: ["down", "ctrl+n"], help: "go to the line below" },
    { id: "list.pageUp", keys: ["pageup"], help: "go a page up" },
    { id: "list.pageDown", keys: ["pagedown"], help: "go a page down" },
    { id: "list.first", keys: ["home"], help: "go to the first line" },
    { id: "list.last", keys: ["end"], help: "go to the last line" },
    { id: "list.choose", keys: ["enter"], help: "choose the line" },
    { id: "list.close", keys: ["esc", "ctrl+c"], help: "clear what you typed, then close" },
  ],
};
