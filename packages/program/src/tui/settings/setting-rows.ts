/** Settings as list rows: value, source, meaning. */

import type { SettingField, SettingSource } from "@bough/agent/project/index.js";
import { firstWords, wordMatcher } from "@bough/session/text/index.js";
import type { Line } from "@bough/session/view/index.js";
import { span } from "@bough/session/view/index.js";
import {
  type Column,
  type DrawnList,
  type Hint,
  type LayoutOptions,
  noMatchText,
  rule,
  tableScreen,
  wrapWords,
} from "@bough/session/view/internal.js";
import { settingSourceWord } from "../../command/internal.js";
import type { ListView } from "../list/list-content.js";

export interface SettingRow {
  readonly field: SettingField;
  readonly source: SettingSource;
}

interface SettingListState extends ListView {
  readonly rows: readonly SettingRow[];
  /** The user's own file, shortened for display. */
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
  const { rows, selected, words, search, file } = state;
  return tableScreen(
    {
      head: {
        title: "Settings",
        facts: [`${rows.length}${words.trim() === "" ? "" : " found"}`],
        right: options.width < 60 ? "" : firstWords(file, 200),
        below: [search],
      },
      columns: COLUMNS,
      rows,
      empty: noMatchText("setting", words, options.hint("settings.close")),
      notes: description(rows[selected], options),
      hints: hints(rows[selected], options),
    },
    state,
    options,
  );
}

const isDefault = ({ source }: SettingRow) => source.from === "default";

const COLUMNS: readonly Column<SettingRow>[] = [
  {
    share: 0.55,
    most: 32,
    gap: 1,
    text: ({ field }) => field.name,
    tone: (row) => (isDefault(row) ? "text" : "strong"),
  },
  { text: ({ source }) => valueText(source.value), tone: (row) => (isDefault(row) ? "muted" : "text") },
  { from: 50, width: 9, align: "right", text: ({ source }) => settingSourceWord(source) },
];

/** What the selected setting means, and which file sets it. */
function description(row: SettingRow | undefined, { width, height, glyphs }: LayoutOptions): Line[] {
  if (row === undefined || height < 9) return [];
  const { field, source } = row;
  const by = settingSourceWord(source) === "checkout" ? "in .bough/settings.local.json" : "by this project";
  const wins = source.from === "project" ? ` Set ${by}, which overrides yours.` : "";
  const limited =
    field.counts === "yours"
      ? " Only your own settings file can set this."
      : field.counts === "trusted"
        ? " Project settings apply only if the project is trusted."
        : "";
  const lines = wrapWords(`${field.description}${wins}${limited}`, Math.max(1, width - 2)).slice(0, 2);
  return [rule(width, glyphs), ...lines.map((line) => [span(` ${line}`, "muted")])];
}

function hints(row: SettingRow | undefined, { hint }: LayoutOptions): readonly Hint[] {
  return [
    { keys: hint("settings.enter"), text: "change", keep: true },
    { keys: row?.source.from === "user" ? hint("settings.reset") : "", text: "take out", priority: 1 },
    { keys: hint("settings.close"), text: "close" },
  ];
}
