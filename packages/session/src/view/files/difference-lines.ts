/** Differences of files as lines to draw: a list with counts, and diffs. */
import { counted, shortBytes, visibleText } from "../../text/index.js";
import { padLine } from "../fit-line.js";
import { type Line, type Span, span, type Tone } from "../line.js";
import { displayWidth } from "../text/display-width.js";
import { diffMargins } from "./diff-numbers.js";
import { changeLetter, differenceWords, type FileDifference, patchOf } from "./file-difference.js";

const LETTER_TONES: Readonly<Record<FileDifference["change"], Tone>> = {
  added: "good",
  deleted: "bad",
  changed: "accent",
  renamed: "note",
  mode: "note",
};

/** "M src/a.ts  +3 -1", with the counts in one column. Names are never cut. */
export function differenceList(differences: readonly FileDifference[]): Line[] {
  const names = differences.map(shownNames);
  const widest = names.reduce((most, name) => Math.max(most, displayWidth(name)), 0);
  const column = Math.min(widest, WIDEST_COLUMN);
  return differences.map((difference, at) => {
    const sign = span(changeLetter(difference), LETTER_TONES[difference.change]);
    const name = padLine([span(names[at] as string)], Math.max(column, displayWidth(names[at] as string)), "");
    return [sign, span(" "), ...name, span("  "), ...countSpans(difference)];
  });
}

/** One long name must not push the counts of all others out of view. */
const WIDEST_COLUMN = 60;

function shownNames({ path, from }: FileDifference): string {
  return from === undefined ? oneLineName(path) : `${oneLineName(from)} => ${oneLineName(path)}`;
}

/** Escapes everything hidden in a name, because it is untrusted. */
function oneLineName(path: string): string {
  return visibleText(path, { newlines: "escape" }).text;
}

function countSpans(difference: FileDifference): Span[] {
  return differenceWords(difference, shortBytes)
    .split(/(?<= )/)
    .map((word) => span(word, word.startsWith("+") ? "good" : word.startsWith("-") ? "bad" : "muted"));
}

const DIFF_TONES: Readonly<Record<string, Tone>> = { "+": "good", "-": "bad", "@": "accent" };

export interface DiffLinesOptions {
  /** Further lines are counted but not shown. Default: no limit. */
  readonly most?: number;
  /** Put line numbers before the lines. Default: no, so that it is a patch. */
  readonly numbers?: boolean;
}

/** The patch of one file. Hidden characters are shown as escapes. */
export function differenceLines(
  difference: FileDifference,
  { most = Number.MAX_SAFE_INTEGER, numbers = false }: DiffLinesOptions = {},
): Line[] {
  const all = patchOf(difference).replace(/\n$/, "").split("\n");
  const head = all.findIndex((line) => line.startsWith("@@"));
  const kept = all.slice(0, most);
  const margins = numbers ? diffMargins(kept) : [];
  const lines = kept.map((line, at): Line => {
    const isHead = head < 0 || at < head;
    const tone = isHead ? "strong" : (DIFF_TONES[line.slice(0, 1)] ?? (line.startsWith("\\") ? "muted" : "text"));
    // The carriage return of a Windows line need not be shown.
    const text = span(visibleText(line.replace(/\r$/, "")).text, tone);
    // The head of the file is a title: it begins where the numbers do.
    return numbers && !isHead ? [span(margins[at] ?? "", "muted"), text] : [text];
  });
  if (all.length > most) lines.push([span(`... ${counted(all.length - most, "more line")}`, "muted")]);
  return lines;
}
