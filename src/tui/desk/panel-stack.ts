/** Panels over each other: the one on top has the keyboard. */
import type { Panel } from "./panel.js";

interface Opened {
  readonly panel: Panel;
  /** Takes it away without a result. */
  readonly abandon: () => void;
}

export class PanelStack {
  readonly #opened: Opened[] = [];
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get top(): Panel | undefined {
    return this.#opened.at(-1)?.panel;
  }

  get depth(): number {
    return this.#opened.length;
  }

  /** Resolves with what the panel was done with, or with `undefined` where it was taken away. A panel is done once. */
  open<Result>(make: (done: (result: Result) => void) => Panel): Promise<Result | undefined> {
    return new Promise((resolve) => {
      let opened: Opened | undefined;
      let over = false;
      const finish = (result: Result | undefined): void => {
        if (over) return;
        over = true;
        if (opened !== undefined) this.#remove(opened);
        resolve(result);
      };
      const panel = make(finish);
      opened = { panel, abandon: () => finish(undefined) };
      // Done before it was ever shown: nobody has to see it.
      if (over) panel.dispose?.();
      else {
        this.#opened.push(opened);
        this.#onChange();
      }
    });
  }

  /** Takes every panel away, the top one first. */
  closeAll(): void {
    while (this.#opened.length > 0) this.#opened.at(-1)?.abandon();
  }

  #remove(opened: Opened): void {
    const index = this.#opened.indexOf(opened);
    if (index === -1) return;
    this.#opened.splice(index, 1);
    opened.panel.dispose?.();
    this.#onChange();
  }
}
