/** /context: what the model sees, by size. */
import { grouped, shortCount } from "../../text/index.js";
import { fitLine, rule } from "../fit-line.js";
import type { Glyphs } from "../glyphs.js";
import { hintLine } from "../hints.js";
import { type Line, span, type Tone } from "../line.js";
import type { DrawnList, LayoutOptions, ListState } from "../list-layout.js";
import { frameList, tableRow } from "../table-screen.js";
import { displayWidth } from "../text/display-width.js";
import type { ContextRow, ContextSort } from "./context-rows.js";

export interface ContextListState extends ListState {
  readonly rows: readonly ContextRow[];
  readonly sort: ContextSort;
  /** Tokens of the whole context. */
  readonly total: number;
  /** The part a provider counted; the rest is an estimate. */
  readonly counted?: number;
  /** Tokens the model can take; undefined if unknown. */
  readonly window: number | undefined;
  /** Of the last request, if its provider said so. */
  readonly cached?: { readonly cached: number; readonly fresh: number; readonly share: number } | undefined;
}

export function layoutContext(state: ContextListState, options: LayoutOptions): DrawnList {
  const { width, glyphs } = options;
  return frameList(
    {
      head: [headLine(state, options), ...cacheLine(state), rule(width, glyphs)],
      foot: [rule(width, glyphs), state.message ?? hints(state, options)],
      count: state.rows.length,
      selected: state.selected,
      top: state.top,
      row: (index) => rowLine(state.rows[index] as ContextRow, { state, options, selected: index === state.selected }),
      empty: [[span(" The context is empty. Send a prompt and it becomes the first message.", "muted")]],
    },
    options,
  );
}

function headLine(state: ContextListState, { width, glyphs, hint }: LayoutOptions): Line {
  const { total, window } = state;
  const about = (state.counted ?? 0) >= total && total > 0 ? "" : glyphs.about;
  const known = window !== undefined && window > 0;
  const of = known ? ` of ${shortCount(window)}` : "";
  const percent = known ? ` (${Math.round((total / window) * 100)}%)` : "";
  const left = [span(" Context", "strong"), span(` ${glyphs.dot} ${about}${shortCount(total)}${of} tokens${percent}`)];
  if (known && total > window) left.push(span("  over", "bad"));
  if (known && width >= 80) left.push(span("  "), ...bar(Math.min(1, total / window), 16, glyphs));
  const sort = hint("context.sort");
  const sorted = `sort: ${state.sort}${sort === "" || width < 60 ? "" : ` (${sort})`}`;
  return fitLine(left, [span(sorted, "muted")], width, glyphs.ellipsis);
}

/** What the last request found in the provider's cache. */
function cacheLine({ cached: use }: ContextListState): Line[] {
  if (use === undefined) return [];
  const words = `${shortCount(use.cached)} cached, ${shortCount(use.fresh)} fresh (${Math.round(use.share * 100)}% cached)`;
  return [[span(` Last request: ${words}`, "muted")]];
}

function rowLine(
  row: ContextRow,
  at: { readonly state: ContextListState; readonly options: LayoutOptions; readonly selected: boolean },
): Line {
  const { width, glyphs } = at.options;
  const bars = width >= 60 ? Math.min(20, Math.floor(width / 6)) : 0;
  const kind = width >= 40 ? 8 : 0;
  const percent = width >= 50 ? 5 : 0;
  const marks = [row.pinned && "[pinned]", row.leftOut ? "[left out]" : row.edited && "[edited]"]
    .filter(Boolean)
    .join(" ");
  const marked = marks === "" ? 0 : displayWidth(marks) + 1;
  const title = Math.max(0, width - 3 - kind - bars - 8 - percent - marked - 1);
  const tone: Tone = row.leftOut ? "muted" : "text";
  return [
    ...tableRow(
      [
        { text: ` ${at.selected ? glyphs.selected : " "}`, width: 3 },
        { text: row.kind, width: kind, tone: row.kind === "note" ? "note" : "muted" },
        { text: row.title, width: title, tone },
        { text: marks === "" ? "" : ` ${marks}`, width: marked, tone: "label" },
        { text: "", width: bars === 0 ? 0 : 1 },
      ],
      glyphs.ellipsis,
    ),
    ...(bars === 0 ? [] : bar(row.share, bars - 1, { ...glyphs, barRest: " " })),
    ...tableRow(
      [
        { text: row.leftOut ? "0" : shortCount(row.tokens), width: 8, align: "right", tone },
        { text: percentOf(row.share), width: percent, align: "right", tone: "muted" },
      ],
      glyphs.ellipsis,
    ),
  ];
}

function percentOf(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? "<1%" : `${percent}%`;
}

/** A share as a bar. What is not nothing has at least one sign. */
function bar(share: number, width: number, { bar, barRest }: Pick<Glyphs, "bar" | "barRest">): Line {
  const filled = share <= 0 ? 0 : Math.max(1, Math.round(share * width));
  return [span(bar.repeat(filled), "accent"), span(barRest.repeat(Math.max(0, width - filled)), "muted")];
}

function hints(state: ContextListState, { width, hint }: LayoutOptions): Line {
  const row = state.rows[state.selected];
  const changeable = row?.id !== undefined;
  const changed = row?.edited === true || row?.leftOut === true;
  const count = state.rows.length === 0 ? "" : `${grouped(state.selected + 1)} of ${grouped(state.rows.length)}`;
  const when = (possible: boolean, id: string) => (possible ? hint(id) : "");
  return hintLine(
    [
      { keys: hint("context.enter"), text: "look", keep: true },
      { keys: when(changeable, "context.edit"), text: "edit", priority: 4 },
      { keys: when(changeable && row?.leftOut !== true, "context.leaveOut"), text: "leave out", priority: 3 },
      { keys: when(changeable && changed, "context.restore"), text: "as it was", priority: 3 },
      { keys: when(changeable, "context.pin"), text: row?.pinned === true ? "unpin" : "pin", priority: 2 },
      { keys: hint("context.help"), text: "keys", keep: true },
    ],
    width,
    count,
  );
}
