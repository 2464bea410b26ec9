/** The keys of the comparison. */
import type { KeyScope } from "../keys/key-table.js";

export const COMPARE_KEYS: KeyScope = {
  title: "Compare",
  actions: [
    { id: "compare.side", keys: ["tab"], help: "go to the other side" },
    { id: "compare.left", keys: ["left", "h"], help: "go to the first side" },
    { id: "compare.right", keys: ["right", "l"], help: "go to the second side" },
    { id: "compare.previous", keys: ["up", "k"], help: "go to the turn above" },
    { id: "compare.next", keys: ["down", "j"], help: "go to the turn below" },
    { id: "compare.first", keys: ["home", "g"], help: "go to the first turn" },
    { id: "compare.last", keys: ["end", "G"], help: "go to the last turn" },
    { id: "compare.pageUp", keys: ["pageup"], help: "go a page up" },
    { id: "compare.pageDown", keys: ["pagedown"], help: "go a page down" },
    { id: "compare.enter", keys: ["enter"], help: "go to the end of this side" },
    { id: "compare.pick", keys: ["space"], help: "select or deselect this turn" },
    { id: "compare.cherryPick", keys: ["p"], help: "copy the picked turns to where you are" },
    { id: "compare.merge", keys: ["M"], help: "bring this side to where you are" },
    { id: "compare.export", keys: ["e"], help: "export this side" },
    { id: "compare.words", keys: ["w"], help: "show the two selected turns side by side, in full" },
    { id: "compare.help", keys: ["?", "f1"], help: "show all keys" },
    { id: "compare.close", keys: ["esc", "q", "ctrl+c"], help: "leave the word difference, then the comparison" },
  ],
};
