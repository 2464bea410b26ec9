/** A text to read: scrolls, can be copied, and closes. */
import { withoutControls } from "../../text/index.js";
import { cutLine, fitLine, type Hint, hintLine, type Line, rule, span, wrapWords } from "../../view/index.js";
import type { Desk } from "../desk/desk.js";
import { frameOfLines } from "../desk/frame-of-lines.js";
import type { Frame, Panel, Size } from "../desk/panel.js";
import { showHelp } from "../help/show-help.js";
import type { KeyPress } from "../keys/key-press.js";

export interface Sheet {
  readonly name: string;
  /** The scope of its keys; `sheet` where it is left out. Others have the same moves, and actions of their own. */
  readonly scope?: string;
  readonly title: string;
  /** At the right end of the title; asked each time it is drawn. */
  note?(): string;
  /** The lines at a width; asked again when the width changes and after `changed`. */
  lines(width: number): readonly Line[];
  /** What copying takes. Left out: what is shown. */
  readonly text?: string;
  readonly share?: Panel["share"];
  /** In place of the usual hints. */
  hints?(): readonly Hint[];
  /** Actions of its own scope. */
  act?(action: string): boolean;
  offReason?(action: string): string | undefined;
  dispose?(): void;
}

/** Opens a sheet and resolves when it is closed. */
export async function showSheet(desk: Desk, sheet: Sheet): Promise<void> {
  await desk.open<undefined>((done) => new SheetPanel(desk, sheet, () => done(undefined)));
}

/** Untrusted text as lines of a sheet. */
export function textLines(text: string, width: number): readonly Line[] {
  return wrapWords(withoutControls(text).replace(/\t/g, "    "), Math.max(1, width - 2)).map((line) => [
    span(` ${line}`),
  ]);
}

export class SheetPanel implements Panel {
  readonly name: string;
  readonly share: Panel["share"];
  readonly keyScope: string;
  readonly #desk: Desk;
  readonly #sheet: Sheet;
  readonly #close: () => void;
  #top = 0;
  #page = 1;
  #drawn: { readonly width: number; readonly lines: readonly Line[] } | undefined;

  constructor(desk: Desk, sheet: Sheet, close: () => void) {
    this.name = sheet.name;
    this.share = sheet.share ?? "half";
    this.keyScope = sheet.scope ?? "sheet";
    this.#desk = desk;
    this.#sheet = sheet;
    this.#close = close;
  }

  /** What it shows is different now. */
  changed(): void {
    this.#drawn = undefined;
    this.#desk.redraw();
  }

  draw(size: Size): Frame {
    const { width, height } = size;
    const { glyphs } = this.#desk;
    const body = this.#linesAt(width);
    const frame = height >= 5 ? 3 : height >= 2 ? 1 : 0;
    this.#page = Math.max(1, height - frame);
    this.#top = Math.max(0, Math.min(this.#top, body.length - this.#page));
    const shown = body.slice(this.#top, this.#top + this.#page);
    const below = body.length > this.#page ? `${Math.min(body.length, this.#top + this.#page)} of ${body.length}` : "";
    const hints = hintLine(this.#sheet.hints?.() ?? this.#usualHints(), width, below);
    const title = fitLine(
      [span(` ${this.#sheet.title}`, "strong")],
      this.#sheet.note === undefined ? [] : [span(this.#sheet.note(), "muted")],
      width,
      glyphs.ellipsis,
    );
    const lines = frame === 3 ? [title, rule(width, glyphs), ...shown, hints] : frame === 1 ? [...shown, hints] : shown;
    return frameOfLines(this.#desk, size, { lines: lines.map((line) => cutLine(line, width, glyphs.ellipsis)) });
  }

  offReason(action: string): string | undefined {
    return this.#sheet.offReason?.(action);
  }

  handleKey(key: KeyPress): boolean {
    const action = this.#desk.keys.actionFor(this.keyScope, key);
    if (action === undefined) return false;
    const reason = this.offReason(action);
    if (reason !== undefined) {
      this.#desk.status(reason, "warning");
      return true;
    }
    if (this.#sheet.act?.(action) === true) return true;
    switch (action.slice(this.keyScope.length + 1)) {
      case "up":
        return this.#scroll(this.#top - 1);
      case "down":
        return this.#scroll(this.#top + 1);
      case "pageUp":
        return this.#scroll(this.#top - this.#page);
      case "pageDown":
        return this.#scroll(this.#top + this.#page);
      case "first":
        return this.#scroll(0);
      case "last":
        return this.#scroll(Number.MAX_SAFE_INTEGER);
      case "copy":
        this.#desk.copy(this.#sheet.text ?? this.#shownText());
        this.#desk.status("Copied.", "good");
        return true;
      case "help":
        void showHelp(this.#desk, { scope: this.keyScope, offReason: (id) => this.offReason(id) });
        return true;
      case "close":
        this.#close();
        return true;
      default:
        return false;
    }
  }

  dispose(): void {
    this.#sheet.dispose?.();
  }

  #usualHints(): readonly Hint[] {
    const { keys } = this.#desk;
    return [
      { keys: keys.hint("sheet.close"), text: "close", keep: true },
      { keys: keys.hint("sheet.copy"), text: "copy" },
      { keys: keys.hint("sheet.help"), text: "keys" },
    ];
  }

  #scroll(top: number): boolean {
    this.#top = Math.max(0, top);
    this.#desk.redraw();
    return true;
  }

  #linesAt(width: number): readonly Line[] {
    if (this.#drawn?.width !== width) this.#drawn = { width, lines: this.#sheet.lines(width) };
    return this.#drawn.lines;
  }

  #shownText(): string {
    const lines = this.#drawn?.lines ?? [];
    return lines
      .map((line) =>
        line
          .map(({ text }) => text)
          .join("")
          .trim(),
      )
      .join("\n");
  }
}
