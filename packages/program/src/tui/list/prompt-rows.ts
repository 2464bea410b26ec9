/** A list of prompts to choose from: words to look for, a row and an age for each. */
import { grouped, shortAge } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import {
  type DrawnList,
  fitLine,
  frameList,
  hintLine,
  type LayoutOptions,
  noMatchText,
  rule,
  tableRow,
} from "@bough/session/view/internal.js";
import type { ListView } from "./list-content.js";

interface PromptRow {
  readonly text: string;
  /** Milliseconds; NaN if the entry has no time. */
  readonly time: number;
}

export interface PromptRows {
  readonly title: string;
  /** Their source, after their number. */
  readonly place?: string;
  /** Those found so far. */
  readonly count: number;
  readonly total: number;
  readonly isComplete: boolean;
  readonly row: (index: number) => PromptRow | undefined;
  readonly hints: Parameters<typeof hintLine>[0];
  /** The message for an empty list. */
  readonly none: string;
  /** The key that clears the words. */
  readonly clear: string;
}

export function layoutPromptRows(rows: PromptRows, view: ListView, options: LayoutOptions): DrawnList {
  const { width, glyphs } = options;
  const { selected } = view;
  const { count, total } = rows;
  const found = count === total ? grouped(total) : `${grouped(count)} of ${grouped(total)}`;
  const place = rows.place === undefined ? "" : ` ${rows.place}`;
  const title = [
    span(` ${rows.title}`, "strong"),
    span(` ${glyphs.dot} ${found} ${total === 1 ? "prompt" : "prompts"}${place}`),
  ];
  const state = rows.isComplete ? "" : `searching${glyphs.ellipsis}`;
  const position = count === 0 || width < 60 ? "" : `${selected + 1} of ${grouped(count)}`;
  return frameList(
    {
      head: [fitLine(title, [span(state, "muted")], width, glyphs.ellipsis), view.search, rule(width, glyphs)],
      foot: [hintLine(rows.hints, width, position)],
      count,
      selected,
      top: view.top,
      row: (index) => rowLine(rows.row(index), { options, selected: index === selected }),
      empty: [[span(` ${emptyText(rows, view.words)}`, "muted")]],
    },
    options,
  );
}

function rowLine(
  row: PromptRow | undefined,
  { options, selected }: { readonly options: LayoutOptions; readonly selected: boolean },
): Line {
  const { width, glyphs, now } = options;
  const age = width >= 40 ? 6 : 0;
  return tableRow(
    [
      { text: ` ${selected ? glyphs.selected : " "}`, width: 3 },
      { text: row?.text ?? "", width: Math.max(1, width - 3 - age) },
      { text: row === undefined ? "" : shortAge(row.time, now), width: age, align: "right", tone: "muted" },
    ],
    glyphs.ellipsis,
  );
}

function emptyText({ isComplete, total, none, clear }: PromptRows, words: string): string {
  if (!isComplete) return "Searching";
  return total === 0 ? none : noMatchText("prompt", words, clear);
}
