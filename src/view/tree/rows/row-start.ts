/** The left end of a row: the selection's sign, the lines of open branches, connector and sign. */
import type { Glyphs } from "../../glyphs.js";
import { type Span, span, type Tone } from "../../line.js";
import type { RowParts, RowSign } from "./describe-row.js";
import type { RowStyle } from "./row-style.js";
import type { TreeRow } from "./tree-row.js";

interface RowStartOptions {
  readonly style: RowStyle;
  readonly glyphs: Glyphs;
  readonly selected: boolean;
}

/** Beyond so many open branches the indent stops and a number says how many there are. */
const MOST_LEVELS: Readonly<Record<RowStyle, number>> = { wide: 4, medium: 4, narrow: 2, tiny: 1 };
const INDENT: Readonly<Record<RowStyle, number>> = { wide: 4, medium: 4, narrow: 2, tiny: 1 };

export function rowStart(row: TreeRow, parts: RowParts, { style, glyphs, selected }: RowStartOptions): Span[] {
  const spans: Span[] = [];
  if (style !== "tiny") spans.push(span(" "));
  spans.push(span(selected ? glyphs.selected : " ", "accent"));
  if (style !== "tiny" || parts.picked) spans.push(span(parts.picked ? glyphs.picked : " ", "accent"));
  spans.push(...rails(row, style, glyphs));
  const isBranch = row.kind === "side" || row.kind === "more";
  if (isBranch) spans.push(span(connector(row, style, glyphs), "muted"));
  const sign = signText(parts.sign, glyphs);
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

function signText(sign: RowSign, glyphs: Glyphs): string {
  return sign === "none" ? " " : glyphs[sign];
}

function signTone(sign: RowSign): Tone {
  if (sign === "here") return "here";
  if (sign === "note") return "note";
  if (sign === "message" || sign === "label" || sign === "state") return sign === "label" ? "label" : "custom";
  if (sign === "failed" || sign === "warning") return "bad";
  return sign === "tool" || sign === "leftOut" || sign === "end" ? "muted" : "text";
}
