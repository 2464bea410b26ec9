/** The keys for writing: in the editor of the conversation and wherever several lines can be written. */
import type { KeyScope } from "../../keys/key-table.js";

export const EDITOR_KEYS: KeyScope = {
  title: "Writing",
  actions: [
    { id: "editor.complete", keys: ["tab"], help: "complete the command, file or argument" },
    { id: "editor.up", keys: ["up"], help: "go a line up; on the first line, to what you sent before" },
    { id: "editor.down", keys: ["down"], help: "go a line down; on the last line, to what you sent after" },
    { id: "editor.left", keys: ["left", "ctrl+b"], help: "go a character left" },
    { id: "editor.right", keys: ["right", "ctrl+f"], help: "go a character right" },
    { id: "editor.wordLeft", keys: ["alt+b", "alt+left", "ctrl+left"], help: "go a word left" },
    { id: "editor.wordRight", keys: ["alt+f", "alt+right", "ctrl+right"], help: "go a word right" },
    { id: "editor.lineStart", keys: ["home", "ctrl+a"], help: "go to the start of the line" },
    { id: "editor.lineEnd", keys: ["end", "ctrl+e"], help: "go to the end of the line" },
    { id: "editor.deleteBack", keys: ["backspace"], help: "delete the character before the cursor" },
    { id: "editor.deleteAhead", keys: ["delete"], help: "delete the character after the cursor" },
    { id: "editor.deleteWordBack", keys: ["ctrl+w", "alt+backspace"], help: "delete the word before the cursor" },
    { id: "editor.deleteWordAhead", keys: ["alt+d", "alt+delete"], help: "delete the word after the cursor" },
    { id: "editor.deleteToStart", keys: ["ctrl+u"], help: "delete up to the start of the line" },
    { id: "editor.deleteToEnd", keys: ["ctrl+k"], help: "delete up to the end of the line" },
    { id: "editor.putBack", keys: ["ctrl+y"], help: "put back what was deleted last" },
    { id: "editor.putBackEarlier", keys: ["alt+y"], help: "after that, put back the text deleted before it" },
    { id: "editor.undo", keys: ["ctrl+-"], help: "undo the last change (Ctrl+_ in most terminals)" },
    { id: "editor.jumpAhead", keys: ["ctrl+]"], help: "jump to the next occurrence of the character you type" },
    { id: "editor.jumpBack", keys: ["ctrl+alt+]"], help: "jump to the previous occurrence of the character you type" },
  ],
};
