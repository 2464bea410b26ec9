/** The strip that offers a summary when the user leaves a branch: the question, its progress and its failure. */
import { counted, firstWords, shortCount } from "../../text/index.js";
import { cutLine, padLine } from "../fit-line.js";
import { flowPieces, flowText } from "../flow-pieces.js";
import { type Line, type Span, span } from "../line.js";
import { linesAround } from "../lines-around.js";
import type { DrawnList, LayoutOptions } from "../list-layout.js";
import { displayWidth } from "../text/display-width.js";

/** The branch to be left and the target, for the question whether to bring a summary. */
export interface MoveQuestion {
  readonly branch: { readonly number: number; readonly name: string };
  readonly entries: number;
  readonly tokens: number;
  readonly files: number;
  /** `summary`: the user returns with a result, so Enter brings a summary. */
  readonly preferred: "none" | "summary";
  /** How the target is shown. */
  readonly target: string;
}

export type MovePhase =
  | {
      readonly kind: "ask";
      /** The first time ever: an additional line explains summaries. */
      readonly firstTime?: boolean;
      /** The model that writes it: "the small model", "acme/m-1". */
      readonly model?: string;
      /** The usual size of a summary. Default 600. */
      readonly summaryTokens?: number;
      /** The answer for Enter, as an index of `moveAnswers`. Default: the first. */
      readonly marked?: number;
    }
  | { readonly kind: "progress"; readonly seconds: number }
  /** A sentence: what went wrong, and the user's current position. */
  | {
      readonly kind: "failed";
      readonly message: string;
      /** What a merge brings without a summary. Default: it is a move, which brings nothing. */
      readonly instead?: "turns" | undefined;
      readonly marked?: number;
    };

/** The actions that answer, in the order of their numbers. Actions without a key are not offered. */
export function moveAnswers(facts: MoveQuestion, phase: MovePhase, hint: LayoutOptions["hint"]): readonly string[] {
  return offered(facts, phase).filter((id) => hint(id) !== "");
}

function offered({ preferred }: MoveQuestion, { kind }: MovePhase): readonly string[] {
  if (kind === "progress") return [];
  if (kind === "failed") return ["leaving.enter", "leaving.again", "leaving.stay"];
  return preferred === "summary"
    ? ["leaving.enter", "leaving.none", "leaving.about", "leaving.stay"]
    : ["leaving.enter", "leaving.summary", "leaving.about", "leaving.never", "leaving.stay"];
}

export function layoutMove(facts: MoveQuestion, phase: MovePhase, options: LayoutOptions): DrawnList {
  const { width, glyphs, height } = options;
  const lines = linesOf(facts, phase, options).slice(0, Math.max(1, height));
  return { lines: lines.map((line) => cutLine(line, width, glyphs.ellipsis)), top: 0, cursorRow: undefined };
}

function linesOf(facts: MoveQuestion, phase: MovePhase, options: LayoutOptions): Line[] {
  const { width, glyphs, hint } = options;
  switch (phase.kind) {
    case "ask":
      return facts.preferred === "summary" ? askBack(facts, phase, options) : ask(facts, phase, options);
    case "progress": {
      const working = [
        span(`${glyphs.note} `, "note"),
        span(`Summarizing #${facts.branch.number} ${glyphs.ellipsis} ${phase.seconds} s`),
      ];
      return flowPieces([working, piece(hint("leaving.stay"), "stops it (you stay here)")], width, " ");
    }
    case "failed":
      return [
        ...flowText(firstWords(phase.message, 600), width),
        ...numberedPieces(facts, phase, options, {
          "leaving.enter": phase.instead === "turns" ? "brings its turns" : "goes without a summary",
          "leaving.again": "tries again",
          "leaving.stay": "stays",
        }),
      ];
  }
}

