/**
 * Places pieces of text one after the other, with line breaks between them as needed. A piece is broken only if it must
 * be.
 */
import { lineWidth } from "./fit-line.js";
import { type Line, type Span, span } from "./line.js";
import { wrapWords } from "./text/wrap-words.js";

export function flowPieces(pieces: readonly Line[], width: number, between: string): Line[] {
  const lines: Span[][] = [];
  const gap = ` ${between} `;
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && lineWidth(last) + gap.length + lineWidth(piece) <= width)
      last.push(span(gap, "muted"), ...piece);
    else if (lineWidth(piece) + 1 <= width) lines.push([span(" "), ...piece]);
    else
      for (const text of wrapWords(piece.map(({ text }) => text).join(""), width - 1)) lines.push([span(` ${text}`)]);
  }
  return lines;
}

/** Wraps a sentence to as many lines as it needs, each indented by one column. */
export function flowText(text: string, width: number): Line[] {
  return wrapWords(text, width - 1).map((line) => [span(` ${line}`)]);
}
