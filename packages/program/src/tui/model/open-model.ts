/** /model: lists models, to use one, make one the default, or enter a key. */

import { catalogue, type ModelInfo } from "@bough/agent/model/index.js";
import { CodedError } from "@bough/session/entry/index.js";
import { firstWords, shellWord } from "@bough/session/text/index.js";
import type { LayoutOptions } from "@bough/session/view/internal.js";
import { failureNotice, runCommandLine, showOutcome } from "../../command/index.js";
import type { Screen, ScreenApp } from "../app/screen.js";
import { bindKeys, key, keyOnRow, type ScreenKeys } from "../keys/key-table.js";
import type { ListView } from "../list/list-content.js";
import { listEnds, listMoves } from "../list/list-moves.js";
import { ListPanel } from "../list/list-panel.js";
import { layoutModels, type ModelRow, modelReference, modelRows } from "./model-rows.js";
import { openDriverOption } from "./open-driver-option.js";

export const openModelList: Screen<"model"> = async (app, request) => {
  const { driver } = app.context.agent;
  if (driver !== undefined) return openDriverOption(app, driver, "model");
  const reference = await app.host.open<string>((done) => new ModelScreen(app, request.search ?? "", done).panel);
  if (reference === undefined || reference === "") return;
  showOutcome(app.context.front, await runCommandLine(app.context, `/model ${reference}`));
};

class ModelScreen {
  readonly panel: ListPanel;
  readonly #app: ScreenApp;
  readonly #done: (reference: string) => void;
  readonly #stopping = new AbortController();
  #words: string;
  #shown: "usable" | "all";
  #looking = true;
  #rows: readonly ModelRow[] | undefined;

  constructor(app: ScreenApp, words: string, done: (reference: string) => void) {
    this.#app = app;
    this.#done = done;
    this.#words = words;
    const { registry } = app;
    // With only the offline model there is nothing to choose, so show the others and how to enable them.
    this.#shown = registry.available().length > 1 ? "usable" : "all";
    this.panel = new ListPanel(
      app.host,
      {
        name: "model",
        typing: "always",
        placeholder: "type part of a name",
        count: () => this.#listed().length,
        layout: (view, options) => this.#layout(view, options),
        onWords: (typed) => {
          this.#words = typed;
          this.#rows = undefined;
        },
        keys: bindKeys(MODEL_KEYS, this),
        close: () => done(""),
        dispose: () => this.#stopping.abort(),
      },
      { words },
    );
    this.panel.select(
      Math.max(
        0,
        this.#listed().findIndex(({ current }) => current),
      ),
    );
    void this.#discover();
  }

  /** Probes local model servers: fast if there are any, and nothing waits for it. */
  async #discover(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await this.#app.registry.discover({ signal });
    } catch (error) {
      if (!signal.aborted) this.#app.host.status(firstWords(String(error)), "warning");
    }
    if (signal.aborted) return;
    const selected = this.row?.reference;
    this.#looking = false;
    this.#rows = undefined;
    const at = this.#listed().findIndex(({ reference }) => reference === selected);
    if (at >= 0) this.panel.select(at);
    this.#app.host.redraw();
  }

  #listed(): readonly ModelRow[] {
    this.#rows ??= this.#makeRows();
    return this.#rows;
  }

  #makeRows(): ModelRow[] {
    const { registry, context } = this.#app;
    const available = registry.available();
    const current = context.agent.model === undefined ? undefined : modelReference(context.agent.model.info);
    const usable = new Set(available.map(modelReference));
    const models = this.#shown === "usable" ? available : registry.all();
    return modelRows(models, { usable, current, words: this.#words });
  }

  get row(): ModelRow | undefined {
    return this.#listed()[this.panel.selected];
  }

  #layout(view: ListView, options: LayoutOptions) {
    const row = this.row;
    const missing = row === undefined || row.usable ? "" : this.missingKey(row.info);
    return layoutModels(
      { ...view, rows: this.#listed(), shown: this.#shown, looking: this.#looking, missing },
      options,
    );
  }

  missingKey({ provider }: ModelInfo): string {
    const { providers } = catalogue(this.#app.context.settings.current.models);
    const variables = providers.get(provider)?.keyVariables ?? [];
    const named = variables.length === 0 ? "" : `Set ${variables.join(" or ")} before you start, or `;
    return firstWords(`No key for ${provider}. ${named === "" ? "Enter it" : `${named}enter it`} here.`);
  }

  /** Uses the model; asks for its key first if it has none. */
  choose(row: ModelRow): void {
    if (row.usable) this.#done(row.reference);
    else void this.enterKey(row);
  }

  showOthers(): void {
    this.#shown = this.#shown === "all" ? "usable" : "all";
    this.#rows = undefined;
    this.panel.select(0);
  }

  save(row: ModelRow): void {
    const { host, context } = this.#app;
    try {
      context.settings.change("model", row.reference);
      host.status(`New sessions start with ${firstWords(row.reference)}`, "good");
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      host.status(failureNotice(error), "error");
    }
  }

  /** Like /login: checks the key with the provider, using this model if one is needed. */
  async enterKey({ info }: ModelRow): Promise<void> {
    const { context, host } = this.#app;
    showOutcome(context.front, await runCommandLine(context, `/login ${info.provider} ${shellWord(info.id)}`));
    this.#rows = undefined;
    host.redraw();
  }
}

const onRow = keyOnRow(
  ({ row }: ModelScreen) => row,
  () => "No model is selected.",
);

/** The keys of the list of models. */
export const MODEL_KEYS: ScreenKeys<ModelScreen> = {
  title: "Models",
  actions: [
    ...listMoves({ scope: "model", thing: "model", kind: "typing" }),
    onRow("model.enter", ["enter"], "use this model from the next prompt", (screen, row) => screen.choose(row)),
    onRow("model.save", ["ctrl+s"], "start new sessions with this model", {
      run: (screen, row) => screen.save(row),
      disabled: (screen, { usable, info }) => (usable ? undefined : screen.missingKey(info)),
    }),
    onRow("model.key", ["ctrl+k"], "enter its provider's API key", (screen, row) => void screen.enterKey(row)),
    key("model.all", ["tab"], "show only models you can use, or all", (screen) => screen.showOthers()),
    ...listEnds("model", "typing"),
  ],
};
