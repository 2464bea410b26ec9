/** Splits text that arrives in chunks into lines, with bounded memory at any line length. */

export interface TextLine {
  /** Without its ending (`\n` or `\r\n`). */
  readonly text: string;
  /** The line was longer than the limit; `text` is its beginning. */
  readonly cut: boolean;
}

export class LineCutter {
  readonly #most: number;
  #open = "";
  #cut = false;
  /** Whether the open line has any text yet. */
  #begun = false;

  constructor(maxLineLength: number) {
    this.#most = maxLineLength;
  }

  add(text: string): readonly TextLine[] {
    const done: TextLine[] = [];
    let from = 0;
    for (;;) {
      const end = text.indexOf("\n", from);
      this.#grow(end < 0 ? text.slice(from) : text.slice(from, end));
      if (end < 0) return done;
      done.push(this.#take());
      from = end + 1;
    }
  }

  end(): readonly TextLine[] {
    return this.#begun ? [this.#take()] : [];
  }

  #grow(text: string): void {
    if (text === "") return;
    this.#begun = true;
    // One more than the limit: the last character may be the `\r` of the ending, which does not count.
    const room = this.#most + 1 - this.#open.length;
    if (text.length > room) this.#cut = true;
    if (room > 0) this.#open += text.slice(0, room);
  }

  #take(): TextLine {
    const whole = this.#open.endsWith("\r") && !this.#cut ? this.#open.slice(0, -1) : this.#open;
    const line = { text: whole.slice(0, this.#most), cut: this.#cut || whole.length > this.#most };
    this.#open = "";
    this.#cut = false;
    this.#begun = false;
    return line;
  }
}
