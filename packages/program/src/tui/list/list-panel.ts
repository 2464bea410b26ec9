/** What all list screens share: a selection, scrolling, search, one editable line, keys. */
import { firstWords } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import type { DrawnList } from "@bough/session/view/internal.js";
import { showHelp } from "../help/show-help.js";
import { frameOfLines } from "../host/frame-of-lines.js";
import type { Frame, Panel, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import type { KeyPress } from "../keys/key-press.js";
import { TextField } from "../questions/text-field.js";
import type { LineEdit, ListContent } from "./list-content.js";

/** In typing lists the search is the second line; in windows lower than this it is dropped in favor of rows. */
const SEARCH_ROW = 1;
const LEAST_HEIGHT = 6;
const SEARCH_MARK = " > ";

export class ListPanel implements Panel {
  readonly name: string;
  readonly share: Panel["share"];
  readonly keyScope: string;
  readonly isQuestion?: true;
  readonly wants?: "rows";
  readonly #host: PanelHost;
  readonly #content: ListContent;
  readonly #search: TextField;
  #selected = 0;
  #top = 0;
  #pageSize = 1;
  #edit: { readonly field: TextField; readonly edit: LineEdit } | undefined;
  #typing = false;

  constructor(
    host: PanelHost,
    content: ListContent,
    start: { readonly words?: string; readonly typing?: boolean } = {},
  ) {
    this.name = content.name;
    this.share = content.share ?? "half";
    this.keyScope = content.scope ?? content.name;
    if (content.isQuestion === true) this.isQuestion = true;
    else this.wants = "rows";
    this.#host = host;
    this.#content = content;
    this.#search = new TextField(start.words ?? "");
    this.#typing = start.typing === true;
  }

  /** The index of the selected row, always valid; 0 if there are none. */
  get selected(): number {
    return Math.max(0, Math.min(this.#selected, this.#content.count() - 1));
  }

  /** Rows per page. */
  get pageSize(): number {
    return this.#pageSize;
  }

  get words(): string {
    return this.#search.text;
  }

  /** The part of the search words that fits into this many columns, and the cursor's position in it. */
  typed(width: number): { readonly text: string; readonly column: number } {
    return this.#search.draw(Math.max(1, width));
  }

  /** Whether the user is typing in the list right now. */
  get writing(): boolean {
    return this.#typing || this.#edit !== undefined;
  }

  select(row: number): void {
    this.#selected = Math.max(0, row);
    this.#host.redraw();
  }

  /** Lets the user edit one line below the list. */
  edit(edit: LineEdit): void {
    this.#edit = { field: new TextField(edit.text ?? ""), edit };
    this.#host.redraw();
  }

  startSearch(): void {
    this.#typing = true;
    this.#host.redraw();
  }

  disabledReason(actionId: string): string | undefined {
    return this.#content.keys.disabledReason(actionId);
  }

  hint(actionId: string): string {
    return this.#host.keys.hint(actionId);
  }

  help(): void {
    void showHelp(this.#host, { scope: this.keyScope, disabledReason: (id) => this.disabledReason(id) });
  }

  /** Stops running work; otherwise clears the words; otherwise closes. */
  close(): void {
    if (this.#content.stop?.() === true) return;
    const clears = this.#content.onWords !== undefined && this.#content.keptWords === undefined;
    if (this.words !== "" && clears) this.#clearWords();
    else this.#content.close();
  }

  moveBy(rows: number): void {
    this.#selected = Math.max(0, Math.min(this.#content.count() - 1, this.selected + rows));
  }

  draw(size: Size): Frame {
    const { glyphs, now, keys } = this.#host;
    const selected = this.selected;
    const line = this.#editedLine(size);
    const drawn = this.#content.layout(
      { selected, top: this.#top, words: this.words, search: this.#searchLine(size), message: line?.line },
      { ...size, glyphs, now: now(), hint: keys.hint },
    );
    this.#top = drawn.top;
    // Headers and footers of lists take three or four lines; a page keeps one row in view.
    this.#pageSize = this.#content.pageSize?.(size.height) ?? Math.max(1, size.height - 4);
    this.#content.onDrawn?.(drawn.top, size.height);
    const cursor = this.#cursorIn(drawn, { size, column: line?.column });
    return frameOfLines(this.#host, size, { lines: drawn.lines, cursor });
  }

  handleKey(key: KeyPress): boolean {
    const used =
      this.#edit !== undefined ? this.#editKey(key) : this.#typing ? this.#searchKey(key) : this.#listKey(key);
    if (used) this.#host.redraw();
    return used;
  }

  handlePaste(text: string): void {
    if (this.#edit !== undefined) this.#edit.field.paste(text);
    else if (this.#typing || this.#content.typing === "always") {
      this.#search.paste(text);
      this.#wordsChanged();
    }
    this.#host.redraw();
  }

  dispose(): void {
    this.#content.dispose?.();
  }

  #listKey(key: KeyPress): boolean {
    const action = this.#host.keys.actionFor(this.keyScope, key);
    if (action === undefined) {
      if (this.#content.typing !== "always" || !this.#search.handleKey(key, this.#host.keys)) return false;
      this.#wordsChanged();
      return true;
    }
    const reason = this.#content.keys.run(action);
    if (reason !== undefined) this.#host.status(reason, "warning");
    return true;
  }

  #searchKey(key: KeyPress): boolean {
    const action = this.#host.keys.actionFor("list", key);
    if (action === "list.choose") {
      this.#typing = false;
      this.#content.onEntered?.();
    } else if (action === "list.close") {
      this.#typing = false;
      const kept = this.#content.keptWords?.();
      if (kept === undefined) this.#clearWords();
      else if (kept === "") this.#content.close();
      else this.#search.set(kept);
    } else if (action === "list.previous" || action === "list.next") this.moveBy(action === "list.next" ? 1 : -1);
    else if (this.#search.handleKey(key, this.#host.keys)) this.#wordsChanged();
    else return false;
    return true;
  }

  #editKey(key: KeyPress): boolean {
    if (this.#edit === undefined) return false;
    const { field, edit } = this.#edit;
    const action = this.#host.keys.actionFor("question", key);
    if (action !== "question.answer" && action !== "question.cancel") return field.handleKey(key, this.#host.keys);
    this.#edit = undefined;
    edit.done(action === "question.answer" ? field.text : undefined);
    return true;
  }

  #clearWords(): void {
    if (this.words === "") return;
    this.#search.set("");
    this.#wordsChanged();
  }

  #wordsChanged(): void {
    this.#selected = 0;
    this.#top = 0;
    this.#content.onWords?.(this.words);
  }

  #editedLine({ width }: Size): { readonly line: Line; readonly column: number } | undefined {
    const field = this.#edit?.field ?? (this.#typing ? this.#search : undefined);
    if (field === undefined) return undefined;
    const title = this.#edit === undefined ? " /" : ` ${firstWords(this.#edit.edit.title, 40)}: `;
    const { text, column } = field.draw(Math.max(1, width - title.length));
    return { line: [span(title, "accent"), span(text)], column: title.length + column };
  }

  #searchLine({ width }: Size): Line {
    const mark = span(SEARCH_MARK, "accent");
    if (this.words === "") return [mark, span(this.#content.placeholder ?? "type to search", "muted")];
    return [mark, span(this.typed(width - SEARCH_MARK.length).text)];
  }

  #cursorIn(
    { lines, cursorRow, cursorColumn = 0 }: DrawnList,
    { size, column }: { readonly size: Size; readonly column: number | undefined },
  ): Frame["cursor"] {
    if (column !== undefined) return { row: lines.length - 1, column: Math.min(column, size.width - 1) };
    if (this.#content.typing === "always" && size.height >= LEAST_HEIGHT && lines.length > SEARCH_ROW) {
      const field = this.typed(size.width - SEARCH_MARK.length);
      return { row: SEARCH_ROW, column: Math.min(SEARCH_MARK.length + field.column, size.width - 1) };
    }
    return cursorRow === undefined ? undefined : { row: cursorRow, column: cursorColumn };
  }
}
