/** What is odd about the bytes of lines, whatever they say. */
import { isUtf8 } from "node:buffer";
import { type Findings, type Place, WHOLE_FILE } from "./findings.js";
import { hasByteOrderMark } from "./read-line.js";
import type { SessionLine } from "./session-lines.js";

const RETURN = 0x0d;

/** Sees every line once. Carriage returns are one finding for the whole file: a Windows file has one on every line. */
export class LineChecks {
  readonly #findings: Findings;
  #returns = 0;
  #firstReturn: Place = WHOLE_FILE;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  take(line: SessionLine): void {
    const { number, offset, length, raw } = line;
    const place: Place = { line: number, offset, length };
    if (hasByteOrderMark(raw)) {
      this.#findings.add("byte-order-mark", place, {
        cause: number === 1 ? "the file starts with a byte order mark" : "the line starts with a byte order mark",
        effect: "it is ignored",
      });
    }
    if (raw[raw.length - 1] === RETURN && line.last >= 0) {
      this.#returns += 1;
      if (this.#returns === 1) this.#firstReturn = place;
    }
    if (!isUtf8(raw) && !line.tooLong) {
      this.#findings.add("bad-encoding", place, {
        cause: "the line has bytes that are not UTF-8",
        effect: "each of them is shown as a replacement character; the file keeps them",
      });
    }
  }

  finish(): void {
    if (this.#returns === 0) return;
    this.#findings.add("windows-lines", this.#firstReturn, {
      cause: `${this.#returns === 1 ? "a line ends" : `${this.#returns} lines end`} with a carriage return, this one first`,
      effect: "it is ignored",
    });
  }
}
