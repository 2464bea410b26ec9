/** A single line that can be edited: a search box, a label, an answer. */
import { withoutControls } from "@bough/session/text/index.js";
import { displayWidth, graphemesOf } from "@bough/session/view/internal.js";
import type { KeyMap } from "../keys/key-map.js";
import type { KeyPress } from "../keys/key-press.js";

/**
 * A deletion reaches from the cursor to where another key would move it; if it is more than a character, it can be
 * undone.
 */
const DELETIONS: Readonly<Record<string, { readonly to: string; readonly keeps: boolean }>> = {
  "editor.deleteBack": { to: "editor.left", keeps: false },
  "editor.deleteAhead": { to: "editor.right", keeps: false },
  "editor.deleteWordBack": { to: "editor.wordLeft", keeps: true },
  "editor.deleteWordAhead": { to: "editor.wordRight", keeps: true },
  "editor.deleteToStart": { to: "editor.lineStart", keeps: true },
  "editor.deleteToEnd": { to: "editor.lineEnd", keeps: true },
};

export class TextField {
  /** Characters as users see them; the cursor is between two of them. */
  #characters: string[] = [];
  #cursor = 0;
  #deleted = "";

  constructor(text = "") {
    this.set(text);
  }

  get text(): string {
    return this.#characters.join("");
  }

  /** The cursor goes to the end. */
  set(text: string): void {
    this.#characters = charactersOf(text);
    this.#cursor = this.#characters.length;
  }

  paste(text: string): void {
    this.#insert(text);
  }

  /** Types text, or edits as the key says. False if the key does nothing here. */
  handleKey(key: KeyPress, keys: KeyMap): boolean {
    const action = keys.actionFor("editor", key);
    if (action !== undefined) return this.#act(action);
    // In the conversation this key may also quit; in a field it can only delete the next character.
    if (key.name === "ctrl+d") return this.#act("editor.deleteAhead");
    if (key.text === undefined) return false;
    this.#insert(key.text);
    return true;
  }

  /** The part of the text around the cursor that fits, and the cursor's column in it. */
  draw(width: number): { readonly text: string; readonly column: number } {
    // The cursor needs a column of its own after the last character.
    let start = 0;
    let before = displayWidth(this.#characters.slice(0, this.#cursor).join(""));
    while (before > width - 1 && start < this.#cursor) before -= displayWidth(this.#characters[start++] ?? "");
    let text = "";
    let used = 0;
    for (const character of this.#characters.slice(start)) {
      const next = used + displayWidth(character);
      if (next > width) break;
      text += character;
      used = next;
    }
    return { text, column: Math.min(before, Math.max(0, width - 1)) };
  }

  #act(action: string): boolean {
    const at = this.#cursor;
    const end = this.#characters.length;
    const places: Readonly<Record<string, number>> = {
      "editor.left": Math.max(0, at - 1),
      "editor.right": Math.min(end, at + 1),
      "editor.wordLeft": this.#wordStart(),
      "editor.wordRight": this.#wordEnd(),
      "editor.lineStart": 0,
      "editor.lineEnd": end,
    };
    const deletion = DELETIONS[action];
    if (action === "editor.putBack") this.#insert(this.#deleted);
    else if (deletion !== undefined) {
      const place = places[deletion.to] as number;
      const gone = this.#delete(Math.min(place, at), Math.max(place, at));
      if (deletion.keeps) this.#deleted = gone;
    } else if (places[action] !== undefined) this.#cursor = places[action];
    else return false;
    return true;
  }

  #insert(text: string): void {
    const added = charactersOf(text);
    this.#characters = [...this.#characters.slice(0, this.#cursor), ...added, ...this.#characters.slice(this.#cursor)];
    this.#cursor += added.length;
  }

  #delete(from: number, to: number): string {
    const gone = this.#characters.slice(from, to).join("");
    this.#characters = [...this.#characters.slice(0, from), ...this.#characters.slice(to)];
    this.#cursor = from;
    return gone;
  }

  #wordStart(): number {
    let at = this.#cursor;
    while (at > 0 && !isWord(this.#characters[at - 1])) at--;
    while (at > 0 && isWord(this.#characters[at - 1])) at--;
    return at;
  }

  #wordEnd(): number {
    let at = this.#cursor;
    while (at < this.#characters.length && !isWord(this.#characters[at])) at++;
    while (at < this.#characters.length && isWord(this.#characters[at])) at++;
    return at;
  }
}

/** Newlines in a paste become spaces. No one needs more than this on one line. */
const MOST = 10_000;

function charactersOf(text: string): string[] {
  const line = withoutControls(text.slice(0, MOST)).replace(/[\n\t]+/g, " ");
  return Array.from(graphemesOf(line), ({ segment }) => segment);
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{Letter}\p{Number}_]/u.test(character);
}
