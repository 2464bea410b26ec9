/** The list of sessions, for /resume and /import. */
import { counted, firstWords, grouped, shortAge, shortBytes } from "../../text/index.js";
import { fitLine, rule } from "../fit-line.js";
import { hintLine, noMatchText } from "../hints.js";
import { type Line, span } from "../line.js";
import { frameList, tableRow } from "../list-frame.js";
import type { DrawnList, LayoutOptions } from "../list-layout.js";
import { displayWidth } from "../text/display-width.js";
import type { SessionRow, SessionSort } from "./session-rows.js";

export interface SessionListState {
  readonly rows: readonly SessionRow[];
  /** How many there are without the search. */
  readonly total: number;
  readonly selected: number;
  readonly top: number;
  readonly sort: SessionSort;
  readonly words: string;
  /** `agents`: sessions of other agents. */
  readonly scope: "folder" | "all" | "agents" | "archive";
  /** Present while the list is still growing; a total of 0 is not known. */
  readonly reading?: { readonly done: number; readonly total: number } | undefined;
  /** A line in place of the hints: a question, a status. */
  readonly message?: Line | undefined;
}

export function layoutSessions(state: SessionListState, options: LayoutOptions): DrawnList {
  const { width, glyphs } = options;
  const head = [headLine(state, options), rule(width, glyphs)];
  if (width >= 60 && state.rows.length > 0) head.splice(1, 1, columnNames(state, options));
  return frameList(
    {
      head,
      foot: [state.message ?? hints(state, options)],
      count: state.rows.length,
      selected: state.selected,
      top: state.top,
      row: (index) => rowLine(state.rows[index] as SessionRow, { state, options, selected: index === state.selected }),
      empty: [[span(` ${emptyText(state, options)}`, "muted")]],
    },
    options,
  );
}

function headLine(state: SessionListState, { width, glyphs, hint }: LayoutOptions): Line {
  const where = WHERE[state.scope];
  const search = firstWords(state.words, 60);
  const found = search === "" ? grouped(state.total) : `${grouped(state.rows.length)} of ${grouped(state.total)}`;
  const left = [span(" Sessions", "strong"), span(` ${glyphs.dot} ${found} ${width < 60 ? "" : where}`.trimEnd())];
  if (search !== "") left.push(span(`  /${search}`, "accent"));
  const reading = state.reading === undefined ? "" : readingText(state.reading, glyphs.ellipsis);
  const sort = hint("resume.sort");
  const sorted = `sort: ${state.sort}${sort === "" || width < 60 ? "" : ` (${sort})`}`;
  return fitLine(left, [span(reading || sorted, "muted")], width, glyphs.ellipsis);
}

function readingText({ done, total }: { readonly done: number; readonly total: number }, mark: string): string {
  return total === 0 ? `looking${mark}` : `reading ${done} of ${total}${mark}`;
}

const WHERE: Readonly<Record<SessionListState["scope"], string>> = {
  folder: "in this folder",
  all: "in all folders",
  agents: "from other agents",
  archive: "in the archive",
};

function emptyText(state: SessionListState, { glyphs, hint }: LayoutOptions): string {
  if (state.reading !== undefined) {
    return state.scope === "agents"
      ? `Looking for sessions of other agents${glyphs.ellipsis}`
      : `Reading sessions${glyphs.ellipsis}`;
  }
  if (state.words.trim() !== "") return noMatchText("session", state.words, hint("resume.close"));
  if (state.scope === "archive") return "The archive is empty.";
  if (state.scope === "agents") return "None found in the usual places. /import with a file takes one from elsewhere.";
  return state.scope === "folder"
    ? "No sessions in this folder yet. Send a prompt and it becomes the first."
    : "No sessions yet. Send a prompt and it becomes the first.";
}

interface Columns {
  readonly agent: number;
  readonly title: number;
  readonly folder: number;
  readonly messages: number;
  readonly branches: number;
  readonly size: number;
  readonly age: number;
}

/** Narrow screens lose size, branches, messages and folder, in this order. */
function columnsAt(width: number, scope: SessionListState["scope"]): Columns {
  if (scope === "agents") return foreignColumns(width);
  const age = width >= 30 ? 6 : 0;
  const messages = width >= 60 ? 10 : 0;
  const branches = width >= 72 ? 10 : 0;
  const size = width >= 84 ? 9 : 0;
  const rest = width - 3 - age - messages - branches - size - 1;
  const folder = scope !== "folder" && width >= 60 ? Math.floor(rest * 0.4) : 0;
  return { agent: 0, title: Math.max(4, rest - folder), folder, messages, branches, size, age };
}

