/** What Up brings back: the prompts of the path, then what was written in this run and not sent or sent elsewhere. */
import { Role } from "../../../entry/index.js";
import type { TreeSource } from "../../../tree/index.js";

/** As many as the editor keeps. */
const MOST = 100;
/** How far up the path prompts are looked for: only their numbers are walked, entries are read for prompts alone. */
const FAR = 20_000;

export class InputHistory {
  readonly #written: string[] = [];

  /** A text that was sent, or that had to make room. */
  add(text: string): void {
    if (text.trim() === "" || this.#written.at(-1) === text) return;
    this.#written.push(text);
    if (this.#written.length > MOST) this.#written.shift();
  }

  /** Oldest first, each once, at its latest place. */
  list(source: TreeSource): readonly string[] {
    const latest = new Set<string>();
    for (const text of [...this.#written].reverse()) latest.add(text);
    const { tree } = source;
    let at = source.leaf;
    for (let steps = 0; at >= 0 && steps < FAR && latest.size < MOST; steps++) {
      if (tree.roleOf(at) === Role.user) {
        const text = promptText(source.entryAt(at));
        if (text !== "") latest.add(text);
      }
      at = tree.parentOf(at);
    }
    return [...latest].reverse();
  }
}

function promptText(entry: ReturnType<TreeSource["entryAt"]>): string {
  if (entry.type !== "message" || entry.message.role !== "user") return "";
  const content: unknown = entry.message.content;
  if (typeof content === "string") return content.trim();
  if (!Array.isArray(content)) return "";
  const texts = (content as readonly { readonly type?: unknown; readonly text?: unknown }[]).map(({ type, text }) =>
    type === "text" && typeof text === "string" ? text : "",
  );
  return texts.join("\n").trim();
}
