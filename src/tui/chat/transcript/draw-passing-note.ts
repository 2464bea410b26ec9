/** A notice in the transcript that is in no file. */
import { withoutControls } from "../../../text/index.js";
import type { PaintTone } from "../../theme/theme.js";
import { type BlockContext, HANG, hang } from "./block-context.js";
import type { DrawnLine } from "./drawn-line.js";
import type { PassingNote } from "./passing-notes.js";
import { wrapped } from "./text-lines.js";

const MOST = 50_000;

export function drawPassingNote({ text, level }: PassingNote, context: BlockContext): DrawnLine[] {
  const { theme, glyphs, width } = context;
  const tone: PaintTone = level === "error" ? "bad" : level === "good" ? "good" : "muted";
  const sign = level === "error" ? glyphs.failed : level === "warning" ? glyphs.warning : glyphs.dot;
  const lines = wrapped(withoutControls(text).slice(0, MOST), Math.max(1, width - HANG));
  const painted = lines.map((line) => theme.paint(tone, line));
  return [{ text: "" }, ...hang(painted, { sign, tone }, context)];
}
