/** The multi-line text editor: the library's editor behind a small interface, drawn in our theme. */

import { withoutControls } from "@bough/session/text/index.js";
import { cutToWidth } from "@bough/session/view/internal.js";
import {
  type AutocompleteProvider,
  Editor,
  type SelectListTheme,
  type TUI,
  visibleWidth,
} from "@earendil-works/pi-tui";
import type { Frame, Size } from "../../host/panel.js";
import type { PanelHost } from "../../host/panel-host.js";
import type { KeyPress } from "../../keys/key-press.js";
import { commandOf, useEditorBindings } from "./editor-bindings.js";
import { type Binding, bindingOf } from "./editor-keys.js";

interface TextEditorOptions {
  readonly host: Pick<PanelHost, "theme" | "glyphs" | "keys" | "redraw">;
  /** Called when the text is sent, with pasted texts expanded. The editor is empty again. */
  readonly onSubmit: (text: string) => void;
  readonly completion?: AutocompleteProvider;
  /** What Up recalls, oldest first. Only called when the user starts to go back, so it may be slow. */
  readonly history?: () => readonly string[];
}

/** A text being edited. It is drawn elsewhere. */
export type TextInput = Pick<
  TextEditor,
  | "text"
  | "isEmpty"
  | "completing"
  | "setText"
  | "insert"
  | "paste"
  | "newLine"
  | "closeList"
  | "submit"
  | "acceptCompletion"
  | "handleKey"
  | "draw"
>;

/** Marks the two rules that the library draws, so that we can draw our own. */
const BORDER = "\x00";
const CURSOR_ON = "\x1b[7m";
const CURSOR_OFF = "\x1b[0m";
/** With fewer columns a mark would take too many of them. */
const LEAST_FOR_MARK = 20;
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

interface EditorLook {
  /** In the rule above the text. */
  readonly title?: string;
  /** Before the first line; the others are indented as much. */
  readonly mark?: string;
  /** Shown until something is written. */
  readonly placeholder?: string;
}

export class TextEditor {
  readonly #options: TextEditorOptions;
  /** The parts of a terminal that the library uses. */
  readonly #terminal = { rows: 24 };
  #editor: Editor;

  constructor(options: TextEditorOptions) {
    this.#options = options;
    this.#editor = this.#make([]);
  }

  /** The text, with pasted texts expanded. */
  get text(): string {
    return this.#editor.getExpandedText();
  }

  get isEmpty(): boolean {
    return this.#editor.getText() === "";
  }

  get completing(): boolean {
    return this.#editor.isShowingAutocomplete();
  }

  setText(text: string): void {
    this.#editor.setText(withoutControls(text));
    this.#options.host.redraw();
  }

  insert(text: string): void {
    this.#editor.insertTextAtCursor(withoutControls(text));
    this.#options.host.redraw();
  }

  /** Long pastes become a placeholder. */
  paste(text: string): void {
    // A trailing newline does not add a line.
    const lines = withoutControls(text).replace(/\r?\n$/, "");
    this.#give(`${PASTE_START}${lines}${PASTE_END}`);
  }

  newLine(): void {
    this.#run("tui.input.newLine");
  }

  closeList(): void {
    if (this.completing) this.#run("tui.select.cancel");
  }

  /** Sends the text as is. A backslash before the cursor starts a new line instead. */
  submit(): void {
    this.closeList();
    this.#run("tui.input.submit");
  }

  /** Accepts the selected completion, and sends it if the list works that way. */
  acceptCompletion(): void {
    this.#run("tui.input.submit");
  }

