/** The keys of the conversation, while no panel is open. */
import type { KeyScope } from "../keys/key-table.js";

export const CHAT_KEYS: KeyScope = {
  title: "Conversation",
  actions: [
    {
      id: "chat.send",
      keys: ["enter"],
      help: "send; while the agent works, delivered after the current step",
    },
    {
      id: "chat.newLine",
      keys: ["shift+enter", "ctrl+j"],
      help: "insert a newline; so does a backslash before Enter",
    },
    {
      id: "chat.followUp",
      keys: ["alt+enter", "ctrl+q"],
      help: "send when the agent has finished; if it is idle, insert a newline",
    },
    { id: "chat.stop", keys: ["esc"], help: "stop the agent, or leave the list of completions" },
    {
      id: "chat.doubleEscape",
      keys: ["esc esc"],
      help: "open the tree if the editor is empty (doubleEscapeAction)",
    },
    { id: "chat.help", keys: ["?"], help: "show these keys, if the editor is empty" },
    { id: "chat.scrollUp", keys: ["pageup"], help: "scroll up" },
    { id: "chat.scrollDown", keys: ["pagedown"], help: "scroll down" },
    { id: "chat.scrollLineUp", keys: ["shift+up"], help: "scroll up one line" },
    { id: "chat.scrollLineDown", keys: ["shift+down"], help: "scroll down one line" },
    { id: "chat.top", keys: ["ctrl+home", "alt+<"], help: "go to the beginning of the conversation" },
    { id: "chat.bottom", keys: ["ctrl+end", "alt+>"], help: "go to its end, and stay there as it grows" },
    { id: "chat.previousPrompt", keys: ["alt+p"], help: "go up to your previous prompt" },
    { id: "chat.nextPrompt", keys: ["alt+n"], help: "go down to your next prompt" },
    { id: "chat.foldThinking", keys: ["ctrl+t"], help: "show or fold what the model thought" },
    { id: "chat.foldTools", keys: ["ctrl+o"], help: "expand or collapse tool input and output" },
    { id: "chat.foldNotes", keys: ["alt+s"], help: "show or fold summaries" },
    { id: "chat.foldBlock", keys: ["alt+o"], help: "show or fold the lowest block on the screen" },
    { id: "chat.thinkingLevel", keys: ["shift+tab"], help: "cycle thinking level" },
    { id: "chat.model", keys: ["ctrl+p"], help: "choose another model" },
    {
      id: "chat.reopen",
      keys: ["ctrl+r"],
      help: "in a read-only session: start writing, on a branch of your own",
    },
    { id: "chat.externalEditor", keys: ["ctrl+g"], help: "write in your own editor ($VISUAL, $EDITOR)" },
    { id: "chat.quit", keys: ["ctrl+d"], help: "quit if the editor is empty; otherwise delete the character ahead" },
  ],
};
