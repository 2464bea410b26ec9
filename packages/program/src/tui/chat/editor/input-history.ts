/** What Up recalls: the prompts on the path, then texts of this run that were not sent or went to another session. */
import { entryText } from "@bough/session/entry/index.js";
import { isPromptAt, type TreeSource } from "@bough/session/tree/index.js";

/** As many as the editor keeps. */
const MOST = 100;
/** How many entries up the path to search for prompts. Only numbers are walked; entries are read for prompts alone. */
const FAR = 20_000;

export class InputHistory {
  readonly #written: string[] = [];

  /** A text that was sent or replaced. */
  add(text: string): void {
    if (text.trim() === "" || this.#written.at(-1) === text) return;
    this.#written.push(text);
    if (this.#written.length > MOST) this.#written.shift();
  }

  /** Oldest first; duplicates only at their latest position. */
  list(source: TreeSource): readonly string[] {
    const latest = new Set<string>();
    for (const text of [...this.#written].reverse()) latest.add(text);
    const { tree } = source;
    let at = source.leaf;
    for (let steps = 0; at >= 0 && steps < FAR && latest.size < MOST; steps++) {
      if (isPromptAt(tree, at)) {
        const text = entryText(source.entryAt(at)).trim();
        if (text !== "") latest.add(text);
      }
      at = tree.parentOf(at);
    }
    return [...latest].reverse();
  }
}
