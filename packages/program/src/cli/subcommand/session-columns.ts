/** A list of sessions: in columns for a terminal, tab-separated for a pipe. */
import type { SessionInfo } from "@bough/session/session/index.js";
import { shortAge, shortBytes, shortCost, shortCount, shownPath } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { cutToWidth, displayWidth, padToWidth, sessionRow } from "@bough/session/view/internal.js";
import { agentOf, agentWords, type ListedSession, sizeOf } from "./browse/listed-session.js";

export type ListScope = "folder" | "all" | "agents" | "archive";

interface ColumnOptions {
  readonly width: number;
  /** Milliseconds. */
  readonly now: number;
  readonly home: string;
  readonly scope: ListScope;
  /** As much of each id as is needed. */
  readonly ids: ReadonlyMap<string, string>;
}

interface Column {
  readonly name: string;
  readonly align: "left" | "right";
  readonly cell: (session: ListedSession, options: ColumnOptions) => string;
}

/** Before the title. */
const FIRST: readonly Column[] = [
  { name: "id", align: "left", cell: ({ info }, { ids }) => ids.get(info.id) ?? info.id },
];
const AGENT: Column = { name: "agent", align: "left", cell: (session) => agentWords(session) };
/** After it. */
const LAST: readonly Column[] = [
  { name: "age", align: "right", cell: ({ info }, { now }) => shortAge(info.modified.getTime(), now) },
  { name: "turns", align: "right", cell: ({ info }) => counted(info, info.turnCount, shortCount) },
  { name: "branches", align: "right", cell: ({ info }) => counted(info, info.branchCount, shortCount) },
  { name: "size", align: "right", cell: (session) => known(sizeOf(session), shortBytes) },
  { name: "cost", align: "right", cell: ({ info }) => counted(info, info.cost, costText) },
];
const FOLDER: Column = {
  name: "folder",
  align: "left",
  cell: ({ info }, { home }) => sessionRow(info, { home }).folder,
};

const LEAST_TITLE = 12;
const BETWEEN = "  ";

/** The title gets the remaining width. If that is too narrow, columns are dropped from the right. */
export function* sessionColumns(sessions: readonly ListedSession[], options: ColumnOptions): Generator<Line> {
  const { scope, width } = options;
  const first = (scope === "agents" ? [...FIRST, AGENT] : FIRST).map((column) => filled(column, sessions, options));
  const last = (scope === "folder" ? LAST : [...LAST, FOLDER]).map((column) => filled(column, sessions, options));
  const room = () => [...first, ...last].reduce((left, column) => left - column.width - BETWEEN.length, width);
  while (last.length > 0 && room() < LEAST_TITLE) last.pop();
  const forTitle = Math.max(1, room());
  const [id, ...beside] = first as [FilledColumn, ...FilledColumn[]];
  const line = (row: number, title: Line[number], idTone: "accent" | "muted"): Line => [
    span(`${cellText(id, row)}${BETWEEN}`, idTone),
    span(beside.map((column) => `${cellText(column, row)}${BETWEEN}`).join(""), "muted"),
    { ...title, text: padToWidth(cutToWidth(title.text, forTitle), forTitle) },
    span(last.map((column) => `${BETWEEN}${cellText(column, row)}`).join(""), "muted"),
  ];
  yield line(HEADING, span("name or first prompt", "muted"), "muted");
  for (const [row, { info }] of sessions.entries()) {
    const { title, named } = sessionRow(info);
    yield line(row, span(title, named ? "strong" : "text"), "accent");
  }
}

interface FilledColumn extends Column {
  readonly cells: readonly string[];
  readonly width: number;
}

const HEADING = -1;

function filled(column: Column, sessions: readonly ListedSession[], options: ColumnOptions): FilledColumn {
  const cells = sessions.map((session) => column.cell(session, options));
  // No spread: there may be as many rows as there are sessions.
  const width = cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), column.name.length);
  return { ...column, cells, width };
}

function cellText({ name, align, cells, width }: FilledColumn, row: number): string {
  const text = row === HEADING ? name : (cells[row] ?? "");
  return align === "left" ? padToWidth(text, width) : " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

function known<Value>(value: Value | undefined, words: (value: Value) => string): string {
  return value === undefined ? "?" : words(value);
}

/** "12+" for a session that has grown since it was counted. */
function counted<Value>({ exact }: SessionInfo, value: Value | undefined, words: (value: Value) => string): string {
  const text = known(value, words);
  return exact || text.endsWith("?") ? text : `${text}+`;
}

/** "$0.42", "$0.42+?" if some prices are unknown, "?" if all are. */
export function costText({ dollars, unpriced }: { readonly dollars: number; readonly unpriced: number }): string {
  if (unpriced === 0) return shortCost(dollars);
  return dollars === 0 ? "?" : `${shortCost(dollars)}+?`;
}

const TSV_HEADING = ["id", "name", "last", "turns", "branches", "bytes", "dollars", "folder", "file"];

/** A heading and a line for each, with folders as programs expect them. Unknown values are empty. */
export function* sessionTsv(
  sessions: readonly ListedSession[],
  { scope }: Pick<ColumnOptions, "scope">,
): Generator<string> {
  const agents = scope === "agents";
  yield `${[...TSV_HEADING, ...(agents ? ["agent"] : [])].join("\t")}\n`;
  for (const session of sessions) {
    const { info } = session;
    const row = sessionRow(info);
    const last = Number.isFinite(row.modified) ? info.modified.toISOString() : "";
    const dollars = info.cost === undefined || info.cost.unpriced > 0 ? "" : info.cost.dollars.toFixed(4);
    const counts = [info.turnCount ?? "", info.branchCount ?? "", sizeOf(session) ?? "", dollars];
    const cells = [
      row.id,
      row.title,
      last,
      ...counts,
      row.folder,
      shownPath(row.path),
      ...(agents ? [agentOf(session)] : []),
    ];
    // A tab or a line break inside a text would break the columns.
    yield `${cells.map((cell) => String(cell).replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")).join("\t")}\n`;
  }
}
