/** A list to choose from; typing narrows it down. */
import { firstWords } from "../../text/index.js";
import { type Line, span } from "../../view/index.js";
import { displayWidth, fitLine, hintLine, scrolledTop, selectLine } from "../../view/internal.js";
import type { Desk } from "../desk/desk.js";
import { frameOfLines } from "../desk/frame-of-lines.js";
import type { Frame, Panel, Size } from "../desk/panel.js";
import type { KeyPress } from "../keys/key-press.js";
import { guardedPanel } from "./guarded-panel.js";
import { TextField } from "./text-field.js";
import type { TypingOptions } from "./typing-guard.js";

interface SelectItem<Value> {
  readonly value: Value;
  readonly label: string;
  readonly detail?: string;
  /** Why it cannot be chosen now. */
  readonly off?: string;
}

interface SelectQuestion<Value> {
  readonly name?: string;
  readonly title: string;
  readonly items: readonly SelectItem<Value>[];
  /** The one that is marked to begin with. */
  readonly selected?: Value;
  /** Said where there is nothing to choose from. */
  readonly empty?: string;
  /** For a question that comes up by itself: what somebody is writing does not answer it. */
  readonly typing?: TypingOptions;
}

export function askSelect<Value>(desk: Desk, question: SelectQuestion<Value>): Promise<Value | undefined> {
  return desk.open<Value | undefined>((done) =>
    guardedPanel(desk, new SelectPanel(desk, question, done), question.typing),
  );
}

class SelectPanel<Value> implements Panel {
  readonly name: string;
  readonly share = "half";
  readonly keyScope = "list";
  readonly isQuestion = true;
  readonly #desk: Desk;
  readonly #question: SelectQuestion<Value>;
  readonly #done: (value: Value | undefined) => void;
  readonly #search = new TextField();
  #shown: readonly SelectItem<Value>[];
  #selected: number;
  #top = 0;
  #rows = 1;

  constructor(desk: Desk, question: SelectQuestion<Value>, done: (value: Value | undefined) => void) {
    this.name = question.name ?? "select";
    this.#desk = desk;
    this.#question = question;
    this.#done = done;
    this.#shown = question.items;
    this.#selected = Math.max(
      0,
      question.items.findIndex(({ value }) => value === question.selected),
    );
  }

  draw(size: Size): Frame {
    const { glyphs, keys } = this.#desk;
    const searching = this.#search.text !== "";
    const count = `${this.#shown.length === 0 ? 0 : this.#selected + 1} of ${this.#shown.length}`;
    const lines: Line[] = [
      fitLine(
        [span(` ${firstWords(this.#question.title)}`, "strong")],
        [span(count, "muted")],
        size.width,
        glyphs.ellipsis,
      ),
    ];
    const typed = this.#search.draw(size.width - 3);
    lines.push(
      searching
        ? [span(" / "), span(typed.text, "accent")]
        : [span(" / ", "muted"), span("type to narrow it down", "muted")],
    );
    this.#rows = Math.max(1, size.height - 3);
    this.#top = scrolledTop({
      count: this.#shown.length,
      selected: this.#selected,
      height: this.#rows,
      top: this.#top,
    });
    const column = labelColumn(this.#question.items, size.width);
    if (this.#shown.length === 0) lines.push([span(` ${this.#emptySentence()}`, "muted")]);
    for (const [index, item] of this.#shown.slice(this.#top, this.#top + this.#rows).entries()) {
      const marked = this.#top + index === this.#selected;
      const line = itemLine(item, { start: marked ? `${glyphs.selected} ` : "  ", column });
      lines.push(marked ? selectLine(line, size.width, glyphs.ellipsis) : line);
    }
    const off = this.#shown[this.#selected]?.off;
    if (lines.length < size.height) {
      lines.push(
        off === undefined
          ? hintLine(
              [
                { keys: keys.hint("list.choose"), text: "choose" },
                { keys: keys.hint("list.close"), text: searching ? "clear" : "close" },
              ],
              size.width,
            )
          : [span(` ${firstWords(off)}`, "bad")],
      );
    }
    return frameOfLines(this.#desk, size, { lines, cursor: { row: 1, column: typed.column + 3 } });
  }

  handleKey(key: KeyPress): boolean {
    const used = this.#act(this.#desk.keys.actionFor("list", key)) || this.#typed(key);
    if (used) this.#desk.redraw();
    return used;
  }

  handlePaste(text: string): void {
    this.#search.paste(text);
    this.#narrow();
    this.#desk.redraw();
  }

  #act(action: string | undefined): boolean {
    const last = this.#shown.length - 1;
    const go = (index: number): true => {
      this.#selected = Math.max(0, Math.min(last, index));
      return true;
    };
    switch (action) {
      case "list.previous":
        return go(this.#selected - 1);
      case "list.next":
        return go(this.#selected + 1);
      case "list.pageUp":
        return go(this.#selected - this.#rows);
      case "list.pageDown":
        return go(this.#selected + this.#rows);
      case "list.first":
        return go(0);
      case "list.last":
        return go(last);
      case "list.choose": {
        const item = this.#shown[this.#selected];
        // What is off says why at the foot of the list.
        if (item !== undefined && item.off === undefined) this.#done(item.value);
        return true;
      }
      case "list.close":
        if (this.#search.text === "") this.#done(undefined);
        else {
          this.#search.set("");
          this.#narrow();
        }
        return true;
      default:
        return false;
    }
  }

  #typed(key: KeyPress): boolean {
    const before = this.#search.text;
    if (!this.#search.handleKey(key, this.#desk.keys)) return false;
    if (this.#search.text !== before) this.#narrow();
    return true;
  }

  /** Every word must be there, in any order. The line that was marked stays marked where it is still shown. */
  #narrow(): void {
    const marked = this.#shown[this.#selected];
    const words = this.#search.text.toLowerCase().split(" ").filter(Boolean);
    this.#shown = this.#question.items.filter(({ label, detail = "" }) => {
      const text = `${label} ${detail}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const again = marked === undefined ? -1 : this.#shown.indexOf(marked);
    this.#selected = Math.max(0, again);
  }

  #emptySentence(): string {
    const { text } = this.#search;
    if (text === "") return firstWords(this.#question.empty ?? "There is nothing to choose from.");
    return `Nothing matches "${firstWords(text)}". ${this.#desk.keys.hint("list.close")} clears the search.`;
  }
}

/** Wide enough for the labels, so that what they mean stands in one column; a few long ones do not push it away. */
function labelColumn(items: readonly SelectItem<unknown>[], width: number): number {
  const most = Math.floor(width / 3);
  const widths = items.map(({ label }) => displayWidth(firstWords(label))).filter((wide) => wide <= most);
  return Math.max(0, ...widths);
}

function itemLine<Value>(
  { label, detail, off }: SelectItem<Value>,
  { start, column }: { readonly start: string; readonly column: number },
): Line {
  const tone = off === undefined ? "text" : "muted";
  const words = firstWords(label);
  if (detail === undefined) return [span(` ${start}`, tone), span(words, tone)];
  const padding = " ".repeat(Math.max(0, column - displayWidth(words)));
  return [span(` ${start}`, tone), span(words, tone), span(`${padding}  ${firstWords(detail)}`, "muted")];
}
