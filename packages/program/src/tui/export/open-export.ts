/** /export: writes this session, or a part of it, to a file. */
import { existsSync } from "node:fs";
import { CodedError } from "@bough/session/entry/index.js";
import { counted, firstWords } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { hintLine, padToWidth, rule, wrapWords } from "@bough/session/view/internal.js";
import { failureNotice, SENTENCES, sharedNotice } from "../../command/index.js";
import type { Screen, ScreenApp } from "../app/screen.js";
import { showHelp } from "../help/show-help.js";
import { frameOfLines } from "../host/frame-of-lines.js";
import type { Frame, Panel, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import type { KeyPress } from "../keys/key-press.js";
import { bindKeys, key, type ScreenKeys } from "../keys/key-table.js";
import { askConfirm } from "../questions/ask-confirm.js";
import { TextField } from "../questions/text-field.js";
import { withProgress } from "../questions/with-progress.js";
import { ExportForm } from "./export-form.js";

export const openExport: Screen<"export"> = async (app, request) => {
  const { host, context } = app;
  const { session } = context.agent;
  if (session.getCounts().entries === 0) {
    host.status(SENTENCES.nothingHere);
    return;
  }
  const form = new ExportForm(session, { cwd: context.cwd, file: request.file });
  await host.open<undefined>((done) => new ExportPanel(app, form, () => done(undefined)));
};

const FIELDS = ["format", "part", "file"] as const;
const TITLE = 9;

class ExportPanel implements Panel {
  readonly name = "export";
  readonly share = "fit";
  readonly keyScope = "export";
  readonly #app: ScreenApp;
  readonly #host: PanelHost;
  readonly form: ExportForm;
  readonly close: () => void;
  readonly #field: TextField;
  #at = FIELDS.indexOf("file");

  constructor(app: ScreenApp, form: ExportForm, close: () => void) {
    this.#app = app;
    this.#host = app.host;
    this.form = form;
    this.close = close;
    this.#field = new TextField(form.name);
  }

  readonly #keys = bindKeys(EXPORT_KEYS, this);

  disabledReason(action: string): string | undefined {
    return this.#keys.disabledReason(action);
  }

  draw(size: Size): Frame {
    const { width, height } = size;
    const { glyphs, keys } = this.#host;
    const typed = this.#field.draw(Math.max(1, width - TITLE - 3));
    const fields = FIELDS.map((name, index) => this.#fieldLine(name, { index, typed: typed.text }));
    const problem = this.form.problem;
    const told = problem === undefined ? this.form.consequences() : [problem];
    const notes: Line[] = told.flatMap((sentence) =>
      wrapWords(sentence, Math.max(1, width - 2)).map((line) => [
        span(` ${line}`, problem === undefined ? "muted" : "bad"),
      ]),
    );
    const hints = hintLine(
      [
        { keys: keys.hint("export.enter"), text: "write it", keep: true },
        { keys: keys.hint("export.next"), text: "next line", priority: 1 },
        { keys: this.onFile ? "" : keys.hint("export.change"), text: "change", priority: 2 },
        { keys: keys.hint("export.close"), text: "close" },
      ],
      width,
    );
    const head: Line[] = height >= 7 ? [[span(" Export", "strong")], rule(width, glyphs)] : [];
    const room = Math.max(0, height - head.length - fields.length - 1);
    const lines = [...head, ...fields, ...notes.slice(0, room), hints];
    const row = head.length + this.#at;
    const column = this.onFile ? TITLE + 3 + typed.column : 0;
    return frameOfLines(this.#host, size, { lines, cursor: { row, column } });
  }

  handleKey(key: KeyPress): boolean {
    const action = this.#host.keys.actionFor("export", key);
    // In the name, keys that change other lines move the cursor or type.
    const writes =
      this.onFile && (action === undefined || action === "export.change" || action === "export.changeBack");
    if (writes) {
      if (!this.#field.handleKey(key, this.#host.keys)) return false;
      this.form.rename(this.#field.text);
    } else if (action === undefined) return false;
    else {
      const reason = this.#keys.run(action);
      if (reason !== undefined) this.#host.status(reason, "warning");
    }
    this.#host.redraw();
    return true;
  }

  handlePaste(text: string): void {
    this.#at = FIELDS.indexOf("file");
    this.#field.paste(text);
    this.form.rename(this.#field.text);
    this.#host.redraw();
  }

  get onFile(): boolean {
    return FIELDS[this.#at] === "file";
  }

  moveBy(lines: 1 | -1): void {
    this.#at = lines < 0 ? Math.max(0, this.#at - 1) : (this.#at + 1) % FIELDS.length;
  }

  help(): void {
    void showHelp(this.#host, { scope: "export", disabledReason: (id) => this.disabledReason(id) });
  }

  change(step: 1 | -1): void {
    if (FIELDS[this.#at] === "format") this.form.changeFormat(step);
    else this.form.changeScope(step);
    this.#field.set(this.form.name);
  }

  #fieldLine(
    name: (typeof FIELDS)[number],
    { index, typed }: { readonly index: number; readonly typed: string },
  ): Line {
    const { glyphs } = this.#host;
    const chosen = index === this.#at;
    const values = { format: FORMATS[this.form.format], part: SCOPES[this.form.scope], file: typed };
    return [
      span(` ${chosen ? glyphs.selected : " "} `, chosen ? "accent" : "text"),
      span(padToWidth(name, TITLE), "muted"),
      span(values[name], chosen ? "strong" : "text"),
    ];
  }

  async write(): Promise<void> {
    const { agent } = this.#app.context;
    const options = this.form.options();
    try {
      const exists = existsSync(options.file);
      if (exists && !(await this.#askToReplace(options.file))) return;
      let looked = 0;
      const outcome = await withProgress(this.#host, {
        title: () =>
          `Scanning for secrets and writing${looked === 0 ? "" : `, ${counted(looked, "entry", "entries")} seen`}`,
        stops: "nothing is written",
        work: (signal) =>
          agent.exportSession({
            ...options,
            existing: exists ? "replace" : "refuse",
            signal,
            onProgress: (entries) => {
              looked = entries;
            },
          }),
      });
      if (outcome.kind === "stopped") return;
      this.close();
      this.#host.status(sharedNotice(outcome.value), "good");
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      this.#host.status(failureNotice(error), "error");
    }
  }

  #askToReplace(file: string): Promise<boolean> {
    return askConfirm(this.#host, {
      title: `File already exists: ${firstWords(file)}`,
      message: "This overwrites the file.",
      yes: "replace it",
      no: "keep it",
    });
  }
}

const FORMATS: Readonly<Record<ExportForm["format"], string>> = {
  html: "a page, for a browser",
  markdown: "Markdown, to read",
  jsonl: "JSONL, to open with Bough",
};

const SCOPES: Readonly<Record<ExportForm["scope"], string>> = {
  path: "the path, from the first prompt to here",
  branch: "this branch only",
  all: "everything, all branches",
};

const TYPE_HERE = "Type the file name here.";

/** The keys of the export form. */
export const EXPORT_KEYS: ScreenKeys<ExportPanel> = {
  title: "Export",
  actions: [
    key("export.previous", ["up", "shift+tab"], "go to the line above", (panel) => panel.moveBy(-1)),
    key("export.next", ["tab", "down"], "go to the line below", (panel) => panel.moveBy(1)),
    key("export.change", ["right", "space"], "next choice", {
      run: (panel) => panel.change(1),
      disabled: ({ onFile }) => (onFile ? TYPE_HERE : undefined),
    }),
    key("export.changeBack", ["left"], "previous choice", {
      run: (panel) => panel.change(-1),
      disabled: ({ onFile }) => (onFile ? TYPE_HERE : undefined),
    }),
    key("export.enter", ["enter"], "write the file", {
      run: (panel) => void panel.write(),
      disabled: ({ form }) => form.problem,
    }),
    key("export.help", ["f1"], "show all keys", (panel) => panel.help()),
    key("export.close", ["esc", "ctrl+c"], "close without writing", ({ close }) => close()),
  ],
};