  /** A key of the scope `editor`, or one that types text. False if it is neither. */
  handleKey(key: KeyPress): boolean {
    const binding = bindingOf(this.#options.host.keys.actionFor("editor", key) ?? "");
    if (binding !== undefined) {
      if (binding === "tui.editor.cursorUp" && this.isEmpty && this.#options.history !== undefined) {
        this.#beginLookingBack();
      }
      this.#run(binding);
      return true;
    }
    const typed = key.text === undefined ? "" : withoutControls(key.text);
    if (typed === "") return false;
    this.#give(typed);
    return true;
  }

  /** A rule with a title, the text, and the completion list: at most this many lines, always including the cursor. */
  draw({ width, height }: Size, { title = "", mark = "", placeholder = "" }: EditorLook = {}): Frame {
    this.#terminal.rows = height;
    const { theme, glyphs } = this.#options.host;
    const indent = mark === "" || width < LEAST_FOR_MARK ? 0 : visibleWidth(mark) + 1;
    const drawn = this.#editor.render(Math.max(2, width - indent));
    const shown = placeholder !== "" && this.isEmpty;
    const lines: string[] = [];
    let cursor: { row: number; column: number } | undefined;
    let rules = 0;
    for (const line of drawn) {
      if (line.startsWith(BORDER)) {
        rules += 1;
        const text = line.replaceAll(BORDER, "");
        if (rules === 1 || /\d/.test(text)) lines.push(this.#rule(text, { width, title: rules === 1 ? title : "" }));
        continue;
      }
      const isFirst = rules === 1 && lines.length === 1;
      // The list of completions has a mark of its own.
      const start = indent === 0 || rules > 1 ? "" : isFirst ? `${theme.paint("accent", mark)} ` : " ".repeat(indent);
      const at = rules === 1 ? line.indexOf(CURSOR_ON) : -1;
      if (at < 0) {
        lines.push(`${start}${line}`.trimEnd());
        continue;
      }
      // Use the real cursor, which screen readers and input methods follow, and draw no second one.
      cursor = { row: lines.length, column: Math.min(width - 1, indent + visibleWidth(line.slice(0, at))) };
      const text = line.replace(CURSOR_ON, "").replace(CURSOR_OFF, "").trimEnd();
      const hint = shown ? theme.paint("muted", cutToWidth(placeholder, width - indent - 1, glyphs.ellipsis)) : "";
      lines.push(`${start}${text}${hint}`.trimEnd());
    }
    return aroundCursor({ lines, cursor: cursor ?? { row: 0, column: 0 } }, height);
  }

  #rule(text: string, { width, title }: { readonly width: number; readonly title: string }): string {
    const { theme, glyphs } = this.#options.host;
    const [, sign, count] = /([↑↓]) (\d+)/.exec(text) ?? [];
    const hidden = count === undefined ? "" : `${count} more ${sign === "↑" ? "above" : "below"}`;
    const named = [title, hidden].filter((part) => part !== "").join(", ");
    if (named === "") return theme.paint("border", glyphs.rule.repeat(width));
    const words = `${glyphs.rule.repeat(3)} ${named} `;
    const rest = glyphs.rule.repeat(Math.max(0, width - words.length));
    return theme.paint("border", cutToWidth(words + rest, width, ""));
  }

  /** The library cannot clear its history, so make a new editor; with an empty text nothing is lost. */
  #beginLookingBack(): void {
    this.#editor = this.#make(this.#options.history?.() ?? []);
  }

  #run(binding: Binding): void {
    this.#give(commandOf(binding));
  }

  #give(data: string): void {
    useEditorBindings();
    this.#editor.handleInput(data);
    this.#options.host.redraw();
  }

  #make(history: readonly string[]): Editor {
    const { host, onSubmit, completion } = this.#options;
    const tui = { terminal: this.#terminal, requestRender: () => host.redraw() };
    useEditorBindings();
    const editor = new Editor(tui as unknown as TUI, {
      borderColor: (text) => `${BORDER}${text}`,
      selectList: listTheme(host),
    });
    editor.onSubmit = onSubmit;
    if (completion !== undefined) editor.setAutocompleteProvider(completion);
    for (const text of history) editor.addToHistory(withoutControls(text));
    return editor;
  }
}

/** Looks up the theme each time, because it may change. */
function listTheme(host: Pick<PanelHost, "theme" | "glyphs">): SelectListTheme {
  const selected = (text: string): string =>
    host.theme.paint("select", withoutControls(text).replace("→", host.glyphs.selected.slice(0, 1)));
  const muted = (text: string): string => host.theme.paint("muted", withoutControls(text));
  return {
    selectedPrefix: selected,
    selectedText: selected,
    description: muted,
    scrollInfo: muted,
    noMatch: muted,
  };
}

/** In a low window, only the lines around the cursor. */
export function aroundCursor(frame: Required<Frame>, height: number): Frame {
  const { lines, cursor } = frame;
  if (lines.length <= height) return frame;
  const top = Math.max(0, Math.min(cursor.row - Math.floor(height / 2), lines.length - height));
  return { lines: lines.slice(top, top + height), cursor: { row: cursor.row - top, column: cursor.column } };
}
