/** What a server prints and logs: the end of it, made harmless, for people who look for a mistake. */
import { withoutControls } from "@bough/session/text/index.js";

const MOST_LINES = 200;
const LONGEST_LINE = 500;

interface LogLine {
  readonly text: string;
  /** Bough's remark about the connection, not output of the server. */
  readonly isRemark: boolean;
}

export class ServerLog {
  #lines: LogLine[] = [];
  #rest = "";

  get lines(): readonly string[] {
    const whole = this.#lines.map(({ text }) => text);
    return this.#rest === "" ? whole : [...whole, this.#rest];
  }

  get lastOutput(): string | undefined {
    return this.#rest === "" ? this.#lines.findLast(({ isRemark }) => !isRemark)?.text : this.#rest;
  }

  /** One whole line or several. */
  add(text: string): void {
    this.#push(text, { isRemark: false });
  }

  remark(text: string): void {
    this.#push(text, { isRemark: true });
  }

  /** Output as it comes, which may end in the middle of a line. */
  write(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = (lines.pop() ?? "").slice(-LONGEST_LINE);
    // Of a flood only the end is looked at.
    this.add(lines.slice(-MOST_LINES).join("\n"));
  }

  #push(said: string, { isRemark }: Pick<LogLine, "isRemark">): void {
    for (const line of said.split("\n")) {
      const clean = withoutControls(line).trimEnd();
      const text = clean.length > LONGEST_LINE ? `${clean.slice(0, LONGEST_LINE)}…` : clean;
      if (clean !== "") this.#lines.push({ text, isRemark });
    }
    if (this.#lines.length > MOST_LINES) this.#lines = this.#lines.slice(-MOST_LINES);
  }
}