/** Whose it is stays where there is any room; nothing of another agent is counted before it is imported. */
function foreignColumns(width: number): Columns {
  const age = width >= 30 ? 6 : 0;
  const agent = width >= 36 ? 13 : 0;
  const size = width >= 60 ? 9 : 0;
  const rest = width - 3 - age - agent - size - 1;
  const folder = width >= 72 ? Math.floor(rest * 0.4) : 0;
  return { agent, title: Math.max(4, rest - folder), folder, messages: 0, branches: 0, size, age };
}

function columnNames(state: SessionListState, { width, glyphs }: LayoutOptions): Line {
  const columns = columnsAt(width, state.scope);
  const named = (text: string, wide: number) => ({
    text,
    width: wide,
    align: "right" as const,
    tone: "muted" as const,
  });
  return tableRow(
    [
      ...(columns.agent === 0
        ? [{ text: "   name", width: 3 + columns.title, tone: "muted" as const }]
        : [
            { text: "   agent", width: 3 + columns.agent, tone: "muted" as const },
            { text: "name", width: columns.title, tone: "muted" as const },
          ]),
      { text: "folder", width: columns.folder, tone: "muted" },
      named("messages", columns.messages),
      named("branches", columns.branches),
      named("size", columns.size),
      named("last", columns.age),
    ],
    glyphs.ellipsis,
  );
}

function rowLine(
  row: SessionRow,
  {
    state,
    options,
    selected,
  }: { readonly state: SessionListState; readonly options: LayoutOptions; readonly selected: boolean },
): Line {
  const { width, glyphs, now } = options;
  const columns = columnsAt(width, state.scope);
  const sign = selected ? glyphs.selected : row.current ? glyphs.here : " ";
  const muted = (text: string, wide: number) => ({
    text,
    width: wide,
    align: "right" as const,
    tone: "muted" as const,
  });
  return tableRow(
    [
      { text: ` ${sign}${selected && row.current ? glyphs.here : " "}`, width: 3, tone: row.current ? "here" : "text" },
      { text: row.agent, width: columns.agent, tone: "muted" },
      { text: row.title, width: columns.title - 1, tone: row.named ? "strong" : "text" },
      { text: "", width: 1 },
      { text: endOf(row.folder, columns.folder - 1, glyphs.ellipsis), width: columns.folder, tone: "muted" },
      muted(row.messages === undefined ? "" : grouped(row.messages), columns.messages),
      muted(row.branches === undefined ? "" : grouped(row.branches), columns.branches),
      muted(shortBytes(row.size), columns.size),
      muted(shortAge(row.modified, now), columns.age),
    ],
    glyphs.ellipsis,
  );
}

/** The end of a path tells more than its start. */
function endOf(text: string, width: number, mark: string): string {
  if (width <= 0 || displayWidth(text) <= width) return text;
  let end = text;
  while (end.length > 0 && displayWidth(mark) + displayWidth(end) > width)
    end = end.slice(Math.max(1, end.search(/[/\\]/)));
  return `${mark}${end}`;
}

function hints(state: SessionListState, { width, hint }: LayoutOptions): Line {
  const count =
    state.rows.length === 0 ? "" : `${grouped(state.selected + 1)} of ${counted(state.rows.length, "session")}`;
  const others = state.scope === "archive" || state.scope === "agents";
  return hintLine(
    [
      { keys: hint("resume.enter"), text: ENTER[state.scope], keep: true },
      { keys: hint("resume.scope"), text: NEXT[state.scope], priority: 3 },
      { keys: hint("resume.search"), text: "search", priority: 2 },
      { keys: others ? "" : hint("resume.rename"), text: "rename", priority: 1 },
      { keys: others ? "" : hint("resume.archive"), text: "archive" },
      { keys: hint("resume.help"), text: "keys", keep: true },
    ],
    width,
    width < 60 ? "" : count,
  );
}

const ENTER: Readonly<Record<SessionListState["scope"], string>> = {
  folder: "open",
  all: "open",
  agents: "import",
  archive: "bring back",
};

/** What comes next where the person goes from one scope to the other. */
const NEXT: Readonly<Record<SessionListState["scope"], string>> = {
  folder: "all folders",
  all: "other agents",
  agents: "the archive",
  archive: "this folder",
};
