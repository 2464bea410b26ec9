/** A question whose answer is not shown, such as a key. */

import { firstWords } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { wrapWords } from "@bough/session/view/internal.js";
import type { FrontEnd } from "../../command/index.js";
import { frameOfLines } from "../host/frame-of-lines.js";
import type { Panel, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { TextField } from "./text-field.js";

type SecretQuestion = Parameters<NonNullable<FrontEnd["askSecret"]>>[0];

/** Undefined if the user cancelled. */
export function askSecret(host: PanelHost, question: SecretQuestion): Promise<string | undefined> {
  return host.open<string | undefined>((done) => secretPanel(host, question, done));
}

function secretPanel(host: PanelHost, { title, note }: SecretQuestion, done: (key: string | undefined) => void): Panel {
  const field = new TextField();
  const draw = (size: Size) => {
    const { keys } = host;
    // One symbol per character, so that the user sees that input arrives.
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
    return frameOfLines(host, size, { lines, cursor: { row, column: 3 + shown.length } });
  };
  return {
    name: "secret",
    share: "fit",
    keyScope: "question",
    draw,
    handleKey: (key) => {
      const action = host.keys.actionFor("question", key);
      if (action === "question.answer") done(field.text);
      else if (action === "question.cancel") done(undefined);
      else if (!field.handleKey(key, host.keys)) return false;
      host.redraw();
      return true;
    },
    handlePaste: (text) => {
      field.paste(text);
      host.redraw();
    },
  };
}
