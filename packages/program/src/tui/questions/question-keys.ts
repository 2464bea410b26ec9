/** The keys of questions. A question with letters of its own lists them itself. */
import type { KeyScope } from "../keys/key-table.js";

export const QUESTION_KEYS: KeyScope = {
  title: "Questions",
  actions: [
    { id: "question.answer", keys: ["enter"], help: "submit the answer" },
    {
      id: "question.newLine",
      keys: ["shift+enter", "alt+enter", "ctrl+j"],
      help: "insert a newline, if the answer may be multi-line",
    },
    { id: "question.cancel", keys: ["esc", "ctrl+c"], help: "cancel" },
    {
      id: "question.always",
      keys: ["ctrl+s"],
      help: "allow it for this session, if offered",
    },
    {
      id: "question.project",
      keys: ["ctrl+p"],
      help: "always allow it in this project, if offered",
    },
    {
      id: "question.everywhere",
      keys: ["ctrl+g"],
      help: "always allow it in every project, if offered",
    },
    { id: "question.up", keys: ["up"], help: "mark the answer above" },
    { id: "question.down", keys: ["down"], help: "mark the answer below; its number answers too" },
    { id: "question.focus", keys: ["tab"], help: "answer a question that came up while you were typing" },
    { id: "question.more", keys: ["pagedown"], help: "scroll down in the question" },
    { id: "question.less", keys: ["pageup"], help: "scroll up in the question" },
  ],
};
