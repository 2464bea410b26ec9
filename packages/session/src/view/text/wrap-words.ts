/** Wraps text to a width, at spaces if possible. */
import { cutToWidth, displayWidth } from "./display-width.js";

/** Newlines are kept, tabs become spaces, and a word wider than a line is cut. Lines end without spaces. */
export function wrapWords(text: string, width: number): string[] {
  const most = Math.max(2, width);
  const lines: string[] = [];
  for (const paragraph of text.replaceAll("\t", "  ").split("\n")) wrapOne(paragraph, most, lines);
  return lines;
}

function wrapOne(paragraph: string, width: number, lines: string[]): void {
  let line = "";
  let used = 0;
  for (const piece of paragraph.match(/ *[^ ]+/g) ?? []) {
    const wide = displayWidth(piece);
    if (used + wide <= width) {
      line += piece;
      used += wide;
      continue;
    }
    if (used > 0) lines.push(line);
    let rest = used > 0 ? piece.trimStart() : piece;
    while (displayWidth(rest) > width) {
      const cut = cutToWidth(rest, width, "");
      // A character wider than the line must be taken anyway to make progress.
      const taken = cut === "" ? rest.slice(0, 2) : cut;
      lines.push(taken);
      rest = rest.slice(taken.length);
    }
    line = rest;
    used = displayWidth(rest);
  }
  lines.push(line);
}
