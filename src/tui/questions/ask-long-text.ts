/** A question that is answered with a text of several lines. */
import { firstWords } from "../../text/index.js";
import { type Line, span } from "../../view/index.js";
import { cutLine, hintLine } from "../../view/internal.js";
import { TextEditor } from "../chat/editor/text-editor.js";
import type { Desk } from "../desk/desk.js";
import type { Panel } from "../desk/panel.js";
import { guardedPanel } from "./guarded-panel.js";
import type { TypingOptions } from "./typing-guard.js";

interface LongTextQuestion {
  readonly name?: string;
  readonly title: string;
  readonly text?: string;
  /** For a question that comes up by itself: what somebody is writing does not answer it. */
  readonly typing?: TypingOptions;
}

export function askLongText(desk: Desk, question: LongTextQuestion): Promise<string | undefined> {
  return desk.open<string | undefined>((done) =>
    guardedPanel(desk, longTextPanel(desk, question, done), question.typing),
  );
}

function longTextPanel(desk: Desk, question: LongTextQuestion, done: (text: string | undefined) => void): Panel {
  const editor = new TextEditor({ desk, onSubmit: done });
  if (question.text !== undefined) editor.setText(question.text);
  const painted = (line: Line, width: number) => desk.theme.line(cutLine(line, width, desk.glyphs.ellipsis));
  return {
    name: question.name ?? "long-text",
    share: "half",
    keyScope: "question",
    isQuestion: true,
    draw: ({ width, height }) => {
      const text = editor.draw({ width, height: Math.max(1, height - 2) });
      if (height < 3) return text;
      const { keys } = desk;
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
      switch (desk.keys.actionFor("question", key)) {
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
