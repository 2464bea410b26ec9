/** A read-only text: scrolls, can be copied, and closes. */
import { withoutControls } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { cutLine, fitLine, type Hint, hintLine, rule, wrapWords } from "@bough/session/view/internal.js";
import { showHelp } from "../help/show-help.js";
import { frameOfLines } from "../host/frame-of-lines.js";
import type { Frame, Panel, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import type { KeyPress } from "../keys/key-press.js";
import { type BoundKeys, bindKeys, type ScreenKey, type ScreenKeys } from "../keys/key-table.js";
import { pagerMoves } from "./list-moves.js";

export interface PagerContent {
  readonly name: string;
  /** Its own keys in addition to the moves, with their scope. Default: the keys of every text. */
  readonly keys?: (pager: Pager) => { readonly scope: string; readonly bound: BoundKeys };
  readonly title: string;
  /** Shown at the right end of the title; evaluated at each drawing. */
  note?(): string;
  /** The lines at a width. Called again when the width changes and after `changed`. */
  lines(width: number): readonly Line[];
  /** What is copied. Default: what is shown. */
  readonly text?: string | (() => string);
  readonly share?: Panel["share"];
  /** Shown instead of the usual hints. */
  hints?(): readonly Hint[];
  dispose?(): void;
}

/** Opens a text and resolves when it is closed. */
export async function showPager(host: PanelHost, content: PagerContent): Promise<void> {
  await host.open<undefined>((done) => new Pager(host, content, () => done(undefined)));
}

/** Untrusted text as lines of a content. */
export function textLines(text: string, width: number): readonly Line[] {
  return wrapWords(withoutControls(text).replace(/\t/g, "    "), Math.max(1, width - 2)).map((line) => [
    span(` ${line}`),
  ]);
}

export class Pager implements Panel {
  readonly name: string;
  readonly share: Panel["share"];
  readonly wants = "rows";
  readonly keyScope: string;
  readonly #host: PanelHost;
  readonly #content: PagerContent;
  readonly #close: () => void;
  #top = 0;
  readonly #keys: BoundKeys;
  pageSize = 1;
  #drawn: { readonly width: number; readonly lines: readonly Line[] } | undefined;

  constructor(host: PanelHost, content: PagerContent, close: () => void) {
    this.name = content.name;
    this.share = content.share ?? "half";
    const { scope, bound } = content.keys?.(this) ?? { scope: "sheet", bound: bindKeys(PAGER_KEYS, { panel: this }) };
    this.keyScope = scope;
    this.#keys = bound;
    this.#host = host;
    this.#content = content;
    this.#close = close;
  }

  /** The content changed. */
  changed(): void {
    this.#drawn = undefined;
    this.#host.redraw();
  }

  draw(size: Size): Frame {
    const { width, height } = size;
    const { glyphs } = this.#host;
    const body = this.#linesAt(width);
    const frame = height >= 5 ? 3 : height >= 2 ? 1 : 0;
    this.pageSize = Math.max(1, height - frame);
    this.#top = Math.max(0, Math.min(this.#top, body.length - this.pageSize));
    const shown = body.slice(this.#top, this.#top + this.pageSize);
    const below =
      body.length > this.pageSize ? `${Math.min(body.length, this.#top + this.pageSize)} of ${body.length}` : "";
    const hints = hintLine(this.#content.hints?.() ?? this.#usualHints(), width, below);
    const title = fitLine(
      [span(` ${this.#content.title}`, "strong")],
      this.#content.note === undefined ? [] : [span(this.#content.note(), "muted")],
      width,
      glyphs.ellipsis,
    );
    const lines = frame === 3 ? [title, rule(width, glyphs), ...shown, hints] : frame === 1 ? [...shown, hints] : shown;
    return frameOfLines(this.#host, size, { lines: lines.map((line) => cutLine(line, width, glyphs.ellipsis)) });
  }

  disabledReason(action: string): string | undefined {
    return this.#keys.disabledReason(action);
  }

  handleKey(key: KeyPress): boolean {
    const action = this.#host.keys.actionFor(this.keyScope, key);
    if (action === undefined) return false;
    const reason = this.#keys.run(action);
    if (reason !== undefined) this.#host.status(reason, "warning");
    return true;
  }

  /** The first visible line below the title. */
  get top(): number {
    return this.#top;
  }

  /** The end is known once drawn. */
  moveBy(lines: number): void {
    this.#top = Math.max(0, this.#top + lines);
    this.#host.redraw();
  }

  copy(): void {
    const { text } = this.#content;
    this.#host.copy((typeof text === "function" ? text() : text) ?? this.#shownText());
    this.#host.status("Copied.", "good");
  }

  help(): void {
    void showHelp(this.#host, { scope: this.keyScope, disabledReason: (id) => this.disabledReason(id) });
  }

  close(): void {
    this.#close();
  }

  dispose(): void {
    this.#content.dispose?.();
  }

  #usualHints(): readonly Hint[] {
    const { keys } = this.#host;
    return [
      { keys: keys.hint("sheet.close"), text: "close", keep: true },
      { keys: keys.hint("sheet.copy"), text: "copy" },
      { keys: keys.hint("sheet.help"), text: "keys" },
    ];
  }

  #linesAt(width: number): readonly Line[] {
    if (this.#drawn?.width !== width) this.#drawn = { width, lines: this.#content.lines(width) };
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

interface OfPager {
  readonly panel: Pager;
}

/** The keys of every text: move and copy. */
export function pagerKeys(scope: string): readonly ScreenKey<OfPager>[] {
  const copy = { id: `${scope}.copy`, keys: ["y"], help: "copy the text", run: ({ panel }: OfPager) => panel.copy() };
  return [...pagerMoves(scope), copy];
}

export function pagerHelp(scope: string): ScreenKey<OfPager> {
  return { id: `${scope}.help`, keys: ["?", "f1"], help: "show all keys", run: ({ panel }) => panel.help() };
}

/** The keys of read-only texts: a session's statistics, a message, a summary. */
export const PAGER_KEYS: ScreenKeys<OfPager> = {
  title: "Sheets",
  actions: [
    ...pagerKeys("sheet"),
    pagerHelp("sheet"),
    { id: "sheet.close", keys: ["esc", "q", "enter", "ctrl+c"], help: "close", run: ({ panel }) => panel.close() },
  ],
};
