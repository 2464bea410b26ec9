/** The keys of questions. A question that offers letters names them itself. */
import type { KeyScope } from "../keys/key-table.js";

export const QUESTION_KEYS: KeyScope = {
  title: "Questions",
  actions: [
    { id: "question.answer", keys: ["enter"], help: "give the answer; in a text of several lines, too" },
    {
      id: "question.newLine",
      keys: ["shift+enter", "alt+enter", "ctrl+j"],
      help: "begin a new line, where there may be several",
    },
    { id: "question.cancel", keys: ["esc", "ctrl+c"], help: "cancel" },
    {
      id: "question.always",
      keys: ["ctrl+a"],
      help: "allow it for the rest of the session, if the question offers it",
    },
    { id: "question.focus", keys: ["tab"], help: "answer a question that came up while you were typing" },
    { id: "question.more", keys: ["pagedown"], help: "show more of what is asked about" },
    { id: "question.less", keys: ["pageup"], help: "go back up in it" },
  ],
};
