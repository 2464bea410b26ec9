/** A list of prompts to choose from: the searched text, a row and an age for each. */
import { grouped, shortAge } from "@bough/session/text/index.js";
import {
  type Column,
  type DrawnList,
  type Hint,
  type LayoutOptions,
  noMatchText,
  tableScreen,
} from "@bough/session/view/internal.js";
import type { ListView } from "./list-content.js";

interface PromptRow {
  readonly text: string;
  /** Milliseconds; NaN if the entry has no time. */
  readonly time: number;
}

export interface PromptRows {
  readonly title: string;
  /** Where they come from, shown after their number. */
  readonly place?: string;
  /** Those found so far. */
  readonly count: number;
  readonly total: number;
  readonly isComplete: boolean;
  readonly row: (index: number) => PromptRow | undefined;
  readonly hints: readonly Hint[];
  /** The message for an empty list. */
  readonly none: string;
  /** The key that clears the words. */
  readonly clear: string;
}

export function layoutPromptRows(rows: PromptRows, view: ListView, options: LayoutOptions): DrawnList {
  const { title, count, total, place, hints } = rows;
  const found = count === total ? grouped(total) : `${grouped(count)} of ${grouped(total)}`;
  const fact = `${found} ${total === 1 ? "prompt" : "prompts"}${place === undefined ? "" : ` ${place}`}`;
  const right = rows.isComplete ? "" : `searching${options.glyphs.ellipsis}`;
  return tableScreen(
    {
      head: { title, facts: [fact], right, below: [view.search] },
      columns: columnsAt(options),
      rows: { length: count, at: rows.row },
      empty: emptyText(rows, view.words),
      hints,
    },
    view,
    options,
  );
}

function columnsAt({ now }: LayoutOptions): readonly Column<PromptRow>[] {
  return [
    { least: 1, text: ({ text }) => text, tone: () => "text" },
    { from: 40, width: 6, align: "right", text: ({ time }) => shortAge(time, now) },
  ];
}

function emptyText({ isComplete, total, none, clear }: PromptRows, words: string): string {
  if (!isComplete) return "Searching";
  return total === 0 ? none : noMatchText("prompt", words, clear);
}
