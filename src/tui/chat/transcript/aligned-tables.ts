/** Columns of Markdown tables as their second row asks for it: left, centred or right. */
import { type Markdown, visibleWidth } from "@earendil-works/pi-tui";

type Alignment = "left" | "center" | "right" | null;

/** Parts of the library that its types keep to themselves. It reads the alignment and draws every column flush left. */
interface TableParts {
  renderTable(token: { readonly align: readonly Alignment[] }, ...rest: readonly unknown[]): string[];
  wrapCellText(text: string, width: number): string[];
}

/** Cells are asked for row by row, the header first, so counting them tells the column. */
export function alignTables(markdown: Markdown): Markdown {
  const parts = markdown as unknown as TableParts;
  const renderTable = parts.renderTable.bind(parts);
  const wrapCellText = parts.wrapCellText.bind(parts);
  let alignments: readonly Alignment[] = [];
  let cell = 0;
  parts.renderTable = (token, ...rest) => {
    alignments = token.align;
    cell = 0;
    return renderTable(token, ...rest);
  };
  parts.wrapCellText = (text, width) => {
    const alignment = alignments[cell++ % alignments.length] ?? null;
    return wrapCellText(text, width).map((line) => aligned(line, { width, alignment }));
  };
  return markdown;
}

function aligned(line: string, to: { readonly width: number; readonly alignment: Alignment }): string {
  const free = Math.max(0, to.width - visibleWidth(line));
  if (to.alignment === "right") return " ".repeat(free) + line;
  return to.alignment === "center" ? " ".repeat(Math.floor(free / 2)) + line : line;
}
