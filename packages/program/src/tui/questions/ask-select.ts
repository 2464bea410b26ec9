/** A list to choose from; typing filters it. */
import { firstWords, wordMatcher } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import {
  type DrawnList,
  displayWidth,
  fitLine,
  hintLine,
  type LayoutOptions,
  scrolledTop,
  selectLine,
} from "@bough/session/view/internal.js";
import type { PanelHost } from "../host/panel-host.js";
import { bindKeys } from "../keys/key-table.js";
import type { ListView } from "../list/list-content.js";
import { LIST_KEYS } from "../list/list-keys.js";
import { ListPanel } from "../list/list-panel.js";
import { guardedPanel } from "./guarded-panel.js";
import type { TypingOptions } from "./typing-guard.js";

interface SelectItem<Value> {
  readonly value: Value;
  readonly label: string;
  readonly detail?: string;
  /** Why it cannot be chosen. */
  readonly off?: string;
}

interface SelectQuestion<Value> {
  readonly name?: string;
  readonly title: string;
  readonly items: readonly SelectItem<Value>[];
  /** The item marked initially. */
  readonly selected?: Value;
  /** Shown if there is nothing to choose from. */
  readonly empty?: string;
  /** For a question that appears unprompted: what the user is typing does not answer it. */
  readonly typing?: TypingOptions;
}

export function askSelect<Value>(host: PanelHost, question: SelectQuestion<Value>): Promise<Value | undefined> {
  return host.open<Value | undefined>((done) => guardedPanel(host, selectPanel(host, question, done), question.typing));
}

/** Title and search above the items, hints below. */
const FRAME_LINES = 3;

function selectPanel<Value>(
  host: PanelHost,
  question: SelectQuestion<Value>,
  done: (value: Value | undefined) => void,
): ListPanel {
  const { items, title, empty = "There is nothing to choose from.", name = "select" } = question;
  let shown = items;
  let marked: SelectItem<Value> | undefined;
  const { keys, glyphs } = host;
  const layout = ({ selected, top, words }: ListView, { width, height }: LayoutOptions): DrawnList => {
    marked = shown[selected];
    const count = `${shown.length === 0 ? 0 : selected + 1} of ${shown.length}`;
    const typed = panel.typed(width - 3);
    const search = words === "" ? span("type to narrow it down", "muted") : span(typed.text, "accent");
    const lines: Line[] = [
      fitLine([span(` ${firstWords(title)}`, "strong")], [span(count, "muted")], width, glyphs.ellipsis),
      [span(" / ", words === "" ? "muted" : "text"), search],
    ];
    const rows = Math.max(1, height - FRAME_LINES);
    const first = scrolledTop({ count: shown.length, selected, height: rows, top });
    const column = labelColumn(items, width);
    const nothing = `Nothing matches "${firstWords(words)}". ${keys.hint("list.close")} clears the search.`;
    if (shown.length === 0) lines.push([span(` ${words === "" ? firstWords(empty) : nothing}`, "muted")]);
    for (const [index, item] of shown.slice(first, first + rows).entries()) {
      const isMarked = first + index === selected;
      const line = itemLine(item, { start: isMarked ? `${glyphs.selected} ` : "  ", column });
      lines.push(isMarked ? selectLine(line, width, glyphs.ellipsis) : line);
    }
    const hints = [
      { keys: keys.hint("list.choose"), text: "choose" },
      { keys: keys.hint("list.close"), text: words === "" ? "close" : "clear" },
    ];
    const off = marked?.off;
    if (lines.length < height)
      lines.push(off === undefined ? hintLine(hints, width) : [span(` ${firstWords(off)}`, "bad")]);
    return { lines, top: first, cursorRow: 1, cursorColumn: typed.column + 3 };
  };
  const panel: ListPanel = new ListPanel(host, {
    name,
    scope: "list",
    isQuestion: true,
    typing: "always",
    count: () => shown.length,
    layout,
    pageSize: (height) => Math.max(1, height - FRAME_LINES),
    onWords: (typed) => {
      const fits = wordMatcher(typed);
      shown = items.filter(({ label, detail = "" }) => fits(`${label} ${detail}`));
      // The marked item stays marked if it is still listed.
      panel.select(marked === undefined ? 0 : shown.indexOf(marked));
    },
    keys: bindKeys(LIST_KEYS, {
      get panel() {
        return panel;
      },
      choose: (row) => {
        const item = shown[row];
        // A disabled item shows its reason below the list.
        if (item !== undefined && item.off === undefined) done(item.value);
      },
    }),
    close: () => done(undefined),
  });
  panel.select(items.findIndex(({ value }) => value === question.selected));
  return panel;
}

/** Wide enough for the labels, so that descriptions align; a few long ones do not count. */
function labelColumn(items: readonly SelectItem<unknown>[], width: number): number {
  const most = Math.floor(width / 3);
  const widths = items.map(({ label }) => displayWidth(firstWords(label))).filter((wide) => wide <= most);
  return Math.max(0, ...widths);
}

function itemLine<Value>(
  { label, detail, off }: SelectItem<Value>,
  { start, column }: { readonly start: string; readonly column: number },
): Line {
  const tone = off === undefined ? "text" : "muted";
  const words = firstWords(label);
  if (detail === undefined) return [span(` ${start}`, tone), span(words, tone)];
  const padding = " ".repeat(Math.max(0, column - displayWidth(words)));
  return [span(` ${start}`, tone), span(words, tone), span(`${padding}  ${firstWords(detail)}`, "muted")];
}
