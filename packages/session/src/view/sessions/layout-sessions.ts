/** The list of sessions, for /resume and /import. */
import { counted, firstWords, grouped, shortAge, shortBytes } from "../../text/index.js";
import { type Hint, noMatchText } from "../hints.js";
import { type Line, span } from "../line.js";
import type { DrawnList, LayoutOptions, ListState } from "../list-layout.js";
import { type Column, type SizedColumn, sizedColumns, type TableHead, tableScreen } from "../table-screen.js";
import { displayWidth } from "../text/display-width.js";
import type { SessionRow, SessionSort } from "./session-rows.js";

export interface SessionListState extends ListState {
  readonly rows: readonly SessionRow[];
  /** The number of sessions without the search, excluding those of the store. */
  readonly total: number;
  readonly sort: SessionSort;
  readonly words: string;
  /** `agents`: sessions of other agents. */
  readonly scope: "folder" | "all" | "agents" | "archive";
  /** The store whose sessions are among the rows or being requested. */
  readonly store?: { readonly name: string; readonly count: number; readonly asking: boolean } | undefined;
  /** Whether messages are still being searched for the words. */
  readonly searching?: boolean;
  /** The match in the messages of the selected session. */
  readonly hit?: MessageHit | undefined;
  /** Present while the list is still growing; a total of 0 means unknown. */
  readonly reading?: { readonly done: number; readonly total: number } | undefined;
}

export interface MessageHit {
  readonly entryType: string;
  readonly role?: string;
  readonly excerpt: string;
  readonly state: "active" | "abandoned" | "compacted";
}

export function layoutSessions(state: SessionListState, options: LayoutOptions): DrawnList {
  const { rows, selected } = state;
  const columns = sizedColumns(columnsAt(options, state.scope), options);
  const storedColumns = withMachines(columns, options);
  const wide = options.width >= 60;
  return tableScreen(
    {
      head: headOf(state, options),
      columns,
      columnsOf: ({ stored }) => (stored === "" ? columns : storedColumns),
      rows,
      isHere: ({ current }) => current === true,
      empty: emptyText(state, options),
      notes: hitLines(state),
      hints: hints(state, options),
      position: wide && rows.length > 0 ? `${grouped(selected + 1)} of ${counted(rows.length, "session")}` : "",
    },
    state,
    options,
  );
}

/**
 * A session that is only in a store has no counts: the machines it is on replace them. Narrow screens only have room
 * for the symbol.
 */
function withMachines(
  columns: readonly SizedColumn<SessionRow>[],
  { width, glyphs }: LayoutOptions,
): SizedColumn<SessionRow>[] {
  const counts = columns.filter(({ name = "" }) => COUNTS.has(name)).reduce((sum, column) => sum + column.width, 0);
  const machines = width < 60 ? 0 : Math.max(counts, LEAST_MACHINES);
  const text = ({ stored }: SessionRow) => `${glyphs.sync} ${stored}`;
  return columns.flatMap((column): SizedColumn<SessionRow>[] => {
    const { name = "" } = column;
    if (name === "name") {
      const title = (row: SessionRow) => (machines === 0 ? `${glyphs.sync} ${row.title}` : row.title);
      return [{ ...column, width: column.width - Math.max(0, machines - counts), text: title }];
    }
    if (name === "messages") return [{ width: machines, align: "right", text }];
    return COUNTS.has(name) ? [] : [column];
  });
}

const COUNTS: ReadonlySet<string> = new Set(["messages", "branches", "size"]);
const LEAST_MACHINES = 20;

function headOf(state: SessionListState, { width, glyphs, hint }: LayoutOptions): TableHead {
  const { where } = SCOPES[state.scope];
  const search = firstWords(state.words, 60);
  const stored = state.store?.count ?? 0;
  const found =
    search === "" ? grouped(state.total) : `${grouped(state.rows.length)} of ${grouped(state.total + stored)}`;
  const facts = [width < 60 ? found : `${found} ${where}`];
  if (stored > 0 && search === "") {
    facts.push(`${glyphs.sync} ${grouped(stored)}${width < 60 ? "" : ` in ${state.store?.name}`}`);
  }
  const asking = state.store?.asking === true ? `asking ${state.store.name}${glyphs.ellipsis}` : "";
  const searching = state.searching === true ? `searching messages${glyphs.ellipsis}` : asking;
  const reading = state.reading === undefined ? searching : readingText(state.reading, glyphs.ellipsis);
  const sort = hint("resume.sort");
  const sorted = `sort: ${state.sort}${sort === "" || width < 60 ? "" : ` (${sort})`}`;
  return { title: "Sessions", facts, words: state.words, right: reading || sorted };
}

