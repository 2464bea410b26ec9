/** The todo list above the editor: the current item, the next ones, and how many are finished. */
import type { TodoItem } from "../../entry/index.js";
import { firstWords } from "../../text/index.js";
import { cutLine } from "../fit-line.js";
import type { Glyphs } from "../glyphs.js";
import { type Line, span } from "../line.js";

export interface TodoLinesOptions {
  readonly width: number;
  /** The number of lines available. */
  readonly height: number;
  readonly glyphs: Glyphs;
}

/** Empty once everything is done. Finished items are dropped first, then the last ones. */
export function todoLines(items: readonly TodoItem[], { width, height, glyphs }: TodoLinesOptions): readonly Line[] {
  if (items.every(({ status }) => status === "done") || height < 1) return [];
  const done = items.filter(({ status }) => status === "done").length;
  const room = height - 1;
  const shown = items.length <= room ? items : chosen(items, room);
  const rest = items.length - shown.length;
  const lines = shown.map((item) => itemLine(item, glyphs));
  const hidden = rest > 0 ? ` ${glyphs.dot} ${rest} not shown` : "";
  const counts = ` ${glyphs.dot} ${done} of ${items.length} done${hidden}`;
  const head: Line = [span(" Todo", "strong"), span(counts, "muted")];
  return [head, ...lines].map((line) => cutLine(line, width, glyphs.ellipsis));
}

/** A window of items around the first one that is not done. */
function chosen(items: readonly TodoItem[], room: number): readonly TodoItem[] {
  const first = items.findIndex(({ status }) => status === "in_progress");
  const at = first >= 0 ? first : items.findIndex(({ status }) => status !== "done");
  const start = Math.max(0, Math.min(at, items.length - room));
  return items.slice(start, start + room);
}

function itemLine({ text, status }: TodoItem, glyphs: Glyphs): Line {
  const words = firstWords(text, 500);
  if (status === "done") return [span(`   ${glyphs.picked} `, "good"), span(words, "muted")];
  if (status === "in_progress") return [span(`   ${glyphs.selected} `, "accent"), span(words, "strong")];
  return [span(`   ${glyphs.answer} `, "muted"), span(words)];
}
