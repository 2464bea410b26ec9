/** Settings as list rows: value, source, meaning. */

import type { SettingField, SettingSource } from "@bough/agent/project/index.js";
import { firstWords, wordMatcher } from "@bough/session/text/index.js";
import type { Line } from "@bough/session/view/index.js";
import { span } from "@bough/session/view/index.js";
import {
  type DrawnList,
  fitLine,
  frameList,
  hintLine,
  type LayoutOptions,
  noMatchText,
  rule,
  tableRow,
  wrapWords,
} from "@bough/session/view/internal.js";
import type { ListView } from "../list/list-content.js";

export interface SettingRow {
  readonly field: SettingField;
  readonly source: SettingSource;
}

interface SettingListState extends ListView {
  readonly rows: readonly SettingRow[];
  /** The user's own file, as it is shown. */
  readonly file: string;
}

export function settingRows(
  fields: readonly SettingField[],
  sources: ReadonlyMap<string, SettingSource>,
  words: string,
): SettingRow[] {
  const fits = wordMatcher(words);
  return fields
    .filter(({ name, description }) => fits(`${name} ${description}`))
    .map((field) => ({ field, source: sources.get(field.name) ?? { value: field.standard, from: "default" } }));
}

/** A value on one line; an unset value is shown as "not set", which is not the same as empty. */
export function valueText(value: unknown): string {
  if (value === undefined) return "not set";
  if (typeof value === "string") return firstWords(value, 200);
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return firstWords(value.join(", "), 200);
  return firstWords(JSON.stringify(value), 200);
}

export function layoutSettings(state: SettingListState, options: LayoutOptions): DrawnList {
  const { width, glyphs } = options;
  const { rows, selected } = state;
  const foot = state.message ?? hints(state, options);
  return frameList(
    {
      head: [headLine(state, options), state.search, rule(width, glyphs)],
      foot: [...description(rows[selected], options), foot],
      count: rows.length,
      selected,
      top: state.top,
      row: (index) => rowLine(rows[index] as SettingRow, { options, selected: index === selected }),
      empty: [[span(` ${noMatchText("setting", state.words, options.hint("settings.close"))}`, "muted")]],
    },
    options,
  );
}

function headLine({ rows, file, words }: SettingListState, { width, glyphs }: LayoutOptions): Line {
  const left = [
    span(" Settings", "strong"),
    span(` ${glyphs.dot} ${rows.length}${words.trim() === "" ? "" : " found"}`),
  ];
  return fitLine(left, width < 60 ? [] : [span(firstWords(file, 200), "muted")], width, glyphs.ellipsis);
}

const FROM: Readonly<Record<SettingSource["from"], string>> = { project: "project", user: "yours", default: "default" };

function rowLine(row: SettingRow, at: { readonly options: LayoutOptions; readonly selected: boolean }): Line {
  const { width, glyphs } = at.options;
  const from = width >= 50 ? 9 : 0;
  const name = Math.min(32, Math.floor((width - 3 - from) * 0.55));
  const { source, field } = row;
  return tableRow(
    [
      { text: ` ${at.selected ? glyphs.selected : " "}`, width: 3 },
      { text: field.name, width: name - 1, tone: source.from === "default" ? "text" : "strong" },
      { text: "", width: 1 },
      {
        text: valueText(source.value),
        width: width - 3 - name - from,
        tone: source.from === "default" ? "muted" : "text",
      },
      { text: FROM[source.from], width: from, align: "right", tone: "muted" },
    ],
    glyphs.ellipsis,
  );
}

/** What the selected setting means, and which file sets it. */
function description(row: SettingRow | undefined, { width, height, glyphs }: LayoutOptions): Line[] {
  if (row === undefined || height < 9) return [];
  const { field, source } = row;
  const wins = source.from === "project" ? " Set by this project, which overrides yours." : "";
  const limited =
    field.counts === "yours"
      ? " Only your own settings file can set this."
      : field.counts === "trusted"
        ? " Project settings apply only if the project is trusted."
        : "";
  const lines = wrapWords(`${field.description}${wins}${limited}`, Math.max(1, width - 2)).slice(0, 2);
  return [rule(width, glyphs), ...lines.map((line) => [span(` ${line}`, "muted")])];
}

function hints({ rows, selected }: SettingListState, { width, hint }: LayoutOptions): Line {
  const row = rows[selected];
  return hintLine(
    [
      { keys: hint("settings.enter"), text: "change", keep: true },
      { keys: row?.source.from === "user" ? hint("settings.reset") : "", text: "take out", priority: 1 },
      { keys: hint("settings.close"), text: "close" },
    ],
    width,
    rows.length === 0 || width < 50 ? "" : `${selected + 1} of ${rows.length}`,
  );
}