/** Shown above the keys even if the selected session has no match, so that the list does not jump from row to row. */
function hitLines({ words, hit, rows, scope, searching }: SessionListState): Line[] {
  if (words.trim() === "" || rows.length === 0 || scope === "agents") return [];
  if (hit === undefined)
    return [[span(searching === true ? " Searching messages" : " Found by name, folder or ID", "muted")]];
  const who = WHO[hit.role ?? ""] ?? hit.entryType;
  const where = { active: "", abandoned: ", on another branch", compacted: ", before a compaction" }[hit.state];
  return [[span(` ${who}${where}: `, "muted"), span(firstWords(hit.excerpt, 400))]];
}

const WHO: Readonly<Record<string, string>> = { user: "you", assistant: "model", toolResult: "tool result" };

function readingText({ done, total }: { readonly done: number; readonly total: number }, mark: string): string {
  return total === 0 ? `looking${mark}` : `reading ${done} of ${total}${mark}`;
}

/** Each scope: where it searches, what Enter does there, and the next scope. */
const SCOPES: Readonly<
  Record<SessionListState["scope"], { readonly where: string; readonly enter: string; readonly next: string }>
> = {
  folder: { where: "in this folder", enter: "open", next: "all folders" },
  all: { where: "in all folders", enter: "open", next: "other agents" },
  agents: { where: "from other agents", enter: "import", next: "the archive" },
  archive: { where: "in the archive", enter: "bring back", next: "this folder" },
};

function emptyText(state: SessionListState, { glyphs, hint }: LayoutOptions): string {
  if (state.reading !== undefined) {
    return state.scope === "agents"
      ? `Looking for other agents' sessions${glyphs.ellipsis}`
      : `Reading sessions${glyphs.ellipsis}`;
  }
  if (state.searching === true) return `Searching messages${glyphs.ellipsis}`;
  if (state.words.trim() !== "") return noMatchText("session", state.words, hint("resume.close"));
  if (state.scope === "archive") return "The archive is empty.";
  if (state.scope === "agents") return "None found in the default folders. To import from elsewhere: /import <file>";
  return state.scope === "folder"
    ? "No sessions in this folder yet. Send a prompt and it becomes the first."
    : "No sessions yet. Send a prompt and it becomes the first.";
}

/**
 * Narrow screens lose size, branches, messages and folder, in this order. The agent is kept as long as there is any
 * room; sessions of other agents are not counted before they are imported.
 */
function columnsAt({ glyphs, now }: LayoutOptions, scope: SessionListState["scope"]): readonly Column<SessionRow>[] {
  const foreign = scope === "agents";
  const count = (number: number | undefined) => (number === undefined ? "" : grouped(number));
  const agent: Column<SessionRow> = { name: "agent", from: 36, width: 13, text: (row) => row.agent };
  const folder: Column<SessionRow> = {
    name: "folder",
    from: foreign ? 72 : 60,
    share: 0.4,
    gap: 1,
    text: (row, room) => endOf(row.folder, room, glyphs.ellipsis),
  };
  const counts: readonly Column<SessionRow>[] = [
    { name: "messages", from: 60, width: 10, align: "right", text: (row) => count(row.messages) },
    { name: "branches", from: 72, width: 10, align: "right", text: (row) => count(row.branches) },
  ];
  return [
    ...(foreign ? [agent] : []),
    { name: "name", least: 4, gap: 1, text: (row) => row.title, tone: ({ named }) => (named ? "strong" : "text") },
    ...(scope === "folder" ? [] : [folder]),
    ...(foreign ? [] : counts),
    { name: "size", from: foreign ? 60 : 84, width: 9, align: "right", text: (row) => shortBytes(row.size) },
    { name: "last", from: 30, width: 6, align: "right", text: (row) => shortAge(row.modified, now) },
    { width: 1, text: () => "" },
  ];
}

/** The end of a path is more informative than its start. */
function endOf(text: string, width: number, mark: string): string {
  if (width <= 0 || displayWidth(text) <= width) return text;
  let end = text;
  while (end.length > 0 && displayWidth(mark) + displayWidth(end) > width)
    end = end.slice(Math.max(1, end.search(/[/\\]/)));
  return `${mark}${end}`;
}

function hints(state: SessionListState, { hint }: LayoutOptions): readonly Hint[] {
  const { enter, next } = SCOPES[state.scope];
  const isStored = (state.rows[state.selected]?.stored ?? "") !== "";
  const others = state.scope === "archive" || state.scope === "agents";
  return [
    { keys: hint("resume.enter"), text: isStored ? "fetch and open" : enter, keep: true },
    { keys: hint("resume.scope"), text: next, priority: 3 },
    { keys: hint("resume.search"), text: "filter", priority: 2 },
    { keys: others || isStored ? "" : hint("resume.rename"), text: "rename", priority: 1 },
    { keys: others || isStored ? "" : hint("resume.archive"), text: "archive" },
    { keys: hint("resume.help"), text: "keys", keep: true },
  ];
}
