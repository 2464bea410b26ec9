/** What changed in a file, coloured: the lines of a unified diff without its head. */
import { cutToWidth } from "../../../view/internal.js";
import type { PaintTone } from "../../theme/theme.js";
import { type BlockContext, HANG, moreLines } from "./block-context.js";

interface DiffOptions {
  /** At most so many lines. */
  readonly most: number;
  readonly context: BlockContext;
}

export function diffLines(diff: string, { most, context }: DiffOptions): readonly string[] {
  const { theme, glyphs, width } = context;
  const lines: string[] = [];
  let left = 0;
  for (const line of withoutHead(diff).replace(/\n+$/, "").split("\n")) {
    if (line.startsWith("\\ No newline")) continue;
    if (lines.length >= most) {
      left += 1;
      continue;
    }
    const flat = line.slice(0, width * 8).replaceAll("\t", "  ");
    lines.push(theme.paint(toneOf(line), cutToWidth(flat, Math.max(1, width - HANG), glyphs.ellipsis)));
  }
  if (left > 0) lines.push(moreLines(left, "chat.foldTools", context));
  return lines;
}

/** The names of the two files stand in the title. A removed line may look like one of them, so the head ends at its end. */
function withoutHead(diff: string): string {
  const start = /^@@/m.exec(diff)?.index ?? 0;
  return diff.slice(start);
}

/** The sign at the start of the line says the same as the colour. */
function toneOf(line: string): PaintTone {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return "muted";
}
