/** Models as list rows: provider, context window, price, availability. */

import { type ModelInfo, OFFLINE_INFO } from "@bough/agent/model/index.js";
import { firstWords, shortCount, wordMatcher } from "@bough/session/text/index.js";
import type { Line } from "@bough/session/view/index.js";
import { span } from "@bough/session/view/index.js";
import {
  type Cell,
  type DrawnList,
  fitLine,
  frameList,
  hintLine,
  keySentence,
  type LayoutOptions,
  markCell,
  noMatchText,
  rule,
  tableRow,
} from "@bough/session/view/internal.js";
import type { ListView } from "../list/list-content.js";

export interface ModelRow {
  readonly info: ModelInfo;
  /** `provider/id`, as settings and the command line have it. */
  readonly reference: string;
  readonly current: boolean;
  /** There is a key, or none is needed. */
  readonly usable: boolean;
}

interface ModelListState extends ListView {
  readonly rows: readonly ModelRow[];
  readonly shown: "usable" | "all";
  /** Servers on this machine are still being looked for. */
  readonly looking: boolean;
  /** How to get a key for the selected model; "" if it has one. */
  readonly missing: string;
}

export function modelReference({ provider, id }: ModelInfo): string {
  return `${provider}/${id}`;
}

/** Those that have all the words: usable ones first, the offline one last of them, else as the catalogue has them. */
export function modelRows(
  models: readonly ModelInfo[],
  known: { readonly usable: ReadonlySet<string>; readonly current: string | undefined; readonly words: string },
): ModelRow[] {
  const fits = wordMatcher(known.words);
  const rows: ModelRow[] = [];
  for (const info of models) {
    const reference = modelReference(info);
    if (!fits(`${reference} ${info.name}`)) continue;
    rows.push({ info, reference, current: reference === known.current, usable: known.usable.has(reference) });
  }
  return rows.sort((a, b) => rank(a) - rank(b));
}

function rank({ usable, info }: ModelRow): number {
  if (!usable) return 2;
  return info.provider === OFFLINE_INFO.provider ? 1 : 0;
}

export function layoutModels(state: ModelListState, options: LayoutOptions): DrawnList {
  const { width, glyphs } = options;
  const { rows, selected } = state;
  const foot = state.message ?? hints(state, options);
  return frameList(
    {
      head: [headLine(state, options), state.search, rule(width, glyphs)],
      foot: state.missing === "" ? [foot] : [[span(` ${state.missing}`, "muted")], foot],
      count: rows.length,
      selected,
      top: state.top,
      row: (index) => rowLine(rows[index] as ModelRow, { options, selected: index === selected }),
      empty: [[span(` ${emptyText(state, options)}`, "muted")]],
    },
    options,
  );
}

function headLine({ rows, shown, looking, words }: ModelListState, { width, glyphs }: LayoutOptions): Line {
  const left = [span(" Models", "strong"), span(` ${glyphs.dot} ${rows.length}`)];
  const which = shown === "usable" ? " you can use" : words.trim() === "" ? " known" : " found";
  if (width >= 60) left.push(span(which));
  const right = looking ? `looking for servers on this machine${glyphs.ellipsis}` : "";
  return fitLine(left, [span(right, "muted")], width, glyphs.ellipsis);
}

function emptyText({ words, shown }: ModelListState, { hint }: LayoutOptions): string {
  if (words.trim() === "") return "No usable model.";
  if (shown === "all") return noMatchText("model", words, hint("model.close"));
  return `${noMatchText("model", words, "")}${keySentence(hint("model.all"), "also shows models without a key")}`;
}

function rowLine(row: ModelRow, at: { readonly options: LayoutOptions; readonly selected: boolean }): Line {
  const { width, glyphs } = at.options;
  const { info } = row;
  const key = width >= 50 ? 8 : 2;
  const window = width >= 60 ? 7 : 0;
  const price = width >= 76 ? 15 : 0;
  const abilities = width >= 96 ? 18 : 0;
  const name = Math.max(4, width - 3 - key - window - price - abilities);
  const muted = (text: string, wide: number): Cell => ({ text, width: wide, align: "right", tone: "muted" });
  return tableRow(
    [
      markCell({ selected: at.selected, here: row.current }, glyphs),
      { text: firstWords(row.reference, 200), width: name, tone: row.usable ? "text" : "muted" },
      { text: abilitiesOf(info), width: abilities, tone: "muted" },
      muted(shortCount(info.contextWindow), window),
      muted(priceOf(info), price),
      muted(row.usable ? "" : key > 2 ? "no key" : glyphs.failed, key),
    ],
    glyphs.ellipsis,
  );
}

function abilitiesOf({ reasoning, images }: ModelInfo): string {
  return [reasoning && "thinking", images && "images"].filter(Boolean).join(" ");
}

/** Dollars for a million tokens, in and out. Not known is not free. */
function priceOf({ prices, provider }: ModelInfo): string {
  if (provider === OFFLINE_INFO.provider) return "free";
  return prices === undefined ? "price unknown" : `$${prices.input} / $${prices.output}`;
}

function hints({ rows, selected, shown }: ModelListState, { width, hint }: LayoutOptions): Line {
  const row = rows[selected];
  const chosen = [
    { keys: hint("model.enter"), text: row?.usable === true ? "use it" : "enter its key", keep: true },
    { keys: hint("model.save"), text: "make default", priority: 1 },
  ];
  return hintLine(
    [
      ...(row === undefined ? [] : chosen),
      { keys: hint("model.all"), text: shown === "all" ? "only usable" : "all", priority: 2 },
      { keys: hint("model.close"), text: "close" },
    ],
    width,
    rows.length === 0 || width < 60 ? "" : `${selected + 1} of ${rows.length}`,
  );
}
