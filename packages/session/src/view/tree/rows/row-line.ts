/** One row at a given width: symbols, text, and its right end. */
import { counted, grouped, shortAge } from "../../../text/index.js";
import { cutLine, fitLine, lineWidth, selectLine } from "../../fit-line.js";
import type { Glyphs } from "../../glyphs.js";
import { type Line, type Span, span, type Tone } from "../../line.js";
import { cutToWidth, displayWidth, padToWidth } from "../../text/display-width.js";
import type { RowParts, RowSign } from "./describe-row.js";
import { markedWords } from "./marked-words.js";
import type { RowStyle } from "./row-style.js";
import type { TreeRow } from "./tree-row.js";

interface RowOptions {
  readonly width: number;
  readonly style: RowStyle;
  readonly glyphs: Glyphs;
  readonly now: number;
  readonly labelTimes: boolean;
  readonly selected: boolean;
  /** Columns for the names of side branches, so that the text after them is aligned. */
  readonly nameWidth: number;
  /** Digits of the longest turn count, also for alignment. */
  readonly digits: number;
  /** Words of a search, to be highlighted. */
  readonly marked: readonly string[];
  /** The label being edited on this row. */
  readonly editing: { readonly text: string; readonly cursor: number } | undefined;
}

interface RowLine {
  readonly line: Line;
  /** The column of the real cursor. */
  readonly column: number;
}

/** Fewer columns than this are useless for the text. */
const LEAST_WORDS = 8;

export function rowLine(row: TreeRow, parts: RowParts, options: RowOptions): RowLine {
  const { width, glyphs, selected, editing } = options;
  const start = rowStart(row, parts, options);
  const behind = editing === undefined ? suffixes(row, parts, options) : [span(`  [${editing.text}]`, "label")];
  const right = editing === undefined ? rightEnd(parts, options) : [];
  const room = () => width - lineWidth(start) - lineWidth(behind) - (right.length === 0 ? 0 : lineWidth(right) + 1);
  // The suffixes after the text are dropped first, starting with the last.
  while (behind.length > 0 && editing === undefined && room() < Math.min(LEAST_WORDS, displayWidth(parts.text)))
    behind.pop();
  const words = wordsOf(row, parts, { ...options, room: Math.max(0, room()) });
  const line = fitLine([...start, ...words, ...behind], right, width, glyphs.ellipsis);
  const edited = editing === undefined ? undefined : lineWidth(start) + lineWidth(words) + 3;
  const column =
    edited === undefined ? CURSOR_COLUMN : edited + displayWidth(editing?.text.slice(0, editing.cursor) ?? "");
  const cut = cutLine(line, width, glyphs.ellipsis);
  return {
    line: selected ? selectLine(cut, width, glyphs.ellipsis) : cut,
    column: Math.min(column, Math.max(0, width - 1)),
  };
}

/** The column of the selected row's symbol. */
const CURSOR_COLUMN = 1;

/** The text itself, cut to its room; names of branches are padded for alignment. */
function wordsOf(row: TreeRow, parts: RowParts, options: RowOptions & { readonly room: number }): Line {
  const { glyphs, room, style, nameWidth, marked } = options;
  const plain = spelled(row, parts.text, glyphs);
  const aligned = row.kind === "side" && (style === "wide" || style === "medium") && plain !== "continues";
  const text = aligned
    ? padToWidth(plain, Math.min(room, nameWidth), glyphs.ellipsis)
    : cutToWidth(plain, room, glyphs.ellipsis);
  const tone = toneOf(row, parts);
  return parts.isMatch ? markedWords(text, marked, tone) : [span(text, tone)];
}

/** Our own text contains a dot, which the ASCII alphabet replaces. */
function spelled(row: TreeRow, text: string, glyphs: Glyphs): string {
  return row.kind === "here" ? text.replace("·", glyphs.dot) : text;
}

/** The suffixes after the text, most important first. */
function suffixes(row: TreeRow, parts: RowParts, options: RowOptions): Span[] {
  const { style, glyphs, now, labelTimes, digits } = options;
  const spans: Span[] = [];
  const roomy = style === "wide" || style === "medium";
  if (parts.active) spans.push(span(roomy ? `  ${glyphs.back} active` : ` ${glyphs.back}`, "here"));
  if (parts.length !== undefined && roomy) {
    const { count, of } = parts.length;
    const length = of === "turns" ? counted(count, "turn") : counted(count, "entry", "entries");
    const text =
      parts.text === "continues"
        ? `, ${length}`
        : `  ${" ".repeat(Math.max(0, digits - grouped(count).length))}${length}`;
    spans.push(span(text, "muted"));
  }
  if (style !== "tiny") {
    for (const { label, time } of parts.labels) {
      const age = labelTimes && time > 0 ? ` ${shortAge(time, now)}` : "";
      spans.push(span(`${roomy ? "  " : " "}[${label}${age}]`, "label"));
    }
  }
  if (parts.replicas.length > 0 && style !== "tiny")
    spans.push(span(`${roomy ? "  " : " "}${glyphs.sync} ${parts.replicas.join(", ")}`, "note"));
  // Without columns at the right end, it follows the text.
  if (!roomy && parts.changed !== 0) spans.push(span(` ${changedWords(parts, glyphs)}`, "muted"));
  if (parts.trouble !== undefined && (roomy || row.kind !== "side")) {
    spans.push(span(roomy ? `  ${glyphs.failed} ${parts.trouble}` : ` ${glyphs.failed}`, "bad"));
  }
  if (parts.remark !== undefined && style !== "tiny") spans.push(span(`  ${parts.remark}`, "bad"));
  if (parts.matchesInside > 0) {
    const text = style === "wide" || style === "medium" ? counted(parts.matchesInside, "match", "matches") : "";
    spans.push(span(text === "" ? ` (${parts.matchesInside})` : `  ${text} inside`, "accent"));
  }
  return spans;
}

