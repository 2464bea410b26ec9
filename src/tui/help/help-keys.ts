/** The keys of help. */
import type { KeyScope } from "../keys/key-table.js";

export const HELP_KEYS: KeyScope = {
  title: "Help",
  actions: [
    { id: "help.previous", keys: ["up"], help: "go a line up" },
    { id: "help.next", keys: ["down"], help: "go a line down" },
    { id: "help.pageUp", keys: ["pageup"], help: "go a page up" },
    { id: "help.pageDown", keys: ["pagedown"], help: "go a page down" },
    { id: "help.first", keys: ["home"], help: "go to the beginning" },
    { id: "help.last", keys: ["end"], help: "go to the end" },
    { id: "help.close", keys: ["esc", "ctrl+c", "f1"], help: "clear what you typed, then close" },
  ],
};
