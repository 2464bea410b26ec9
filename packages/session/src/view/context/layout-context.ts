/** /context: what the model sees, by size. */
import { grouped, shortCount } from "../../text/index.js";
import { rule } from "../fit-line.js";
import type { Glyphs } from "../glyphs.js";
import type { Hint } from "../hints.js";
import { type Line, type Span, span, type Tone } from "../line.js";
import type { DrawnList, LayoutOptions, ListState } from "../list-layout.js";
import { tableRow } from "../table-row.js";
import { type Column, type TableHead, tableScreen } from "../table-screen.js";
import { displayWidth } from "../text/display-width.js";
import type { ContextRow, ContextSort } from "./context-rows.js";

export interface ContextListState extends ListState {
  readonly rows: readonly ContextRow[];
  readonly sort: ContextSort;
  /** Tokens of the whole context. */
  readonly total: number;
  /** The part that a provider counted; the rest is an estimate. */
  readonly counted?: number;
  /** The model's context window in tokens; undefined if unknown. */
  readonly window: number | undefined;
  /** From the last request, if its provider reported it. */
  readonly cached?: { readonly cached: number; readonly fresh: number; readonly share: number } | undefined;
}

export function layoutContext(state: ContextListState, options: LayoutOptions): DrawnList {
  const { width, glyphs } = options;
  const { rows, selected } = state;
  return tableScreen(
    {
      head: headOf(state, options),
      columns: columnsAt(options),
      rows,
      empty: "The context is empty. Send a prompt and it becomes the first message.",
      notes: [rule(width, glyphs)],
      hints: hints(state, options),
      position: rows.length === 0 ? "" : `${grouped(selected + 1)} of ${grouped(rows.length)}`,
    },
    state,
    options,
  );
}

function headOf(state: ContextListState, { width, glyphs, hint }: LayoutOptions): TableHead {
  const { total, window } = state;
  const about = (state.counted ?? 0) >= total && total > 0 ? "" : glyphs.about;
  const known = window !== undefined && window > 0;
  const of = known ? ` of ${shortCount(window)}` : "";
  const percent = known ? ` (${Math.round((total / window) * 100)}%)` : "";
  const more: Span[] = known && total > window ? [span("  over", "bad")] : [];
  if (known && width >= 80) more.push(span("  "), ...bar(Math.min(1, total / window), 16, glyphs));
  const sort = hint("context.sort");
  const sorted = `sort: ${state.sort}${sort === "" || width < 60 ? "" : ` (${sort})`}`;
  const facts = [`${about}${shortCount(total)}${of} tokens${percent}`];
  return { title: "Context", facts, more, right: sorted, below: cacheLine(state) };
}

/** What the last request found in the provider's cache. */
function cacheLine({ cached: use }: ContextListState): Line[] {
  if (use === undefined) return [];
  const words = `${shortCount(use.cached)} cached, ${shortCount(use.fresh)} fresh (${Math.round(use.share * 100)}% cached)`;
  return [[span(` Last request: ${words}`, "muted")]];
}

function columnsAt({ width, glyphs }: LayoutOptions): readonly Column<ContextRow>[] {
  const bars = Math.min(20, Math.floor(width / 6));
  const signs = { ...glyphs, barRest: " " };
  return [
    { from: 40, width: 8, text: ({ kind }) => kind, tone: ({ kind }) => (kind === "note" ? "note" : "muted") },
    { text: (row, room) => titleLine(row, room, glyphs.ellipsis) },
    { from: 60, width: bars, text: ({ share }, room) => [span(" "), ...bar(share, room - 1, signs)] },
    { width: 8, align: "right", text: (row) => (row.leftOut ? "0" : shortCount(row.tokens)), tone: toneOf },
    { from: 50, width: 5, align: "right", text: ({ share }) => percentOf(share) },
    { width: 1, text: () => "" },
  ];
}

/** The title is cut to make room for its marks. */
function titleLine(row: ContextRow, room: number, ellipsis: string): Line {
  const marks = [row.pinned && "[pinned]", row.leftOut ? "[left out]" : row.edited && "[edited]"]
    .filter(Boolean)
    .map((mark) => ` ${mark}`)
    .join("");
  const marked = displayWidth(marks);
  return tableRow(
    [
      { text: row.title, width: room - marked, tone: toneOf(row) },
      { text: marks, width: marked, tone: "label" },
    ],
    ellipsis,
  );
}

function toneOf({ leftOut }: ContextRow): Tone {
  return leftOut ? "muted" : "text";
}

function percentOf(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? "<1%" : `${percent}%`;
}

/** A share as a bar. A nonzero share has at least one symbol. */
function bar(share: number, width: number, { bar, barRest }: Pick<Glyphs, "bar" | "barRest">): Line {
  const filled = share <= 0 ? 0 : Math.max(1, Math.round(share * width));
  return [span(bar.repeat(filled), "accent"), span(barRest.repeat(Math.max(0, width - filled)), "muted")];
}

function hints(state: ContextListState, { hint }: LayoutOptions): readonly Hint[] {
  const row = state.rows[state.selected];
  const changeable = row?.id !== undefined;
  const changed = row?.edited === true || row?.leftOut === true;
  const when = (possible: boolean, id: string) => (possible ? hint(id) : "");
  return [
    { keys: hint("context.enter"), text: "view", keep: true },
    { keys: when(changeable, "context.edit"), text: "edit", priority: 4 },
    { keys: when(changeable && row?.leftOut !== true, "context.leaveOut"), text: "leave out", priority: 3 },
    { keys: when(changeable && changed, "context.restore"), text: "restore", priority: 3 },
    { keys: when(changeable, "context.pin"), text: row?.pinned === true ? "unpin" : "pin", priority: 2 },
    { keys: hint("context.help"), text: "keys", keep: true },
  ];
}
