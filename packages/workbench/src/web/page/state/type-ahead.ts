/** Letters typed in quick succession form one text. */

const PAUSE_MILLISECONDS = 700;

export class TypeAhead {
  #typed = "";
  #last = Number.NEGATIVE_INFINITY;

  /** The text so far in lower case; undefined for a key that types nothing. */
  take(key: string, time: number): string | undefined {
    if (key.length !== 1 || /[\s/?[\]]/.test(key)) return undefined;
    this.#typed = time - this.#last > PAUSE_MILLISECONDS ? key.toLowerCase() : `${this.#typed}${key.toLowerCase()}`;
    this.#last = time;
    return this.#typed;
  }
}
