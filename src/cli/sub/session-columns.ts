/** A list of sessions as columns for a terminal, and separated by tabs for a pipe. */

import type { SessionInfo } from "../../session/index.js";
import {
  cutToWidth,
  displayWidth,
  type Line,
  padToWidth,
  sessionRow,
  shortAge,
  shortBytes,
  shortCost,
  shortCount,
  span,
} from "../../view/index.js";
import type { SessionCost } from "./session-cost.js";

export interface ListedSession {
  readonly info: SessionInfo;
  readonly cost?: SessionCost;
  readonly archivedAt?: string | undefined;
}

export interface ColumnOptions {
  readonly width: number;
  /** Milliseconds. */
  readonly now: number;
  readonly home: string;
  readonly scope: "folder" | "all" | "archive";
}

const LEAST_TITLE = 12;
/** As long as a person needs to tell sessions apart; any start that only one has will do. */
const ID_LENGTH = 8;

/** The title takes what the other columns leave. Columns are left out from the right where it would get too little. */
export function* sessionColumns(sessions: readonly ListedSession[], options: ColumnOptions): Generator<Line> {
  const rows = sessions.map((session) => cellsOf(session, options));
  const names = ["id", "age", "msgs", "branches", "size", ...costColumn(sessions), ...folderColumn(options)];
  const widths = names.map((name, i) => Math.max(name.length, ...rows.map((row) => displayWidth(row.cells[i] ?? ""))));
  let shown = names.length;
  const room = () => options.width - widths.slice(0, shown).reduce((sum, width) => sum + width + 2, 0);
  while (shown > 1 && room() < LEAST_TITLE) shown -= 1;
  const line = (cells: readonly string[], title: Line[number], tone: "text" | "muted"): Line => [
    span(`${padToWidth(cells[0] ?? "", widths[0] ?? 0)}  `, tone === "muted" ? "muted" : "accent"),
    { ...title, text: padToWidth(cutToWidth(title.text, Math.max(1, room())), Math.max(1, room())) },
    span(
      cells
        .slice(1, shown)
        .map(
          (cell, i) =>
            `  ${i + 1 < FIRST_LEFT ? padStart(cell, widths[i + 1] ?? 0) : padToWidth(cell, widths[i + 1] ?? 0)}`,
        )
        .join(""),
      "muted",
    ),
  ];
  yield line(names, span("name or first prompt", "muted"), "muted");
  for (const { cells, title } of rows) yield line(cells, title, "text");
}

/** Columns before this one hold numbers. */
const FIRST_LEFT = 6;

function cellsOf({ info, cost }: ListedSession, { now, home, scope }: ColumnOptions) {
  const row = sessionRow(info, { home });
  const cells = [
    row.id.slice(0, ID_LENGTH),
    shortAge(row.modified, now),
    row.messages === undefined ? "?" : shortCount(row.messages),
    row.branches === undefined ? "?" : shortCount(row.branches),
    shortBytes(row.size),
  ];
  if (cost !== undefined) cells.push(costText(cost));
  if (scope !== "folder") cells.push(row.folder);
  return { cells, title: span(row.title, row.named ? "strong" : "text") };
}

/** "$0.42", "$0.42+?" where a price is not known, "?" where none is. */
export function costText({ dollars, unpriced }: { readonly dollars: number; readonly unpriced: number }): string {
  if (unpriced === 0) return shortCost(dollars);
  return dollars === 0 ? "?" : `${shortCost(dollars)}+?`;
}

function costColumn(sessions: readonly ListedSession[]): string[] {
  return sessions.some(({ cost }) => cost !== undefined) ? ["cost"] : [];
}

function folderColumn({ scope }: ColumnOptions): string[] {
  return scope === "folder" ? [] : ["folder"];
}

function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** A heading and a line for each. */
export function* sessionTsv(
  sessions: readonly ListedSession[],
  { home }: { readonly home: string },
): Generator<string> {
  const withCost = sessions.some(({ cost }) => cost !== undefined);
  const heading = [
    "id",
    "name",
    "last",
    "messages",
    "branches",
    "bytes",
    "folder",
    "file",
    ...(withCost ? ["dollars"] : []),
  ];
  yield `${heading.join("\t")}\n`;
  for (const { info, cost } of sessions) {
    const row = sessionRow(info, { home });
    const last = Number.isFinite(row.modified) ? new Date(row.modified).toISOString() : "";
    const cells = [row.id, row.title, last, row.messages ?? "", row.branches ?? "", row.size, row.folder, row.path];
    if (withCost) cells.push(cost === undefined || cost.unpriced > 0 ? "" : cost.dollars.toFixed(4));
    // A tab or a line break inside a text would make a column or a row of its own.
    yield `${cells.map((cell) => String(cell).replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")).join("\t")}\n`;
  }
}
