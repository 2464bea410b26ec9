/** A question that is answered with one line. */
import { firstWords } from "../../text/index.js";
import { type Line, span } from "../../view/index.js";
import { hintLine } from "../../view/internal.js";
import type { Desk } from "../desk/desk.js";
import { frameOfLines } from "../desk/frame-of-lines.js";
import type { Panel } from "../desk/panel.js";
import { guardedPanel } from "./guarded-panel.js";
import { TextField } from "./text-field.js";
import type { TypingOptions } from "./typing-guard.js";

interface TextQuestion {
  readonly name?: string;
  readonly title: string;
  /** What stands there to begin with. */
  readonly text?: string;
  /** Shown, dimmed, while nothing stands there. */
  readonly placeholder?: string;
  /** What Enter does, for the hint. */
  readonly verb?: string;
  /** What is wrong with the answer, as a sentence; undefined where it can be taken. */
  readonly check?: (text: string) => string | undefined;
  /** For a question that comes up by itself: what somebody is writing does not answer it. */
  readonly typing?: TypingOptions;
}

export function askText(desk: Desk, question: TextQuestion): Promise<string | undefined> {
  return desk.open<string | undefined>((done) => guardedPanel(desk, textPanel(desk, question, done), question.typing));
}

function textPanel(desk: Desk, question: TextQuestion, done: (text: string | undefined) => void): Panel {
  const field = new TextField(question.text);
  let problem: string | undefined;
  return {
    name: question.name ?? "text",
    share: "fit",
    keyScope: "question",
    isQuestion: true,
    draw: (size) => {
      const { text, column } = field.draw(size.width - 3);
      const typed: Line =
        field.text === "" && question.placeholder !== undefined
          ? [span(" > "), span(firstWords(question.placeholder), "muted")]
          : [span(" > "), span(text)];
      const hints = [
        { keys: desk.keys.hint("question.answer"), text: question.verb ?? "answer" },
        { keys: desk.keys.hint("question.cancel"), text: "cancel" },
      ];
      const below: Line =
        problem === undefined
          ? hintLine(hints, size.width)
          : [span(` ${desk.glyphs.failed} ${firstWords(problem)}`, "bad")];
      const lines = [[span(` ${firstWords(question.title)}`, "strong")], typed, below];
      // In one line, what is typed matters most.
      if (size.height === 1)
        return frameOfLines(desk, size, { lines: [typed], cursor: { row: 0, column: column + 3 } });
      return frameOfLines(desk, size, { lines, cursor: { row: 1, column: column + 3 } });
    },
    handleKey: (key) => {
      const action = desk.keys.actionFor("question", key);
      if (action === "question.answer") {
        problem = question.check?.(field.text);
        if (problem === undefined) done(field.text);
        else desk.redraw();
        return true;
      }
      if (action === "question.cancel") {
        done(undefined);
        return true;
      }
      const used = field.handleKey(key, desk.keys);
      if (used) {
        problem = undefined;
        desk.redraw();
      }
      return used;
    },
    handlePaste: (text) => {
      field.paste(text);
      desk.redraw();
    },
  };
}
