/** A strip with a question and a few answers: each has a key and a number, and arrows mark one for Enter. */
import { withoutControls } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { cutLine, displayWidth, linesAround, padToWidth, wrapWords } from "@bough/session/view/internal.js";
import { frameOfLines } from "../host/frame-of-lines.js";
import type { Frame, Panel, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { keyHint, keyName } from "../keys/key-names.js";
import type { KeyPress } from "../keys/key-press.js";

export interface Choice<Answer> {
  /** Only the first one is shown. */
  readonly keys: readonly string[];
  /** A question key that gives this answer, instead of keys of its own: for an answer that is not a single letter. */
  readonly action?: string;
  readonly answer: Answer;
  readonly label: string;
  /** It grants more than was asked for: its number only marks it, and Enter right after an arrow does not pick it. */
  readonly broad?: boolean;
  /** Runs this instead of answering. */
  readonly act?: () => void;
  /** The consequence, shown if there is room. */
  readonly detail?: string;
}

export interface ChoiceQuestion<Answer> {
  /** For tests. */
  readonly name?: string;
  /** What is asked. Lines that do not fit are truncated: wrap them if every word matters. */
  readonly lines: readonly Line[] | ((size: Size) => readonly Line[]);
  /** A function is evaluated at each drawing. */
  readonly choices: readonly Choice<Answer>[] | ((size: Size) => readonly Choice<Answer>[]);
  /** Lines below the answers, and the cursor's position in the last of them. */
  readonly below?: (width: number) => { readonly lines: readonly Line[]; readonly cursor?: number };
  /** The answer for Esc, and for a panel closed from outside. */
  readonly cancel: Answer;
  /** For a panel closed from outside, if it is not the answer for Esc. */
  readonly closed?: Answer;
  /** Sees every key first: a question that appears while the user types lets those keys pass. */
  readonly before?: (key: KeyPress) => "go-on" | "ignore";
  /** A paste is never an answer. If omitted, pastes are ignored. */
  readonly onPaste?: (text: string) => void;
  /** Keys other than answers: scrolling through the subject of the question. */
  readonly onKey?: (key: KeyPress) => boolean;
}

export async function askChoice<Answer>(host: PanelHost, question: ChoiceQuestion<Answer>): Promise<Answer> {
  const answered = await host.open<{ readonly answer: Answer }>((done) =>
    choicePanel(host, question, (answer) => done({ answer })),
  );
  return answered === undefined ? (question.closed ?? question.cancel) : answered.answer;
}

/** After an arrow, Enter picks a broad answer only after a pause, because mouse wheels send arrows too. */
const REST_MS = 400;

function choicePanel<Answer>(host: PanelHost, question: ChoiceQuestion<Answer>, done: (answer: Answer) => void): Panel {
  /** The label of the answer that Enter picks, if it is not the initial one. */
  let marked: string | undefined;
  let movedAt = Number.NEGATIVE_INFINITY;
  /** The state as last drawn: a key can only be meant for what is on the screen. */
  let choices: readonly Choice<Answer>[] | undefined;
  const markedIn = (shown: readonly Choice<Answer>[]): number => {
    const at = shown.findIndex(({ label }) => label === marked);
    return at >= 0 ? at : shown.findIndex(({ keys }) => keys.includes("enter"));
  };
  const take = ({ act, answer }: Choice<Answer>): true => {
    if (act === undefined) done(answer);
    else {
      act();
      host.redraw();
    }
    return true;
  };
  const mark = (choice: Choice<Answer>): true => {
    marked = choice.label;
    movedAt = host.now();
    host.redraw();
    return true;
  };
  /** The answer for a key: its own key, its number, or Enter for the marked one. */
  const answerTo = (key: KeyPress): true | undefined => {
    // Not seen yet.
    if (choices === undefined) return key.name === "esc" ? undefined : true;
    const bound = host.keys.actionFor("question", key);
    const named = bound === undefined ? undefined : choices.find(({ action }) => action === bound);
    if (named !== undefined) return take(named);
    const at = markedIn(choices);
    if (bound === "question.down" || bound === "question.up") {
      const next = choices[Math.max(0, Math.min(choices.length - 1, at + (bound === "question.down" ? 1 : -1)))];
      return next === undefined ? undefined : mark(next);
    }
    const enters = choices[at];
    if (key.name === "enter" && enters !== undefined) {
      if (enters.broad === true && host.now() - movedAt < REST_MS) return true;
      return take(enters);
    }
    const own = choices.find(({ keys }) => keys.some((written) => keyName(written) === key.name));
    if (own !== undefined) return take(own);
    const numbered = /^[1-9]$/.test(key.name) ? choices[Number(key.name) - 1] : undefined;
    return numbered === undefined ? undefined : numbered.broad === true ? mark(numbered) : take(numbered);
  };
  const fixed = typeof question.choices === "function" ? [] : question.choices;
  for (const written of fixed.flatMap(({ keys }) => keys)) {
    if (keyName(written) === undefined) throw new Error(`bug: no such key: ${written}`);
  }
  return {
    name: question.name ?? "choice",
    share: "fit",
    keyScope: "question",
    isQuestion: true,
    draw: (size) => {
      choices = typeof question.choices === "function" ? question.choices(size) : question.choices;
      return drawChoices(host, question, { size, choices, marked: markedIn(choices) });
    },
    handleKey: (key) => {
      if (question.before?.(key) === "ignore") return true;
      if (question.onKey?.(key) === true) return true;
      if (answerTo(key) === true) return true;
      if (host.keys.actionFor("question", key) === "question.cancel") done(question.cancel);
      // A letter that is not an answer must not go anywhere else: it was meant for the question.
      else return key.text !== undefined;
      return true;
    },
    handlePaste: question.onPaste,
  };
}

interface DrawnChoices<Answer> {
  readonly size: Size;
  readonly choices: readonly Choice<Answer>[];
  readonly marked: number;
}

function drawChoices<Answer>(host: PanelHost, question: ChoiceQuestion<Answer>, drawn: DrawnChoices<Answer>): Frame {
  const { size } = drawn;
  const all = answerLines(host, drawn);
  const below = question.below?.(size.width) ?? { lines: [] };
  // In a low window, the marked answer and a line of the question.
  const left = size.height - below.lines.length;
  const from = all.slice(0, Math.max(0, drawn.marked)).flat().length;
  const marked = { from, to: from + (all[drawn.marked]?.length ?? 1) };
  const answers = linesAround(all.flat(), marked, left < LEAST_FOR_QUESTION ? left : left - 1);
  const room = Math.max(0, size.height - answers.length - below.lines.length);
  const asked = typeof question.lines === "function" ? question.lines({ ...size, height: room }) : question.lines;
  const lines = [...asked.slice(0, room), ...answers, ...below.lines];
  const cursor = below.cursor === undefined ? {} : { cursor: { row: lines.length - 1, column: below.cursor } };
  return frameOfLines(host, size, { lines, ...cursor });
}

/** Windows with fewer lines show answers alone. */
const LEAST_FOR_QUESTION = 3;

/** Minimum columns for details, including the gap; with fewer none are shown. */
const LEAST_DETAIL = 20;

/** How many lines the answers take. */
export function answerHeight(host: PanelHost, choices: readonly Choice<unknown>[], size: Size): number {
  return answerLines(host, { size, choices, marked: -1 }).flat().length;
}

/** The lines of each answer. */
function answerLines<Answer>(
  host: PanelHost,
  { size: { width }, choices, marked }: DrawnChoices<Answer>,
): readonly (readonly Line[])[] {
  const hintOf = ({ keys, action }: Choice<Answer>): string =>
    action === undefined ? keyHint(keys[0] ?? "") : host.keys.hint(action);
  const keyWidth = Math.max(...choices.map((choice) => displayWidth(hintOf(choice))));
  const indent = keyWidth + 7;
  const labelWidth = Math.max(...choices.map(({ label }) => displayWidth(label)));
  const details = choices.flatMap(({ detail }) => (detail === undefined ? [] : [displayWidth(detail) + 2]));
  // A few letters of the details are useless.
  const hasDetails = details.length > 0 && indent + labelWidth + Math.min(LEAST_DETAIL, Math.max(...details)) <= width;
  return choices.map((choice, at) => {
    const { label } = choice;
    const detail = hasDetails ? choice.detail : undefined;
    // A label without details is shown in full.
    const [first = "", ...rest] = detail === undefined ? wrapWords(label, width - indent) : [label];
    const start: Line = [
      span(at === marked ? ` ${host.glyphs.selected} ` : "   ", "accent"),
      span(at < 9 ? `${at + 1} ` : "  ", "muted"),
      span(padToWidth(hintOf(choice), keyWidth), "accent"),
      span(`  ${detail === undefined ? first : padToWidth(label, labelWidth)}`),
    ];
    if (detail === undefined) return [start, ...rest.map((line): Line => [span(" ".repeat(indent)), span(line)])];
    return [cutLine([...start, span(`  ${withoutControls(detail)}`, "muted")], width)];
  });
}
