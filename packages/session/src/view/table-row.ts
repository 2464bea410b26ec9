/** Cells of text side by side, each with a fixed width. */
import { type Line, type Span, span, type Tone } from "./line.js";
import { cutToWidth, displayWidth } from "./text/display-width.js";

export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly align?: "left" | "right" | undefined;
  readonly tone?: Tone;
}

/** A text too long for its cell is cut. A cell without width is omitted. */
export function tableRow(cells: readonly Cell[], mark: string): Line {
  const line: Span[] = [];
  for (const { text, width, align = "left", tone = "text" } of cells) {
    if (width <= 0) continue;
    const cut = cutToWidth(text, width, mark);
    const fill = " ".repeat(Math.max(0, width - displayWidth(cut)));
    line.push(span(align === "left" ? cut + fill : fill + cut, tone));
  }
  return line;
}
