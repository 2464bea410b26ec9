/** Help in a panel: everything that works here, searched by typing. */
import type { ListedCommand } from "../../command/index.js";
import { firstWords } from "../../text/index.js";
import { fitLine, hintLine, type Line, span } from "../../view/index.js";
import type { Desk } from "../desk/desk.js";
import { frameOfLines } from "../desk/frame-of-lines.js";
import type { Frame, Panel, Size } from "../desk/panel.js";
import { ALL_KEYS } from "../keys/all-keys.js";
import { EXTENSION_SCOPE } from "../keys/create-key-map.js";
import type { KeyPress } from "../keys/key-press.js";
import { TextField } from "../questions/text-field.js";
import { helpLines } from "./help-lines.js";
import { commandRows, type HelpContent, type HelpRow, type HelpScope, helpRows, matchingRows } from "./help-rows.js";

export interface HelpRequest {
  /** The scope of the screen that asks; its keys come first. The conversation where it is left out. */
  readonly scope?: string | undefined;
  readonly offReason?: ((actionId: string) => string | undefined) | undefined;
  /** `/help` shows commands before the keys. */
  readonly commands?: HelpContent["commands"];
}

export async function showHelp(desk: Desk, request: HelpRequest = {}): Promise<void> {
  const { scope = "chat", offReason, commands } = request;
  const rows = helpRows({
    keys: desk.keys,
    scopes: scopesFor(scope),
    offReason,
    ...(commands === undefined ? {} : { commands }),
  });
  const title = commands === undefined ? "Keys" : "Help";
  await desk.open<undefined>((done) => new HelpPanel({ desk, title, rows, close: () => done(undefined) }));
}

/** `/help merge`: all about one command. */
export async function showCommandHelp(desk: Desk, command: ListedCommand): Promise<void> {
  const rows = commandRows(command);
  await desk.open<undefined>((done) => new HelpPanel({ desk, title: "Help", rows, close: () => done(undefined) }));
}

/** The screen's own keys, what it is built from, then what works everywhere. */
function scopesFor(id: string): readonly HelpScope[] {
  const titleOf = (scope: string): string => ALL_KEYS.find((known) => known.id === scope)?.title ?? scope;
  const ids = id === "chat" ? ["chat", "editor", EXTENSION_SCOPE, "everywhere"] : [id, "everywhere"];
  return ids.map((scope) => ({ id: scope, title: scope === EXTENSION_SCOPE ? "Extensions" : titleOf(scope) }));
}

interface HelpParts {
  readonly desk: Desk;
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
  #page = 1;
  #most = 0;

  constructor(parts: HelpParts) {
    this.#parts = parts;
    this.#search = new TextField("");
  }

  draw(size: Size): Frame {
    const { desk, title, rows } = this.#parts;
    const found = matchingRows(rows, this.#search.text);
    const lines = helpLines(found, size.width, desk.glyphs);
    this.#page = Math.max(1, size.height - 3);
    this.#most = Math.max(0, lines.length - this.#page);
    this.#top = Math.min(this.#top, this.#most);
    const typed = this.#search.draw(size.width - 3);
    const body: readonly Line[] =
      found.length === 0
        ? [
            [
              span(
                ` Nothing matches "${firstWords(this.#search.text)}". ${desk.keys.hint("help.close")} clears the search.`,
              ),
            ],
          ]
        : lines.slice(this.#top, this.#top + this.#page);
    const part = this.#most === 0 ? "" : `${Math.round((this.#top / this.#most) * 100)}%`;
    const head: Line[] = [
      fitLine([span(` ${title}`, "strong")], [span(part, "muted")], size.width, desk.glyphs.ellipsis),
      this.#search.text === "" ? [span(" / type to search", "muted")] : [span(" / "), span(typed.text, "accent")],
    ];
    const foot = hintLine(
      [
        ...(this.#most === 0 ? [] : [{ keys: desk.keys.hint("help.pageDown"), text: "more" }]),
        { keys: desk.keys.hint("help.close"), text: this.#search.text === "" ? "close" : "clear", priority: 1 },
      ],
      size.width,
    );
    const filler = Array.from({ length: Math.max(0, this.#page - body.length) }, (): Line => []);
    return frameOfLines(desk, size, {
      lines: [...head, ...body, ...filler, foot],
      cursor: { row: 1, column: typed.column + 3 },
    });
  }

  handleKey(key: KeyPress): boolean {
    const { desk } = this.#parts;
    const used = this.#act(desk.keys.actionFor("help", key)) || this.#type(key);
    if (used) desk.redraw();
    return used;
  }

  handlePaste(text: string): void {
    this.#search.paste(text);
    this.#top = 0;
    this.#parts.desk.redraw();
  }

  #type(key: KeyPress): boolean {
    if (!this.#search.handleKey(key, this.#parts.desk.keys)) return false;
    this.#top = 0;
    return true;
  }

  #act(action: string | undefined): boolean {
    const scroll = (lines: number): true => {
      this.#top = Math.max(0, Math.min(this.#most, this.#top + lines));
      return true;
    };
    switch (action) {
      case "help.previous":
        return scroll(-1);
      case "help.next":
        return scroll(1);
      case "help.pageUp":
        return scroll(-this.#page);
      case "help.pageDown":
        return scroll(this.#page);
      case "help.first":
        return scroll(-this.#most);
      case "help.last":
        // Drawing knows where the end is.
        this.#top = Number.MAX_SAFE_INTEGER;
        return true;
      case "help.close":
        if (this.#search.text === "") this.#parts.close();
        else this.#search.set("");
        return true;
      default:
        return false;
    }
  }
}
