/** The terminal as commands see it. */
import { noticeText } from "@bough/session/text/index.js";
import type { FrontEnd, ScreenRequest } from "../../command/index.js";
import type { Chat } from "../chat/chat.js";
import { askConflicts, askFiles, askProtected } from "../files/ask-files.js";
import type { PanelHost } from "../host/panel-host.js";
import { askBeforeMove, askFailed } from "../move/ask-before-move.js";
import { askConfirm } from "../questions/ask-confirm.js";
import { askSecret } from "../questions/ask-secret.js";
import { withProgress } from "../questions/with-progress.js";
import { runInTerminal } from "../terminal/run-in-terminal.js";
import { SCREENS } from "./screens.js";
import type { Hints } from "./start/hints.js";

interface FrontParts {
  readonly host: PanelHost;
  readonly chat: () => Chat;
  readonly hints: Hints;
  readonly modelName: () => string | undefined;
  readonly open: (request: ScreenRequest) => Promise<void>;
  readonly cwd: string;
}

export function appFront({ host, chat, hints, modelName, open, cwd }: FrontParts): FrontEnd {
  return {
    screens: new Set(Object.keys(SCREENS) as ScreenRequest["screen"][]),
    open,
    canAsk: true,
    askBeforeMove: (question) => {
      const model = modelName();
      return askBeforeMove(host, question, {
        firstTime: hints.first("leaving"),
        model,
      });
    },
    askFailed: (message, instead) => askFailed(host, message, instead),
    askFiles: (question) => askFiles(host, question),
    askConflicts: (question) => askConflicts(host, question),
    askProtected: (question) => askProtected(host, question),
    confirm: ({ title, lines, yes, no }) => askConfirm(host, { title, message: lines.join("\n"), yes, no }),
    askSecret: (question) => askSecret(host, question),
    runInTerminal: (command) => host.lend(() => runInTerminal(command, cwd)),
    watch: (work) => withProgress(host, work),
    // Multi-line output goes into the conversation; a single sentence goes above the editor.
    tell: (notice, level) => {
      const isList = [notice.message, notice.hint].some((part) => part?.includes("\n"));
      if (isList) chat().note(noticeText(notice), level);
      else host.status(notice, level);
    },
    setEditorText: (text) => host.setEditorText(text),
    copy: (text) => host.copy(text),
    keyHint: (actionId) => host.keys.hint(actionId),
    hints: { showAgain: () => hints.showAgain() },
  };
}
