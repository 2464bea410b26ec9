/** A question with one key for each answer: a strip of a few lines. */
import { withoutControls } from "../../text/index.js";
import { type Line, span } from "../../view/index.js";
import { cutLine, displayWidth, lineWidth, padToWidth, wrapWords } from "../../view/internal.js";
import { frameOfLines } from "../host/frame-of-lines.js";
import type { Frame, Panel, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { keyHint, keyName } from "../keys/key-names.js";
import type { KeyPress } from "../keys/key-press.js";

export interface Choice<Answer> {
  /** The first one is shown. */
  readonly keys: readonly string[];
  /** An action of the keys of questions that gives this answer, instead of keys of its own: for one that is not a bare letter. */
  readonly action?: string;
  readonly answer: Answer;
  readonly label: string;
  /** What comes of it, if there is room. */
  readonly detail?: string;
}

export interface ChoiceQuestion<Answer> {
  /** For tests. */
  readonly name?: string;
  /** What is asked. Lines that do not fit are cut: wrap them where every word counts. */
  readonly lines: readonly Line[] | ((size: Size) => readonly Line[]);
  readonly choices: readonly Choice<Answer>[];
  /** Lines below the answers, and where the cursor is in the last of them. */
  readonly below?: (width: number) => { readonly lines: readonly Line[]; readonly cursor?: number };
  /** The answer of Esc, and of a panel that was taken away. */
  readonly cancel: Answer;
  /** Looks at every key first: a question that came up while someone was writing lets those keys pass. */
  readonly before?: (key: KeyPress) => "go-on" | "ignore";
  /** A paste is never an answer; omitted, it is ignored. */
  readonly onPaste?: (text: string) => void;
  /** Keys for more than answering: scrolling through what is asked about. */
  readonly onKey?: (key: KeyPress) => boolean;
}

export async function askChoice<Answer>(host: PanelHost, question: ChoiceQuestion<Answer>): Promise<Answer> {
  const answered = await host.open<{ readonly answer: Answer }>((done) =>
    choicePanel(host, question, (answer) => done({ answer })),
  );
  return answered === undefined ? question.cancel : answered.answer;
}

function choicePanel<Answer>(host: PanelHost, question: ChoiceQuestion<Answer>, done: (answer: Answer) => void): Panel {
  const byKey = new Map<string, Answer>();
  for (const { keys, answer } of question.choices) {
    for (const written of keys) {
      const name = keyName(written);
      if (name === undefined) throw new Error(`bug: no such key: ${written}`);
      if (!byKey.has(name)) byKey.set(name, answer);
    }
  }
  return {
    name: question.name ?? "choice",
    share: "fit",
    keyScope: "question",
    isQuestion: true,
    draw: (size) => drawChoices(host, question, size),
    handleKey: (key) => {
      if (question.before?.(key) === "ignore") return true;
      const bound = host.keys.actionFor("question", key);
      const chosen = bound === undefined ? undefined : question.choices.find(({ action }) => action === bound);
      if (chosen !== undefined) {
        done(chosen.answer);
        return true;
      }
      if (byKey.has(key.name)) {
        done(byKey.get(key.name) as Answer);
        return true;
      }
      if (question.onKey?.(key) === true) return true;
      if (host.keys.actionFor("question", key) === "question.cancel") done(question.cancel);
      // A letter that is not an answer must not go anywhere else: it was meant for the question.
      else return key.text !== undefined;
      return true;
    },
    ...(question.onPaste === undefined ? {} : { handlePaste: question.onPaste }),
  };
}

function drawChoices<Answer>(host: PanelHost, question: ChoiceQuestion<Answer>, size: Size): Frame {
  const answers = answerLines(host, question.choices, size.width);
  const below = question.below?.(size.width) ?? { lines: [] };
  const room = Math.max(0, size.height - answers.length - below.lines.length);
  const asked = typeof question.lines === "function" ? question.lines({ ...size, height: room }) : question.lines;
  const lines = [...asked.slice(0, room), ...answers, ...below.lines];
  const cursor = below.cursor === undefined ? {} : { cursor: { row: lines.length - 1, column: below.cursor } };
  return frameOfLines(host, size, { lines, ...cursor });
}

/** Columns for details, the gap before them included; fewer are none. */
const LEAST_DETAIL = 20;

function answerLines<Answer>(host: PanelHost, choices: readonly Choice<Answer>[], width: number): readonly Line[] {
  const hintOf = ({ keys, action }: Choice<Answer>): string =>
    action === undefined ? keyHint(keys[0] ?? "") : host.keys.hint(action);
  const keyWidth = Math.max(...choices.map((choice) => displayWidth(hintOf(choice))));
  const labelWidth = Math.max(...choices.map(({ label }) => displayWidth(label)));
  return choices.flatMap((choice) => {
    const { label, detail } = choice;
    // A label without details says everything, so all of it is shown.
    const [first = "", ...rest] = detail === undefined ? wrapWords(label, width - keyWidth - 5) : [label];
    const start: Line = [
      span("   "),
      span(padToWidth(hintOf(choice), keyWidth), "accent"),
      span(`  ${detail === undefined ? first : padToWidth(label, labelWidth)}`),
    ];
    if (detail === undefined) return [start, ...rest.map((line): Line => [span(" ".repeat(keyWidth + 5)), span(line)])];
    // A few letters of what comes of it say nothing.
    if (lineWidth(start) + Math.min(displayWidth(detail) + 2, LEAST_DETAIL) > width) return [start];
    return [cutLine([...start, span(`  ${withoutControls(detail)}`, "muted")], width)];
  });
}
