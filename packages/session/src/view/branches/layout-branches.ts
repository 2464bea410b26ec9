/** The list of branches. */
import { firstWords, grouped, shortAge } from "../../text/index.js";
import { fitLine } from "../fit-line.js";
import { hintLine, keySentence, noMatchText } from "../hints.js";
import { type Line, type Span, span } from "../line.js";
import type { DrawnList, LayoutOptions, ListState } from "../list-layout.js";
import { type Cell, type Column, columnCells, columnNames, frameList, markCell, tableRow } from "../table-screen.js";
import { cutToWidth } from "../text/display-width.js";
import type { BranchFilter, BranchListQuery, BranchRow, BranchSort } from "./branch-list.js";

export interface BranchListState extends ListState, BranchListQuery {
  /** The row at a place in the list; asked only for those that are shown. */
  readonly row: (index: number) => BranchRow;
  readonly count: number;
  /** How many there are without filter and words. */
  readonly total: number;
  /** Whether a branch came from another machine: then there is a column for it. */
  readonly hasReplicas?: boolean;
}

export const BRANCH_SORTS: readonly BranchSort[] = ["recent", "age", "size"];

export function layoutBranches(state: BranchListState, options: LayoutOptions): DrawnList {
  const { glyphs } = options;
  const columns = columnsAt(options, state.hasReplicas === true);
  const rowLine = (row: BranchRow, selected: boolean): Line => [
    ...tableRow(
      [markCell({ selected, here: row.here, width: 4 }, glyphs), ...columnCells(columns, row)],
      glyphs.ellipsis,
    ),
    ...lastCell(row, options),
  ];
  const only = state.total <= 1 && state.words === "" && state.filter === "all";
  const remark: Line[] = only ? [[span(` ${ONE_BRANCH}`, "muted")]] : [];
  return frameList(
    {
      head: [
        headLine(state, options),
        ...(state.count > 0 && options.width >= NARROW ? [namesLine(columns, options)] : []),
      ],
      foot: [...(state.total === 1 ? remark : []), state.message ?? hints(state, options)],
      count: state.count,
      selected: state.selected,
      top: state.top,
      row: (index) => rowLine(state.row(index), index === state.selected),
      empty: [[span(` ${emptyText(state, options)}`, "muted")]],
    },
    options,
  );
}

const ONE_BRANCH = "Only one branch so far; you are on it.";
const NARROW = 60;

function emptyText({ total, words, filter }: BranchListState, { hint }: LayoutOptions): string {
  if (total === 0) return "Nothing here yet. Send a prompt and it becomes the first entry.";
  if (words.trim() !== "") return noMatchText("branch", words, hint("branches.close"));
  const kinds: Readonly<Record<BranchFilter, string>> = {
    all: "No branches.",
    mine: "No branches from this process.",
    merged: "No summarized or merged branches.",
    failed: "No failed branches.",
    labeled: `No labeled branches.${keySentence(hint("branches.name"), "gives one a name")}`,
  };
  return `${kinds[filter]}${keySentence(hint("branches.filter"), "changes the filter")}`;
}

function headLine(state: BranchListState, { width, glyphs, hint }: LayoutOptions): Line {
  const count =
    state.count === state.total ? grouped(state.total) : `${grouped(state.count)} of ${grouped(state.total)}`;
  const left: Span[] = [span(" Branches", "strong"), span(` ${glyphs.dot} ${count}`)];
  if (state.filter !== "all") left.push(span(` ${glyphs.dot} ${state.filter}`));
  if (state.words !== "") left.push(span(`  /${firstWords(state.words, 60)}`, "accent"));
  const right: Span[] = [span(`sort: ${state.sort}`, "muted")];
  if (width >= NARROW) {
    for (const [id, text] of [
      ["branches.filter", "filter"],
      ["branches.help", "keys"],
    ] as const) {
      if (hint(id) !== "") right.push(span("   "), span(hint(id), "accent"), span(` ${text}`));
    }
  }
  return fitLine(left, right, width, glyphs.ellipsis);
}

/** How long ago its end is, with signs on both sides. */
function lastWidth(width: number): number {
  return width >= 30 ? 10 : 0;
}

/** Under 60 columns: marker, number, name, last. */
function columnsAt({ width, glyphs }: LayoutOptions, hasReplicas: boolean): Column<BranchRow>[] {
  const wide = width >= NARROW;
  const turns = wide ? 7 : 0;
  const files = width >= 70 ? 7 : 0;
  const machine = hasReplicas && width >= 70 ? 18 : 0;
  const rest = width - 8 - turns - files - machine - lastWidth(width);
  const from = wide ? Math.floor(rest * 0.4) : 0;
  const name = Math.max(4, rest - from);
  return [
    { name: "#", width: 4, text: ({ number }) => String(number) },
    {
      name: "name",
      width: name - 1,
      text: (row) => row.name,
      tone: ({ label }) => (label === undefined ? "text" : "label"),
    },
    { name: "", width: 1, text: () => "" },
    { name: "from", width: from, text: (row) => fromText(row.from, from - 1, glyphs.ellipsis) },
    { name: "machine", width: machine, text: ({ replicas }) => replicas.join(", "), tone: () => "note" },
    { name: "turns", width: turns, align: "right", text: (row) => grouped(row.turns) },
    { name: "files", width: files, align: "right", text: (row) => (row.files === undefined ? "" : grouped(row.files)) },
  ];
}

function namesLine(columns: readonly Column<BranchRow>[], { width, glyphs }: LayoutOptions): Line {
  const last: Cell = { text: "last  ", width: lastWidth(width), align: "right", tone: "muted" };
  return tableRow([{ text: "", width: 4 }, ...columnNames(columns), last], glyphs.ellipsis);
}

/** "✕ 30m", "2h ◆". */
function lastCell(row: BranchRow, { width: all, glyphs, now }: LayoutOptions): Line {
  const width = lastWidth(all);
  if (width === 0) return [];
  const age = row.last === 0 ? "" : shortAge(row.last, now);
  const failed = row.failed ? `${glyphs.failed} ` : "";
  const fill = " ".repeat(Math.max(0, width - failed.length - age.length - 2));
  return [span(`${fill}${failed}`, "bad"), span(age, "muted"), span(row.merged ? ` ${glyphs.note}` : "  ", "note")];
}

function fromText(from: string | null, width: number, mark: string): string {
  if (from === null) return "start";
  return from === "" ? "" : `"${cutToWidth(from, Math.max(1, width - 2), mark)}"`;
}

function hints(state: BranchListState, { width, hint }: LayoutOptions): Line {
  const row = state.selected >= 0 && state.selected < state.count ? state.row(state.selected) : undefined;
  const possible = (id: string, when: boolean) => (when ? hint(id) : "");
  const other = row !== undefined && !row.here;
  return hintLine(
    [
      { keys: possible("branches.enter", row !== undefined), text: "go to its end", keep: true },
      { keys: possible("branches.compare", other), text: "compare with @", priority: 4 },
      { keys: possible("branches.merge", other), text: "merge here", priority: 3 },
      { keys: possible("branches.name", row !== undefined), text: "name", priority: 2 },
      { keys: possible("branches.tree", row !== undefined), text: "in tree", priority: 1 },
      { keys: width < NARROW ? hint("branches.help") : "", text: "keys", keep: true },
    ],
    width,
  );
}
