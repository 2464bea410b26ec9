/** The keys for writing: in the editor of the conversation and wherever several lines can be written. */
import type { KeyScope } from "../../keys/key-table.js";

export const EDITOR_KEYS: KeyScope = {
  title: "Writing",
  actions: [
    { id: "editor.complete", keys: ["tab"], help: "complete the command, file or argument" },
    { id: "editor.up", keys: ["up"], help: "move up a line; on the first line, previous prompt in history" },
    { id: "editor.down", keys: ["down"], help: "move down a line; on the last line, next prompt in history" },
    { id: "editor.left", keys: ["left", "ctrl+b"], help: "move left one character" },
    { id: "editor.right", keys: ["right", "ctrl+f"], help: "move right one character" },
    { id: "editor.wordLeft", keys: ["alt+b", "alt+left", "ctrl+left"], help: "move left one word" },
    { id: "editor.wordRight", keys: ["alt+f", "alt+right", "ctrl+right"], help: "move right one word" },
    { id: "editor.lineStart", keys: ["home", "ctrl+a"], help: "move to the start of the line" },
    { id: "editor.lineEnd", keys: ["end", "ctrl+e"], help: "move to the end of the line" },
    { id: "editor.deleteBack", keys: ["backspace"], help: "delete the character before the cursor" },
    { id: "editor.deleteAhead", keys: ["delete"], help: "delete the character after the cursor" },
    { id: "editor.deleteWordBack", keys: ["ctrl+w", "alt+backspace"], help: "delete the word before the cursor" },
    { id: "editor.deleteWordAhead", keys: ["alt+d", "alt+delete"], help: "delete the word after the cursor" },
    { id: "editor.deleteToStart", keys: ["ctrl+u"], help: "delete to the start of the line" },
    { id: "editor.deleteToEnd", keys: ["ctrl+k"], help: "delete to the end of the line" },
    { id: "editor.putBack", keys: ["ctrl+y"], help: "paste the last deleted text" },
    { id: "editor.putBackEarlier", keys: ["alt+y"], help: "after pasting, replace it with the text deleted earlier" },
    { id: "editor.undo", keys: ["ctrl+-"], help: "undo the last change (Ctrl+_ in most terminals)" },
    { id: "editor.jumpAhead", keys: ["ctrl+]"], help: "jump to the next occurrence of the character you type" },
    { id: "editor.jumpBack", keys: ["ctrl+alt+]"], help: "jump to the previous occurrence of the character you type" },
  ],
};
