/** Models as list rows: provider, context window, price, availability. */

import { type ModelInfo, OFFLINE_INFO } from "@bough/agent/model/index.js";
import { firstWords, shortCount, wordMatcher } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import {
  type Column,
  type DrawnList,
  type Hint,
  keySentence,
  type LayoutOptions,
  noMatchText,
  type TableHead,
  tableScreen,
} from "@bough/session/view/internal.js";
import type { ListView } from "../list/list-content.js";

export interface ModelRow {
  readonly info: ModelInfo;
  /** `provider/id`, as in settings and on the command line. */
  readonly reference: string;
  readonly current: boolean;
  /** It has a key, or needs none. */
  readonly usable: boolean;
}

interface ModelListState extends ListView {
  readonly rows: readonly ModelRow[];
  readonly shown: "usable" | "all";
  /** Servers on this machine are still being searched for. */
  readonly looking: boolean;
  /** How to get a key for the selected model; "" if it has one. */
  readonly missing: string;
}

export function modelReference({ provider, id }: ModelInfo): string {
  return `${provider}/${id}`;
}

/**
 * Models that contain all the words: usable ones first, with the offline one last among them; otherwise in catalogue
 * order.
 */
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
  return tableScreen(
    {
      head: headOf(state, options),
      columns: columnsAt(options),
      rows: state.rows,
      isHere: ({ current }) => current,
      empty: emptyText(state, options),
      notes: state.missing === "" ? [] : [[span(` ${state.missing}`, "muted")]],
      hints: hints(state, options),
    },
    state,
    options,
  );
}

function headOf({ rows, shown, looking, words, search }: ModelListState, { width, glyphs }: LayoutOptions): TableHead {
  const which = shown === "usable" ? "you can use" : words.trim() === "" ? "known" : "found";
  const facts = [width >= 60 ? `${rows.length} ${which}` : String(rows.length)];
  const right = looking ? `looking for servers on this machine${glyphs.ellipsis}` : "";
  return { title: "Models", facts, right, below: [search] };
}

function emptyText({ words, shown }: ModelListState, { hint }: LayoutOptions): string {
  if (words.trim() === "") return "No usable model.";
  if (shown === "all") return noMatchText("model", words, hint("model.close"));
  return `${noMatchText("model", words, "")}${keySentence(hint("model.all"), "also shows models without a key")}`;
}

function columnsAt({ width, glyphs }: LayoutOptions): readonly Column<ModelRow>[] {
  const hasWords = width >= 50;
  return [
    { least: 4, text: (row) => firstWords(row.reference, 200), tone: ({ usable }) => (usable ? "text" : "muted") },
    { from: 96, width: 18, text: ({ info }) => abilitiesOf(info) },
    { from: 60, width: 7, align: "right", text: ({ info }) => shortCount(info.contextWindow) },
    { from: 76, width: 15, align: "right", text: ({ info }) => priceOf(info) },
    {
      width: hasWords ? 8 : 2,
      align: "right",
      text: ({ usable }) => (usable ? "" : hasWords ? "no key" : glyphs.failed),
    },
  ];
}

function abilitiesOf({ reasoning, images }: ModelInfo): string {
  return [reasoning && "thinking", images && "images"].filter(Boolean).join(" ");
}

/** Dollars per million tokens, input and output. Unknown is not shown as free. */
function priceOf({ prices, pricesFrom, provider }: ModelInfo): string {
  if (provider === OFFLINE_INFO.provider) return "free";
  // Those that were fetched are not ours: ~ marks them.
  const mark = pricesFrom === undefined ? "" : "~";
  return prices === undefined ? "price unknown" : `${mark}$${prices.input} / $${prices.output}`;
}

function hints({ rows, selected, shown }: ModelListState, { hint }: LayoutOptions): readonly Hint[] {
  const row = rows[selected];
  const chosen = [
    { keys: hint("model.enter"), text: row?.usable === true ? "use it" : "enter its key", keep: true },
    { keys: hint("model.save"), text: "make default", priority: 1 },
  ];
  return [
    ...(row === undefined ? [] : chosen),
    { keys: hint("model.all"), text: shown === "all" ? "only usable" : "all", priority: 2 },
    { keys: hint("model.close"), text: "close" },
  ];
}
