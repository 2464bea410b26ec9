/** Reads the lines of a transcript in pieces, so that the whole file is never in one string. */
import { closeSync, openSync, readSync } from "node:fs";
import { jsonObject } from "@bough/session/text/index.js";
import { pieceBuffer } from "./file-head.js";

export interface ForeignLine {
  /** 1-based; empty lines count. */
  readonly line: number;
  readonly offset: number;
  /** Bytes without the newline. */
  readonly length: number;
  readonly text: string;
  /** False for a last line without a newline, which may be incomplete. */
  readonly terminated: boolean;
}

const NEWLINE = 0x0a;
/** A longer line is treated as damage: only its start is kept, which is not valid JSON. */
const LONGEST_LINE = 1 << 28;

/** Who wants only lines near the start usually stops after a few. */
const FIRST_PIECE = 1 << 16;

export interface LineOptions {
  /** Yield only lines that end within this many bytes. */
  readonly within?: number;
}

/** Yields every non-empty line. */
export function* foreignLines(
  path: string,
  { within = Number.POSITIVE_INFINITY }: LineOptions = {},
): Generator<ForeignLine> {
  const file = openSync(path, "r");
  try {
    // One buffer for all reads is enough, since lines are converted to text before the next read.
    const chunk = pieceBuffer(file, within < Number.POSITIVE_INFINITY ? FIRST_PIECE : undefined);
    const splitter = new LineSplitter();
    let at = 0;
    const readNext = (): number => readSync(file, chunk, 0, Math.min(chunk.length, within - at), at);
    for (let got = readNext(); got > 0; got = readNext()) {
      yield* splitter.split(chunk.subarray(0, got));
      at += got;
    }
    if (at < within) yield* splitter.rest();
  } finally {
    closeSync(file);
  }
}

/** Splits bytes that arrive in pieces into lines. */
export class LineSplitter {
  readonly #held = new HeldLine();
  #line = 0;
  #at = 0;

  /** The lines that end in the next piece. The piece can be reused after all of them have been consumed. */
  *split(piece: Uint8Array): Generator<ForeignLine> {
    const view = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    let start = 0;
    for (let newline = view.indexOf(NEWLINE); newline >= 0; newline = view.indexOf(NEWLINE, start)) {
      const line = this.#ended(view.subarray(start, newline), this.#at + newline);
      start = newline + 1;
      if (line.text.trim() !== "") yield { ...line, terminated: true };
    }
    this.#held.keep(view.subarray(start));
    this.#at += view.length;
  }

  /** The text after the last newline, if any. */
  *rest(): Generator<ForeignLine> {
    const line = this.#ended(NOTHING, this.#at);
    if (line.text.trim() !== "") yield { ...line, terminated: false };
  }

  #ended(piece: Buffer, end: number): Omit<ForeignLine, "terminated"> {
    this.#line += 1;
    const text = this.#held.endWith(piece);
    const { length } = this.#held;
    this.#held.clear();
    const whole = { line: this.#line, offset: end - length, length, text };
    // A byte order mark is not part of the first line.
    if (this.#line > 1 || !text.startsWith(MARK)) return whole;
    return { ...whole, offset: whole.offset + MARK_BYTES, length: length - MARK_BYTES, text: text.slice(1) };
  }
}

const MARK = "\uFEFF";
const MARK_BYTES = 3;

const NOTHING = Buffer.alloc(0);

/** The part of a line that earlier pieces contained. */
class HeldLine {
  #pieces: Buffer[] = [];
  /** Bytes of the line so far, whether kept or not. */
  length = 0;

  /** Copies the piece, because the buffer is reused. */
  keep(piece: Buffer): void {
    if (piece.length > 0 && this.length <= LONGEST_LINE) this.#pieces.push(Buffer.from(piece));
    this.length += piece.length;
  }

  endWith(piece: Buffer): string {
    const isTooLong = this.length + piece.length > LONGEST_LINE;
    const first = this.#pieces[0];
    const text =
      first === undefined
        ? piece.toString("utf8")
        : (isTooLong ? first : Buffer.concat([...this.#pieces, piece])).toString("utf8");
    this.length += piece.length;
    return text;
  }

  clear(): void {
    this.#pieces = [];
    this.length = 0;
  }
}

/** The JSON object in a line; undefined if it is not one. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  return jsonObject(withoutMark(text));
}

/** Removes the byte order mark that some programs write. */
export function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}

export function stringIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