function ask(facts: MoveQuestion, phase: Extract<MovePhase, { kind: "ask" }>, options: LayoutOptions): Line[] {
  const { width, height, glyphs, hint } = options;
  const { about } = glyphs;
  const into = `${about}${shortCount(facts.tokens)} tokens in, about ${shortCount(phase.summaryTokens ?? 600)} out`;
  const model = phase.model === undefined ? "" : `, on ${firstWords(phase.model, 60)}`;
  const answers: Readonly<Record<string, readonly [answer: string, what: string]>> = {
    "leaving.enter": ["no", "go now"],
    "leaving.summary": ["yes", `${into}${model}`],
    "leaving.about": [`yes, about${glyphs.ellipsis}`, "with your instructions"],
    "leaving.never": ["stop asking", "change it any time: /settings summary"],
    "leaving.stay": ["stay here", ""],
  };
  const question: Line = [span(" Bring a summary?", "strong")];
  const leaving = flowText(`Leaving ${leftWords(facts, options)}. It stays in the tree.`, width);
  const explained =
    phase.firstTime === true ? flowText("A summary tells the new branch what this one found out.", width) : [];
  const lines: Line[] = [];
  for (const [at, id] of moveAnswers(facts, phase, hint).entries()) {
    const [answer, what] = answers[id] ?? ["", ""];
    const mark = at === (phase.marked ?? 0) ? ` ${glyphs.selected} ` : "   ";
    const start: Line = [span(mark, "accent"), span(`${at + 1} `, "muted"), span(hint(id), "accent")];
    const key = padLine(start, Math.max(12, displayWidth(hint(id)) + 7));
    const words: Line = width < 50 || what === "" ? [span(answer)] : padLine([span(answer)], 14);
    lines.push(width < 50 || what === "" ? [...key, ...words] : [...key, ...words, span(what, "muted")]);
  }
  // In a low window the answers matter most, then what is asked.
  const marked = phase.marked ?? 0;
  const shown = linesAround(lines, { from: marked, to: marked + 1 }, height < 3 ? height : height - 1);
  const room = height - shown.length - 1;
  const above =
    leaving.length + explained.length <= room ? [...leaving, ...explained] : leaving.slice(0, Math.max(0, room));
  return [...above, ...(room >= 0 ? [question] : []), ...shown];
}

/** "#1 wire the tokenizer: 7 entries, ≈4.1k tokens, 2 files". */
function leftWords({ branch, entries, tokens, files }: MoveQuestion, { glyphs }: LayoutOptions): string {
  const parts = [counted(entries, "entry", "entries"), `${glyphs.about}${shortCount(tokens)} tokens`];
  if (files > 0) parts.push(counted(files, "file"));
  const name = firstWords(branch.name, 60);
  return `#${branch.number}${name === "" ? "" : ` ${name}`}: ${parts.join(", ")}`;
}

function askBack(facts: MoveQuestion, phase: MovePhase, options: LayoutOptions): Line[] {
  return [
    ...flowText(`Go back to just before "${firstWords(facts.target, 120)}"?`, options.width),
    ...numberedPieces(facts, phase, options, {
      "leaving.enter": `brings a summary of #${facts.branch.number}`,
      "leaving.none": "goes without",
      "leaving.about": "says what to keep",
      "leaving.stay": "stays",
    }),
  ];
}

/** Answers one after the other, each with its number and its key. */
function numberedPieces(
  facts: MoveQuestion,
  phase: MovePhase,
  { width, glyphs, hint }: LayoutOptions,
  words: Readonly<Record<string, string>>,
): Line[] {
  const marked = phase.kind === "progress" ? 0 : (phase.marked ?? 0);
  const pieces = moveAnswers(facts, phase, hint).map((id, at): Span[] => [
    span(at === marked ? `${glyphs.selected} ` : "", "accent"),
    span(`${at + 1} `, "muted"),
    ...piece(hint(id), words[id] ?? ""),
  ]);
  return flowPieces(pieces, width, glyphs.dot);
}

/** Empty if the action has no key. */
function piece(keys: string, words: string): Span[] {
  return keys === "" ? [] : [span(keys, "accent"), span(` ${words}`)];
}
