/** Help in a panel: everything available here, with search as you type. */

import { firstWords } from "@bough/session/text/index.js";
import { type Glyphs, type Line, span } from "@bough/session/view/index.js";
import { displayWidth, fitLine, hintLine, padToWidth, wrapWords } from "@bough/session/view/internal.js";
import { allCommands, commandsByGroup, type ListedCommand, listedCommand } from "../../command/index.js";
import type { Screen } from "../app/screen.js";
import { frameOfLines } from "../host/frame-of-lines.js";
import type { Frame, Panel, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { EXTENSION_SCOPE } from "../keys/create-key-map.js";
import type { KeyMap } from "../keys/key-map.js";
import type { KeyPress } from "../keys/key-press.js";
import { bindKeys, type ScreenKeys } from "../keys/key-table.js";
import { FAR, moves } from "../list/list-moves.js";
import { TextField } from "../questions/text-field.js";
import { commandRows, type HelpContent, type HelpRow, type HelpScope, helpRows, matchingRows } from "./help-rows.js";

interface HelpRequest {
  /** The scope of the screen that opened help, whose keys come first. Default: the conversation. */
  readonly scope?: string | undefined;
  readonly disabledReason?: ((actionId: string) => string | undefined) | undefined;
  /** `/help` shows commands before the keys. */
  readonly commands?: HelpContent["commands"];
}

/** `/help`: commands with their reasons, then keys; with a command's name, all about that command. */
export const openHelp: Screen<"help"> = async (app, { topic }) => {
  const { host, context } = app;
  const all = allCommands(context.extra);
  const about = all.find(({ name, aliases = [] }) => topic !== undefined && [name, ...aliases].includes(topic));
  if (about !== undefined) {
    await showCommandHelp(host, listedCommand(context, about));
    return;
  }
  await showHelp(host, {
    commands: commandsByGroup(all).map(({ title, commands }) => ({
      title,
      commands: commands.map((command) => listedCommand(context, command)),
    })),
    disabledReason: (id) => app.disabledReason?.(id),
  });
};

export async function showHelp(host: PanelHost, request: HelpRequest = {}): Promise<void> {
  const { scope = "chat", disabledReason, commands } = request;
  const rows = helpRows({
    keys: host.keys,
    scopes: scopesFor(host.keys, scope),
    disabledReason,
    commands,
  });
  const title = commands === undefined ? "Keys" : "Help";
  await host.open<undefined>((done) => new HelpPanel({ host, title, rows, close: () => done(undefined) }));
}

/** `/help merge`: all about one command. */
export async function showCommandHelp(host: PanelHost, command: ListedCommand): Promise<void> {
  const rows = commandRows(command);
  await host.open<undefined>((done) => new HelpPanel({ host, title: "Help", rows, close: () => done(undefined) }));
}

/** The screen's own keys, the common keys it is built from, then the global ones. */
function scopesFor(keys: KeyMap, id: string): readonly HelpScope[] {
  const ids = id === "chat" ? ["chat", "editor", EXTENSION_SCOPE, "everywhere"] : [id, "everywhere"];
  return ids.map((scope) => ({ id: scope, title: keys.titleOf(scope) }));
}

interface HelpParts {
  readonly host: PanelHost;
  readonly title: string;
  readonly rows: readonly HelpRow[];
  readonly close: () => void;
}

class HelpPanel implements Panel {
  readonly name = "help";
  readonly share = "full";
  readonly keyScope = "help";
  readonly #parts: HelpParts;
  readonly #search: TextField;
  #top = 0;
  readonly #keys = bindKeys(HELP_KEYS, this);
  pageSize = 1;
  #most = 0;

  constructor(parts: HelpParts) {
    this.#parts = parts;
    this.#search = new TextField("");
  }

  draw(size: Size): Frame {
    const { host, title, rows } = this.#parts;
    const found = matchingRows(rows, this.#search.text);
    const lines = helpLines(found, size.width, host.glyphs);
    this.pageSize = Math.max(1, size.height - 3);
    this.#most = Math.max(0, lines.length - this.pageSize);
    this.#top = Math.min(this.#top, this.#most);
    const typed = this.#search.draw(size.width - 3);
    const body: readonly Line[] =
      found.length === 0
        ? [
            [
              span(
                ` Nothing matches "${firstWords(this.#search.text)}". ${host.keys.hint("help.close")} clears the search.`,
              ),
            ],
          ]
        : lines.slice(this.#top, this.#top + this.pageSize);
    const part = this.#most === 0 ? "" : `${Math.round((this.#top / this.#most) * 100)}%`;
    const head: Line[] = [
      fitLine([span(` ${title}`, "strong")], [span(part, "muted")], size.width, host.glyphs.ellipsis),
      this.#search.text === "" ? [span(" / type to search", "muted")] : [span(" / "), span(typed.text, "accent")],
    ];
    const foot = hintLine(
      [
        ...(this.#most === 0 ? [] : [{ keys: host.keys.hint("help.pageDown"), text: "more" }]),
        { keys: host.keys.hint("help.close"), text: this.#search.text === "" ? "close" : "clear", priority: 1 },
      ],
      size.width,
    );
    const filler = Array.from({ length: Math.max(0, this.pageSize - body.length) }, (): Line => []);
    return frameOfLines(host, size, {
      lines: [...head, ...body, ...filler, foot],
      cursor: { row: 1, column: typed.column + 3 },
    });
  }

  handleKey(key: KeyPress): boolean {
    const { host } = this.#parts;
    const action = host.keys.actionFor("help", key);
    if (action !== undefined) this.#keys.run(action);
    else if (this.#search.handleKey(key, host.keys)) this.#top = 0;
    else return false;
    host.redraw();
    return true;
  }

  handlePaste(text: string): void {
    this.#search.paste(text);
    this.#top = 0;
    this.#parts.host.redraw();
  }

  /** The end is known once drawn. */
  moveBy(lines: number): void {
    this.#top = Math.max(0, this.#top + lines);
  }

  close(): void {
    if (this.#search.text === "") this.#parts.close();
    else this.#search.set("");
  }
}

/** The keys of help. */
export const HELP_KEYS: ScreenKeys<HelpPanel> = {
  title: "Help",
  actions: [
    { id: "help.previous", keys: ["up"], help: "scroll up one line", ...moves("up", () => 1) },
    { id: "help.next", keys: ["down"], help: "scroll down one line", ...moves("down", () => 1) },
    { id: "help.pageUp", keys: ["pageup"], help: "go a page up", ...moves("up", ({ pageSize }) => pageSize) },
    { id: "help.pageDown", keys: ["pagedown"], help: "go a page down", ...moves("down", ({ pageSize }) => pageSize) },
    { id: "help.first", keys: ["home"], help: "go to the start", ...moves("up", () => FAR) },
    { id: "help.last", keys: ["end"], help: "go to the end", ...moves("down", () => FAR) },
    {
      id: "help.close",
      keys: ["esc", "ctrl+c", "f1"],
      help: "clear the search, then close",
      run: (panel) => panel.close(),
    },
  ],
};

/** Longer names are on a line of their own. */
const WIDEST_NAME = 26;
/** In narrower windows, descriptions go below the names. */
const LEAST_ROOM = 18;

function helpLines(rows: readonly HelpRow[], width: number, glyphs: Glyphs): readonly Line[] {
  const names = rows.map((row) => (row.kind === "entry" ? displayWidth(row.name) : 0));
  const widest = Math.min(Math.max(6, ...names), WIDEST_NAME, Math.floor(width / 2));
  const column = width - widest - 5 < LEAST_ROOM ? 0 : widest;
  const lines: Line[] = [];
  for (const row of rows) {
    if (row.kind === "title") {
      if (lines.length > 0) lines.push([]);
      lines.push([span(` ${firstWords(row.text)}`, "strong")]);
    } else if (row.kind === "text") {
      for (const text of wrapWords(firstWords(row.text, 4000), width - 2)) lines.push([span(` ${text}`)]);
    } else entryLines(row, { width, column, glyphs }, lines);
  }
  return lines;
}

function entryLines(
  row: Extract<HelpRow, { kind: "entry" }>,
  { width, column, glyphs }: { readonly width: number; readonly column: number; readonly glyphs: Glyphs },
  lines: Line[],
): void {
  // The first sentence says why; what to do about it is shown when the command is tried.
  const off = row.off === undefined ? undefined : `${glyphs.failed} ${firstWords(row.off.split(/(?<=\.) /)[0] ?? "")}`;
  const room = width - column - 5;
  const texts = wrapWords(firstWords(row.text), room);
  const reasons = off === undefined ? [] : wrapWords(off, room);
  const tone = off === undefined ? "accent" : "muted";
  const name = firstWords(row.name);
  const start = " ".repeat(column + 4);
  if (displayWidth(name) > column) {
    for (const part of wrapWords(name, width - 3)) lines.push([span(`  ${part}`, tone)]);
  } else {
    const [first = ""] = texts.splice(0, 1);
    lines.push([span(`  ${padToWidth(name, column)}`, tone), span(`  ${first}`, off === undefined ? "text" : "muted")]);
  }
  for (const text of texts) lines.push([span(`${start}${text}`, off === undefined ? "text" : "muted")]);
  for (const text of reasons) lines.push([span(`${start}${text}`, "bad")]);
}
