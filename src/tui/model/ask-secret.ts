/** A question whose answer nobody may read over one's shoulder. */
import { firstWords } from "../../text/index.js";
import { type Line, span } from "../../view/index.js";
import { wrapWords } from "../../view/internal.js";
import type { Desk } from "../desk/desk.js";
import { frameOfLines } from "../desk/frame-of-lines.js";
import type { Panel, Size } from "../desk/panel.js";
import { TextField } from "../questions/text-field.js";

interface SecretQuestion {
  readonly title: string;
  /** Where it goes. */
  readonly note: string;
}

/** Undefined where the person thought better of it. */
export function askSecret(desk: Desk, question: SecretQuestion): Promise<string | undefined> {
  return desk.open<string | undefined>((done) => secretPanel(desk, question, done));
}

function secretPanel(desk: Desk, { title, note }: SecretQuestion, done: (key: string | undefined) => void): Panel {
  const field = new TextField();
  const draw = (size: Size) => {
    const { keys } = desk;
    // One sign for each character, so that a person sees that something arrived.
    const shown = "*".repeat(Math.min([...field.text].length, Math.max(0, size.width - 4)));
    const typed: Line = [span(" > ", "accent"), span(shown)];
    const hints: Line = [
      span(` ${keys.hint("question.answer")}`, "accent"),
      span(" save   "),
      span(keys.hint("question.cancel"), "accent"),
      span(" cancel"),
    ];
    const notes: Line[] = wrapWords(note, Math.max(1, size.width - 2)).map((line) => [span(` ${line}`, "muted")]);
    const lines = size.height >= 5 ? [[span(` ${firstWords(title)}`, "strong")], ...notes, typed, hints] : [typed];
    const row = lines.indexOf(typed);
    return frameOfLines(desk, size, { lines, cursor: { row, column: 3 + shown.length } });
  };
  return {
    name: "secret",
    share: "fit",
    keyScope: "question",
    draw,
    handleKey: (key) => {
      const action = desk.keys.actionFor("question", key);
      if (action === "question.answer") done(field.text);
      else if (action === "question.cancel") done(undefined);
      else if (!field.handleKey(key, desk.keys)) return false;
      desk.redraw();
      return true;
    },
    handlePaste: (text) => {
      field.paste(text);
      desk.redraw();
    },
  };
}
