/** The parts of a comparison that are the same side by side and stacked. */
import { counted, firstWords, shortCost, shortCount } from "../../text/index.js";
import { cutLine, padLine } from "../fit-line.js";
import type { Glyphs } from "../glyphs.js";
import { type Line, type Span, span } from "../line.js";
import type { LayoutOptions } from "../list-layout.js";
import type { CompareSide, CompareTurn } from "./compare-model.js";

export function branchText({ number, name }: { readonly number: number; readonly name: string }): string {
  return name === "" ? `#${number}` : `#${number} ${name}`;
}

/** Enough to tell branches apart. */
const LEAST_NAME = 12;

/** "#1 wire the tokenizer   34 turns  ≈88k tokens  $0.42". */
export function sideHeading(side: CompareSide, { about, ellipsis }: Glyphs, width: number): Line {
  const totals = [
    counted(side.turns.length, "turn"),
    `${side.tokens === 0 ? "" : about}${shortCount(side.tokens)} tokens`,
  ];
  if (side.dollars > 0) totals.push(shortCost(side.dollars));
  const size = () => `   ${totals.join("  ")}`;
  while (totals.length > 1 && size().length > width - LEAST_NAME) totals.pop();
  // The name gives way to the numbers.
  const name = cutLine([span(branchText(side), "strong")], Math.max(LEAST_NAME, width - size().length), ellipsis);
  return [...name, span(size(), "muted")];
}

/** The two lines of a turn: the prompt and the outcome. */
export function turnLines(
  turn: CompareTurn,
  { glyphs, picked }: { readonly glyphs: Glyphs; readonly picked: boolean },
): readonly [Line, Line] {
  const asked = firstWords(turn.prompt) || "(continued)";
  const sign: Span = picked ? span(glyphs.picked, "good") : span(glyphs.prompt);
  return [[sign, span(` ${asked}`)], [span(`  ${outcomeText(turn, glyphs)}`, "muted")]];
}

function outcomeText(turn: CompareTurn, glyphs: Glyphs): string {
  const counts: string[] = [];
  if (turn.toolCalls > 0) counts.push(counted(turn.toolCalls, "tool"));
  if (turn.errors > 0) counts.push(counted(turn.errors, "failure"));
  const answer = firstWords(turn.answer);
  return [counts.join(", "), answer].filter((part) => part !== "").join(` ${glyphs.dot} `) || "no answer";
}

export function endLine({ end }: CompareSide, glyphs: Glyphs): Line {
  switch (end.kind) {
    case "empty":
      return [span("nothing after the split", "muted")];
    case "failed":
      return [span(`${glyphs.failed} ends with a failure`, "bad"), span(end.text === "" ? "" : `: ${end.text}`)];
    case "prompt":
      return [span("ends with an unanswered prompt: ", "muted"), span(end.text)];
    case "tool":
      return [span("ends with: ", "muted"), span(end.text)];
    case "summary":
      return [span("ends with a summary: ", "muted"), span(end.text)];
    case "answer":
      return [span("ends: ", "muted"), span(end.text)];
  }
}

/** Names until the line is full; the caller cuts it. */
export function fileLine(title: string, files: readonly string[]): Line {
  return files.length === 0 ? [] : [span(`  ${title}  `, "muted"), span(files.slice(0, 40).join("  "))];
}

/** "files  4 only here · 1 in both · 1 only there". */
export function fileCounts(
  {
    onlyA,
    both,
    onlyB,
  }: { readonly onlyA: readonly string[]; readonly both: readonly string[]; readonly onlyB: readonly string[] },
  { dot, a, b }: { readonly dot: string; readonly a: string; readonly b: string },
): Line {
  if (onlyA.length + both.length + onlyB.length === 0) return [span("no files changed", "muted")];
  const counts = `${onlyA.length} only ${a} ${dot} ${both.length} in both ${dot} ${onlyB.length} only ${b}`;
  return [span("files  ", "muted"), span(counts)];
}

/** The symbol at the left edge of each half, for the selected turn. */
interface HalfSigns {
  readonly a?: Span;
  readonly b?: Span;
}

/** Two halves with a column between them. */
export function pair(
  a: Line,
  b: Line,
  at: {
    readonly options: LayoutOptions;
    readonly middle: number;
    readonly between?: string;
    readonly signs?: HalfSigns;
  },
): Line {
  const { width, glyphs } = at.options;
  const left = padLine([at.signs?.a ?? span(" "), ...a], at.middle - 1, glyphs.ellipsis);
  const right = cutLine([at.signs?.b ?? span(" "), ...b], width - at.middle - 1, glyphs.ellipsis);
  return [...left, span(" "), span(at.between ?? glyphs.column, "muted"), ...right];
}
