/** A question answered with several lines of text. */
import { firstWords } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { cutLine, hintLine } from "@bough/session/view/internal.js";
import { TextEditor } from "../chat/editor/text-editor.js";
import type { Panel } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import type { TextQuestion } from "./ask-text.js";
import { guardedPanel } from "./guarded-panel.js";

type LongTextQuestion = Pick<TextQuestion, "name" | "title" | "text" | "typing">;

export function askLongText(host: PanelHost, question: LongTextQuestion): Promise<string | undefined> {
  return host.open<string | undefined>((done) =>
    guardedPanel(host, longTextPanel(host, question, done), question.typing),
  );
}

function longTextPanel(host: PanelHost, question: LongTextQuestion, done: (text: string | undefined) => void): Panel {
  const editor = new TextEditor({ host, onSubmit: done });
  if (question.text !== undefined) editor.setText(question.text);
  const painted = (line: Line, width: number) => host.theme.line(cutLine(line, width, host.glyphs.ellipsis));
  return {
    name: question.name ?? "long-text",
    share: "half",
    keyScope: "question",
    isQuestion: true,
    draw: ({ width, height }) => {
      const text = editor.draw({ width, height: Math.max(1, height - 2) });
      if (height < 3) return text;
      const { keys } = host;
      const title = painted([span(` ${firstWords(question.title)}`, "strong")], width);
      const hints = [
        { keys: keys.hint("question.answer"), text: "done" },
        { keys: keys.hint("question.newLine"), text: "new line" },
        { keys: keys.hint("question.cancel"), text: "cancel", priority: 1 },
      ];
      const foot = hintLine(hints, width);
      const frame = { lines: [title, ...text.lines, painted(foot, width)] };
      return text.cursor === undefined ? frame : { ...frame, cursor: { ...text.cursor, row: text.cursor.row + 1 } };
    },
    handleKey: (key) => {
      switch (host.keys.actionFor("question", key)) {
        case "question.answer":
          editor.submit();
          return true;
        case "question.newLine":
          editor.newLine();
          return true;
        case "question.cancel":
          done(undefined);
          return true;
        default:
          return editor.handleKey(key);
      }
    },
    handlePaste: (text) => editor.paste(text),
  };
}
