/** A question answered with one line. */
import { firstWords } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { hintLine } from "@bough/session/view/internal.js";
import { frameOfLines } from "../host/frame-of-lines.js";
import type { Panel } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { guardedPanel } from "./guarded-panel.js";
import { TextField } from "./text-field.js";
import type { TypingOptions } from "./typing-guard.js";

export interface TextQuestion {
  readonly name?: string;
  readonly title: string;
  /** The initial text. */
  readonly text?: string;
  /** A placeholder, dimmed. */
  readonly placeholder?: string;
  /** What Enter does, for the hint. */
  readonly verb?: string;
  /** What is wrong with the answer, as a sentence; undefined if it is valid. */
  readonly check?: (text: string) => string | undefined;
  /** For a question that appears unprompted: what the user is typing does not answer it. */
  readonly typing?: TypingOptions;
}

export function askText(host: PanelHost, question: TextQuestion): Promise<string | undefined> {
  return host.open<string | undefined>((done) => guardedPanel(host, textPanel(host, question, done), question.typing));
}

function textPanel(host: PanelHost, question: TextQuestion, done: (text: string | undefined) => void): Panel {
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
        { keys: host.keys.hint("question.answer"), text: question.verb ?? "answer" },
        { keys: host.keys.hint("question.cancel"), text: "cancel" },
      ];
      const below: Line =
        problem === undefined
          ? hintLine(hints, size.width)
          : [span(` ${host.glyphs.failed} ${firstWords(problem)}`, "bad")];
      const lines = [[span(` ${firstWords(question.title)}`, "strong")], typed, below];
      // With only one line, show the input.
      if (size.height === 1)
        return frameOfLines(host, size, { lines: [typed], cursor: { row: 0, column: column + 3 } });
      return frameOfLines(host, size, { lines, cursor: { row: 1, column: column + 3 } });
    },
    handleKey: (key) => {
      const action = host.keys.actionFor("question", key);
      if (action === "question.answer") {
        problem = question.check?.(field.text);
        if (problem === undefined) done(field.text);
        else host.redraw();
        return true;
      }
      if (action === "question.cancel") {
        done(undefined);
        return true;
      }
      const used = field.handleKey(key, host.keys);
      if (used) {
        problem = undefined;
        host.redraw();
      }
      return used;
    },
    handlePaste: (text) => {
      field.paste(text);
      host.redraw();
    },
  };
}
