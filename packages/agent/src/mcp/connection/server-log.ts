/** What a server prints and logs: the end of it, made harmless, for people who look for a mistake. */
import { withoutControls } from "@bough/session/text/index.js";

const MOST_LINES = 200;
const LONGEST_LINE = 500;

export class ServerLog {
  #lines: string[] = [];
  #rest = "";

  get lines(): readonly string[] {
    return this.#rest === "" ? this.#lines : [...this.#lines, this.#rest];
  }

  /** One whole line or several. */
  add(text: string): void {
    for (const line of text.split("\n")) {
      const clean = withoutControls(line).trimEnd();
      if (clean !== "") this.#lines.push(clean.length > LONGEST_LINE ? `${clean.slice(0, LONGEST_LINE)}…` : clean);
    }
    if (this.#lines.length > MOST_LINES) this.#lines = this.#lines.slice(-MOST_LINES);
  }

  /** Output as it comes, which may end in the middle of a line. */
  write(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = (lines.pop() ?? "").slice(-LONGEST_LINE);
    // Of a flood only the end is looked at.
    this.add(lines.slice(-MOST_LINES).join("\n"));
  }
}
