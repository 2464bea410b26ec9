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
    { id: "chat.stop", keys: ["esc"], help: "stop the agent, or close the completion list" },
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
    { id: "chat.top", keys: ["ctrl+home", "alt+<"], help: "go to the start of the conversation" },
    { id: "chat.bottom", keys: ["ctrl+end", "alt+>"], help: "go to the end and follow new output" },
    { id: "chat.previousPrompt", keys: ["alt+p"], help: "jump to the previous prompt" },
    { id: "chat.nextPrompt", keys: ["alt+n"], help: "jump to the next prompt" },
    { id: "chat.foldThinking", keys: ["ctrl+t"], help: "expand or collapse thinking" },
    { id: "chat.foldTools", keys: ["ctrl+o"], help: "expand or collapse tool input and output" },
    { id: "chat.foldNotes", keys: ["alt+s"], help: "expand or collapse summaries" },
    { id: "chat.foldBlock", keys: ["alt+o"], help: "expand or collapse the last block on the screen" },
    { id: "chat.thinkingLevel", keys: ["shift+tab"], help: "cycle thinking level" },
    { id: "chat.model", keys: ["ctrl+p"], help: "choose another model" },
    {
      id: "chat.reopen",
      keys: ["ctrl+r"],
      help: "in a read-only session: start writing on your own branch",
    },
    { id: "chat.externalEditor", keys: ["ctrl+g"], help: "edit the prompt in $VISUAL or $EDITOR" },
    { id: "chat.quit", keys: ["ctrl+d"], help: "quit if the editor is empty; otherwise delete the next character" },
  ],
};
