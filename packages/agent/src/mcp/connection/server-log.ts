/** The latest output of a server, without control characters, for troubleshooting. */
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

  /** Adds one or more complete lines. */
  add(text: string): void {
    this.#push(text, { isRemark: false });
  }

  remark(text: string): void {
    this.#push(text, { isRemark: true });
  }

  /** Adds output as it arrives, which may end in the middle of a line. */
  write(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = (lines.pop() ?? "").slice(-LONGEST_LINE);
    // In case of a flood, process only the end.
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
