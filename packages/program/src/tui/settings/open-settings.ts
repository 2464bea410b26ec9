/** /settings: each setting's value and source; edits the user's own file. */
import { homedir } from "node:os";
import { join } from "node:path";
import {
  readSettingValue,
  type SettingField,
  type SettingSource,
  settingFields,
  settingSources,
} from "@bough/agent/project/index.js";
import { CodedError } from "@bough/session/entry/index.js";
import { firstWords } from "@bough/session/text/index.js";
import type { LayoutOptions } from "@bough/session/view/internal.js";
import { failureNotice } from "../../command/index.js";
import type { Screen, ScreenApp } from "../app/screen.js";
import { bindKeys, key, type ScreenKeys } from "../keys/key-table.js";
import type { ListView } from "../list/list-content.js";
import { listEnds, listMoves } from "../list/list-moves.js";
import { ListPanel } from "../list/list-panel.js";
import { askSelect } from "../questions/ask-select.js";
import { askText } from "../questions/ask-text.js";
import { layoutSettings, type SettingRow, settingRows, valueText } from "./setting-rows.js";

export const openSettings: Screen<"settings"> = async (app, request) => {
  await app.host.open<undefined>((done) => new SettingsScreen(app, request.name, () => done(undefined)).panel);
};

class SettingsScreen {
  readonly panel: ListPanel;
  readonly #app: ScreenApp;
  readonly file: string;
  #words = "";
  #sources: ReadonlyMap<string, SettingSource>;
  #rows: readonly SettingRow[] | undefined;

  constructor(app: ScreenApp, name: string | undefined, close: () => void) {
    this.#app = app;
    this.file = join(app.context.home, "settings.json");
    this.#sources = this.#readSources();
    this.panel = new ListPanel(app.host, {
      name: "settings",
      typing: "always",
      placeholder: "type to search names and descriptions",
      count: () => this.#listed().length,
      layout: (view, options) => this.#layout(view, options),
      onWords: (words) => {
        this.#words = words;
        this.#rows = undefined;
      },
      keys: bindKeys(SETTINGS_KEYS, this),
      close,
    });
    this.panel.select(placeOf(this.#listed(), name));
  }

  #readSources(): ReadonlyMap<string, SettingSource> {
    const { context, projectTrusted } = this.#app;
    return settingSources({ home: context.home, cwd: context.cwd, projectTrusted });
  }

  #listed(): readonly SettingRow[] {
    this.#rows ??= settingRows(settingFields(), this.#sources, this.#words);
    return this.#rows;
  }

  #layout(view: ListView, options: LayoutOptions) {
    const own = homedir();
    const file = this.file.startsWith(`${own}/`) ? `~${this.file.slice(own.length)}` : this.file;
    return layoutSettings({ ...view, rows: this.#listed(), file }, options);
  }

  get row(): SettingRow | undefined {
    return this.#listed()[this.panel.selected];
  }

  async change({ field, source }: SettingRow): Promise<void> {
    const { host } = this.#app;
    const title = `${field.name}: ${field.description}`;
    if (field.choices.length > 0) {
      const selected = source.value === undefined ? undefined : String(source.value);
      const items = field.choices.map((value) => ({ value, label: value }));
      const chosen = await askSelect(host, {
        name: "setting",
        title,
        items,
        selected,
      });
      if (chosen !== undefined) this.write(field, readSettingValue(field, chosen));
      return;
    }
    const text = source.value === undefined ? "" : valueText(source.value);
    const typed = await askText(host, { name: "setting", title, text, check: (answer) => problemWith(field, answer) });
    if (typed !== undefined) this.write(field, typed.trim() === "" ? undefined : readSettingValue(field, typed));
  }

  write(field: SettingField, value: unknown): void {
    const { host, context } = this.#app;
    try {
      context.settings.change(field.name, value);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      host.status(failureNotice(error), "error");
      return;
    }
    this.#sources = this.#readSources();
    this.#rows = undefined;
    const now = this.#sources.get(field.name);
    const said = `${field.name} is ${valueText(now?.value)} now.`;
    const beaten = now?.from === "project" ? " Project settings override yours." : "";
    host.status(
      `${said}${beaten || " Some settings take effect after a restart."}`,
      beaten === "" ? "good" : "warning",
    );
  }
}

/** The keys of the list of settings. */
export const SETTINGS_KEYS: ScreenKeys<SettingsScreen> = {
  title: "Settings",
  actions: [
    ...listMoves({ scope: "settings", thing: "setting", kind: "typing" }),
    key("settings.enter", ["enter"], "change this setting", {
      run: (screen) => void (screen.row && screen.change(screen.row)),
      disabled: ({ row, file }) =>
        row?.field.kind === "object"
          ? `${row.field.name} can only be changed in the file: ${firstWords(file)}`
          : undefined,
    }),
    key("settings.reset", ["ctrl+x", "delete"], "reset to default", {
      run: (screen) => screen.row && screen.write(screen.row.field, undefined),
      disabled: ({ row }) => (row?.source.from === "user" ? undefined : "Not set in your settings file."),
    }),
    ...listEnds("settings", "typing"),
  ],
};

/** An empty answer removes the setting, so it is always valid. */
function problemWith(field: SettingField, typed: string): string | undefined {
  if (typed.trim() === "") return undefined;
  try {
    readSettingValue(field, typed);
    return undefined;
  } catch (error) {
    if (error instanceof CodedError) return error.hint ?? error.message;
    throw error;
  }
}

/** The row with this name; otherwise one that starts with it, or contains it. */
function placeOf(rows: readonly SettingRow[], name: string | undefined): number {
  if (name === undefined) return 0;
  const wanted = name.toLowerCase();
  const names = rows.map(({ field }) => field.name.toLowerCase());
  for (const fits of [
    (known: string) => known === wanted,
    (known: string) => known.startsWith(wanted),
    (known: string) => known.includes(wanted),
  ]) {
    const at = names.findIndex(fits);
    if (at >= 0) return at;
  }
  return 0;
}
