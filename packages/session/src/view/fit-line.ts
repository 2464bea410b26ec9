/** Fits lines to a width: cut, padded, with text at the right end, or drawn as selected. */
import type { Glyphs } from "./glyphs.js";
import { type Line, lineText, type Span, span } from "./line.js";
import { cutToWidth, displayWidth, padToWidth } from "./text/display-width.js";

export function lineWidth(line: Line): number {
  let width = 0;
  for (const { text } of line) width += displayWidth(text);
  return width;
}

/** The start of a line, at most this many columns; if something is cut, it ends with the mark. */
export function cutLine(line: Line, width: number, mark = "…"): Line {
  if (lineWidth(line) <= width) return line;
  const room = Math.max(0, width - displayWidth(mark));
  const kept: Span[] = [];
  let used = 0;
  for (const { text, tone } of line) {
    const wide = displayWidth(text);
    if (used + wide > room) {
      kept.push(span(cutToWidth(text, room - used, ""), tone));
      break;
    }
    kept.push({ text, tone });
    used += wide;
  }
  const tone = kept.at(-1)?.tone ?? "text";
  return displayWidth(mark) > width ? kept : [...kept, span(mark, tone)];
}

/** The line padded with spaces to a width; cut if it is longer. */
export function padLine(line: Line, width: number, mark = "…"): Line {
  const cut = cutLine(line, width, mark);
  const missing = width - lineWidth(cut);
  return missing > 0 ? [...cut, span(" ".repeat(missing))] : cut;
}

/**
 * One line at the left, one at the right end. The left is cut; if hardly any of it would remain, the right is dropped.
 */
export function fitLine(left: Line, right: Line, width: number, mark = "…"): Line {
  const rightWidth = lineWidth(right);
  const leftWidth = lineWidth(left);
  if (rightWidth === 0) return cutLine(left, width, mark);
  const room = width - rightWidth - 1;
  if (room < Math.min(leftWidth, LEAST_LEFT)) return cutLine(left, width, mark);
  return [...padLine(left, room, mark), span(" "), ...right];
}

const LEAST_LEFT = 8;

/** The whole line in one span, as the selected row is drawn. */
export function selectLine(line: Line, width: number, mark = "…"): Line {
  return [span(padToWidth(lineText(line), width, mark), "select")];
}

/** A horizontal rule, with other symbols where columns meet it. */
export function rule(
  width: number,
  glyphs: Pick<Glyphs, "rule">,
  crossings: readonly { readonly at: number; readonly glyph: string }[] = [],
): Line {
  const signs = Array.from({ length: Math.max(0, width - 1) }, () => glyphs.rule);
  for (const { at, glyph } of crossings) if (at >= 1 && at <= signs.length) signs[at - 1] = glyph;
  return [span(` ${signs.join("")}`.slice(0, Math.max(0, width)), "muted")];
}
