/** The list of branches. */
import { grouped, shortAge } from "../../text/index.js";
import { type Hint, keySentence, noMatchText } from "../hints.js";
import { type Line, type Span, span } from "../line.js";
import type { DrawnList, LayoutOptions, ListState } from "../list-layout.js";
import { type Column, type TableHead, tableScreen } from "../table-screen.js";
import { cutToWidth } from "../text/display-width.js";
import type { BranchFilter, BranchListQuery, BranchRow, BranchSort } from "./branch-list.js";

export interface BranchListState extends ListState, BranchListQuery {
  /** The row at an index; called only for the rows shown. */
  readonly row: (index: number) => BranchRow;
  readonly count: number;
  /** The number of branches without filter and words. */
  readonly total: number;
  /** Whether a branch came from another machine, which adds a column. */
  readonly hasReplicas?: boolean;
  /** What a branch is chosen for. Default: to go there. */
  readonly purpose?: BranchPurpose | undefined;
}

export type BranchPurpose = "compare" | "merge";

const TITLES: Readonly<Record<BranchPurpose, string>> = {
  compare: "Compare with which branch?",
  merge: "Merge which branch?",
};

export const BRANCH_SORTS: readonly BranchSort[] = ["recent", "age", "size"];

export function layoutBranches(state: BranchListState, options: LayoutOptions): DrawnList {
  const { count, total, words, filter } = state;
  const isOnly = total === 1 && words === "" && filter === "all";
  return tableScreen(
    {
      head: headOf(state, options),
      columns: columnsAt(options, state.hasReplicas === true),
      rows: { length: count, at: state.row },
      isHere: ({ here }) => here,
      empty: emptyText(state, options),
      notes: isOnly ? [[span(` ${ONE_BRANCH}`, "muted")]] : [],
      hints: hints(state, options),
      position: "",
      markWidth: 4,
    },
    state,
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
    labeled: `No labeled branches.${keySentence(hint("branches.name"), "names one")}`,
  };
  return `${kinds[filter]}${keySentence(hint("branches.filter"), "changes the filter")}`;
}

function headOf(state: BranchListState, { width, hint }: LayoutOptions): TableHead {
  const { count, total, filter, words } = state;
  const facts = [count === total ? grouped(total) : `${grouped(count)} of ${grouped(total)}`];
  if (filter !== "all") facts.push(filter);
  const right: Span[] = [span(`sort: ${state.sort}`, "muted")];
  if (width >= NARROW) {
    for (const [id, text] of [
      ["branches.filter", "filter"],
      ["branches.help", "keys"],
    ] as const) {
      if (hint(id) !== "") right.push(span("   "), span(hint(id), "accent"), span(` ${text}`));
    }
  }
  const title = state.purpose === undefined ? "Branches" : TITLES[state.purpose];
  return { title, facts, words, right, divider: "none" };
}

/** Under 60 columns: marker, number, name, last. */
function columnsAt({ glyphs, now }: LayoutOptions, hasReplicas: boolean): readonly Column<BranchRow>[] {
  const machine: Column<BranchRow> = {
    name: "machine",
    from: 70,
    width: 18,
    text: ({ replicas }) => replicas.join(", "),
    tone: () => "note",
  };
  return [
    { name: "#", width: 4, text: ({ number }) => String(number) },
    {
      name: "name",
      least: 4,
      gap: 1,
      text: (row) => row.name,
      tone: ({ label }) => (label === undefined ? "text" : "label"),
    },
    {
      name: "from",
      from: NARROW,
      share: 0.4,
      gap: 1,
      text: (row, room) => fromText(row.from, room, glyphs.ellipsis),
    },
    ...(hasReplicas ? [machine] : []),
    { name: "turns", from: NARROW, width: 7, align: "right", text: (row) => grouped(row.turns) },
    {
      name: "files",
      from: 70,
      width: 7,
      align: "right",
      text: (row) => (row.files === undefined ? "" : grouped(row.files)),
    },
    // The age of the tip, with room for a symbol on both sides.
    { name: "last  ", from: 30, width: 10, align: "right", text: (row, room) => lastLine(row, room, { glyphs, now }) },
  ];
}

/** "✕ 30m", "2h ◆". */
function lastLine(row: BranchRow, room: number, { glyphs, now }: Pick<LayoutOptions, "glyphs" | "now">): Line {
  const age = row.last === 0 ? "" : shortAge(row.last, now);
  const failed = row.failed ? `${glyphs.failed} ` : "";
  const fill = " ".repeat(Math.max(0, room - failed.length - age.length - 2));
  return [span(`${fill}${failed}`, "bad"), span(age, "muted"), span(row.merged ? ` ${glyphs.note}` : "  ", "note")];
}

function fromText(from: string | null, width: number, mark: string): string {
  if (from === null) return "start";
  return from === "" ? "" : `"${cutToWidth(from, Math.max(1, width - 2), mark)}"`;
}

interface RowHints {
  readonly hint: LayoutOptions["hint"];
  readonly hasRow: boolean;
  /** The row is not the branch you are on. */
  readonly other: boolean;
}

/** With a purpose, Enter serves it. */
function purposeHints(purpose: BranchPurpose | undefined, { hint, hasRow, other }: RowHints): readonly Hint[] {
  const words = { compare: "compare with @", merge: "merge here" } as const;
  const enter = hint("branches.enter");
  if (purpose !== undefined) return [{ keys: other ? enter : "", text: words[purpose], keep: true }];
  return [
    { keys: hasRow ? enter : "", text: "go to its end", keep: true },
    { keys: other ? hint("branches.compare") : "", text: words.compare, priority: 4 },
    { keys: other ? hint("branches.merge") : "", text: words.merge, priority: 3 },
  ];
}

function hints(state: BranchListState, { width, hint }: LayoutOptions): readonly Hint[] {
  const row = state.selected >= 0 && state.selected < state.count ? state.row(state.selected) : undefined;
  const possible = (id: string, when: boolean) => (when ? hint(id) : "");
  const other = row !== undefined && !row.here;
  return [
    ...purposeHints(state.purpose, { hint, hasRow: row !== undefined, other }),
    { keys: possible("branches.name", row !== undefined), text: "name", priority: 2 },
    { keys: possible("branches.tree", row !== undefined), text: "in tree", priority: 1 },
    { keys: width < NARROW ? hint("branches.help") : "", text: "keys", keep: true },
  ];
}
