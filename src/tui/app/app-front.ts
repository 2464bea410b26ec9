/** The terminal as commands see it. */
import type { CommandFront, ScreenRequest } from "../../command/index.js";
import type { Chat } from "../chat/chat.js";
import type { Desk } from "../desk/desk.js";
import { askBeforeMove, askFailed } from "../move/ask-before-move.js";
import { askConfirm } from "../questions/ask-confirm.js";
import { withProgress } from "../questions/with-progress.js";
import { SCREENS } from "./screens.js";
import type { Hints } from "./start/hints.js";

interface FrontParts {
  readonly desk: Desk;
  readonly chat: () => Chat;
  readonly hints: Hints;
  readonly modelName: () => string | undefined;
  readonly open: (request: ScreenRequest) => Promise<void>;
}

export function appFront({ desk, chat, hints, modelName, open }: FrontParts): CommandFront {
  return {
    screens: new Set(Object.keys(SCREENS) as ScreenRequest["screen"][]),
    open,
    canAsk: true,
    askBeforeMove: (question) => {
      const model = modelName();
      return askBeforeMove(desk, question, {
        firstTime: hints.first("leaving"),
        ...(model === undefined ? {} : { model }),
      });
    },
    askFailed: (message) => askFailed(desk, message),
    confirm: ({ title, lines, yes, no }) => askConfirm(desk, { title, message: lines.join("\n"), yes, no }),
    watch: (work) => withProgress(desk, work),
    // What has lines is read in the conversation; a sentence stands above the editor.
    tell: (message, level) => (message.includes("\n") ? chat().note(message, level) : desk.status(message, level)),
    setEditorText: (text) => desk.setEditorText(text),
    copy: (text) => desk.copy(text),
    hints: { showAgain: () => hints.showAgain() },
  };
}