/** Counts and the age, aligned with the rows above. */
function rightEnd(parts: RowParts, { style, now, glyphs }: RowOptions): Line {
  if (style === "tiny") return [];
  if (style === "narrow") {
    const { length, trouble } = parts;
    if (length === undefined) return [];
    const count = `${grouped(length.count)}${length.of === "turns" ? "t" : "e"}`.padStart(4);
    return [span(count, "muted"), span(trouble === undefined ? "  " : ` ${glyphs.failed}`, "bad")];
  }
  const spans: Span[] = [];
  const count = parts.tools > 0 ? counted(parts.tools, "tool") : parts.files > 0 ? counted(parts.files, "file") : "";
  if (count !== "" && style === "wide") spans.push(span(count, "muted"));
  if (parts.changed !== 0) spans.push(span(`${spans.length > 0 ? "  " : ""}${changedWords(parts, glyphs)}`, "accent"));
  const age = parts.time > 0 ? shortAge(parts.time, now) : "";
  spans.push(span(age.padStart(spans.length > 0 ? AGE_COLUMNS + 1 : AGE_COLUMNS), "muted"), span(" "));
  return spans;
}

const AGE_COLUMNS = 4;

/** "±3". */
function changedWords({ changed }: RowParts, glyphs: Glyphs): string {
  return `${glyphs.changed}${changed === "many" ? glyphs.ellipsis : changed}`;
}

function toneOf(row: TreeRow, { sign }: RowParts): Tone {
  if (row.kind === "earlier" || row.kind === "later" || row.kind === "more" || row.kind === "end") return "muted";
  if (sign === "here") return row.kind === "here" ? "here" : "strong";
  if (sign === "note") return "note";
  if (sign === "message") return "custom";
  if (sign === "failed" || sign === "warning") return "bad";
  return sign === "tool" || sign === "label" || sign === "state" ? "muted" : "text";
}

/** The left end of a row: the selection symbol, the lines of open branches, connector and symbol. */
type RowStartOptions = Pick<RowOptions, "style" | "glyphs" | "selected">;

/** Beyond this many open branches the indent stops and a number shows the depth. */
const MOST_LEVELS: Readonly<Record<RowStyle, number>> = { wide: 4, medium: 4, narrow: 2, tiny: 1 };
const INDENT: Readonly<Record<RowStyle, number>> = { wide: 4, medium: 4, narrow: 2, tiny: 1 };

function rowStart(row: TreeRow, parts: RowParts, { style, glyphs, selected }: RowStartOptions): Span[] {
  const spans: Span[] = [];
  if (style !== "tiny") spans.push(span(" "));
  spans.push(span(selected ? glyphs.selected : " ", "accent"));
  if (style !== "tiny" || parts.picked) spans.push(span(parts.picked ? glyphs.picked : " ", "accent"));
  spans.push(...rails(row, style, glyphs));
  const isBranch = row.kind === "side" || row.kind === "more";
  if (isBranch) spans.push(span(connector(row, style, glyphs), "muted"));
  const sign = parts.sign === "none" ? " " : glyphs[parts.sign];
  spans.push(span(sign, signTone(parts.sign)));
  if (parts.branch !== undefined) {
    spans.push(
      span(
        `${style === "tiny" ? "" : " "}#${parts.branch}${style === "wide" || style === "medium" ? "  " : " "}`,
        "strong",
      ),
    );
  } else if (isBranch) spans.push(span(" "));
  else
    spans.push(
      span(style === "tiny" ? " " : row.kind === "earlier" && (style === "wide" || style === "medium") ? "   " : "  "),
    );
  return spans;
}

function rails(row: TreeRow, style: RowStyle, glyphs: Glyphs): Span[] {
  const depth = row.rails.length;
  if (depth === 0) return [];
  const most = MOST_LEVELS[style];
  let lines = "";
  for (const goesOn of row.rails.slice(0, most)) {
    lines += (goesOn ? glyphs.through : " ").padEnd(INDENT[style]);
  }
  return [span(depth > most ? `${lines}${glyphs.deeper}${depth} ` : lines, "muted")];
}

function connector(row: TreeRow, style: RowStyle, glyphs: Glyphs): string {
  if (style === "tiny") return "";
  const turn = row.last ? glyphs.lastBranch : glyphs.branch;
  return style === "narrow" ? turn : `${turn}${glyphs.dash}`;
}

function signTone(sign: RowSign): Tone {
  if (sign === "here") return "here";
  if (sign === "note") return "note";
  if (sign === "message" || sign === "label" || sign === "state") return sign === "label" ? "label" : "custom";
  if (sign === "failed" || sign === "warning") return "bad";
  return sign === "tool" || sign === "leftOut" || sign === "end" ? "muted" : "text";
}
