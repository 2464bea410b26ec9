/** Help as lines of a width: names at the left, what they do at the right, reasons below. */
import { firstWords } from "../../text/index.js";
import { type Glyphs, type Line, span } from "../../view/index.js";
import { displayWidth, padToWidth, wrapWords } from "../../view/internal.js";
import type { HelpRow } from "./help-rows.js";

/** Names longer than this stand on a line of their own. */
const WIDEST_NAME = 26;
/** In less than this the words beside the names could not be read: they stand below them. */
const LEAST_ROOM = 18;

export function helpLines(rows: readonly HelpRow[], width: number, glyphs: Glyphs): readonly Line[] {
  const names = rows.map((row) => (row.kind === "entry" ? displayWidth(row.name) : 0));
  const widest = Math.min(Math.max(6, ...names), WIDEST_NAME, Math.floor(width / 2));
  const column = width - widest - 5 < LEAST_ROOM ? 0 : widest;
  const lines: Line[] = [];
  for (const row of rows) {
    if (row.kind === "title") {
      if (lines.length > 0) lines.push([]);
      lines.push([span(` ${firstWords(row.text)}`, "strong")]);
    } else if (row.kind === "text") {
      for (const text of wrapWords(firstWords(row.text, 4000), width - 2)) lines.push([span(` ${text}`)]);
    } else entryLines(row, { width, column, glyphs }, lines);
  }
  return lines;
}

function entryLines(
  row: Extract<HelpRow, { kind: "entry" }>,
  { width, column, glyphs }: { readonly width: number; readonly column: number; readonly glyphs: Glyphs },
  lines: Line[],
): void {
  const off = row.off === undefined ? undefined : `${glyphs.failed} ${firstWords(row.off)}`;
  const room = width - column - 5;
  const texts = wrapWords(firstWords(row.text), room);
  const reasons = off === undefined ? [] : wrapWords(off, room);
  const tone = off === undefined ? "accent" : "muted";
  const name = firstWords(row.name);
  const start = " ".repeat(column + 4);
  if (displayWidth(name) > column) {
    for (const part of wrapWords(name, width - 3)) lines.push([span(`  ${part}`, tone)]);
  } else {
    const [first = ""] = texts.splice(0, 1);
    lines.push([span(`  ${padToWidth(name, column)}`, tone), span(`  ${first}`, off === undefined ? "text" : "muted")]);
  }
  for (const text of texts) lines.push([span(`${start}${text}`, off === undefined ? "text" : "muted")]);
  for (const text of reasons) lines.push([span(`${start}${text}`, "bad")]);
}
