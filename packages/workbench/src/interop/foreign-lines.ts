/** The lines of a transcript, read in pieces: no string ever holds the whole file. */
import { closeSync, openSync, readSync } from "node:fs";
import { jsonObject } from "@bough/session/text/index.js";
import { pieceBuffer } from "./file-head.js";

export interface ForeignLine {
  /** First line is 1; empty lines count. */
  readonly line: number;
  readonly offset: number;
  /** Bytes without the newline. */
  readonly length: number;
  readonly text: string;
  /** False for a last line without a newline: it may be cut. */
  readonly terminated: boolean;
}

const NEWLINE = 0x0a;
/** A longer line is damage: its text is only its beginning, which is not JSON. */
const LONGEST_LINE = 1 << 28;

export interface LineOptions {
  /** Only lines that end within the first this many bytes. */
  readonly within?: number;
}

/** Every line that is not empty. */
export function* foreignLines(
  path: string,
  { within = Number.POSITIVE_INFINITY }: LineOptions = {},
): Generator<ForeignLine> {
  const file = openSync(path, "r");
  try {
    // One buffer for all reads: lines are text by the time the next read comes.
    const chunk = pieceBuffer(file);
    const splitter = new LineSplitter();
    let at = 0;
    const readOn = (): number => readSync(file, chunk, 0, Math.min(chunk.length, within - at), at);
    for (let got = readOn(); got > 0; got = readOn()) {
      yield* splitter.split(chunk.subarray(0, got));
      at += got;
    }
    if (at < within) yield* splitter.rest();
  } finally {
    closeSync(file);
  }
}

/** Bytes that come in pieces, as lines. */
export class LineSplitter {
  readonly #held = new HeldLine();
  #line = 0;
  #at = 0;

  /** The lines that end in the next piece. It is used only until they have all been taken. */
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

  /** What comes after the last newline. */
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
    // A byte order mark is not a part of the first line.
    if (this.#line > 1 || !text.startsWith(MARK)) return whole;
    return { ...whole, offset: whole.offset + MARK_BYTES, length: length - MARK_BYTES, text: text.slice(1) };
  }
}

const MARK = "\uFEFF";
const MARK_BYTES = 3;

const NOTHING = Buffer.alloc(0);

/** The part of a line that earlier reads brought. */
class HeldLine {
  #pieces: Buffer[] = [];
  /** Bytes of the line so far, held or not. */
  length = 0;

  /** Copies: the buffer is used again. */
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

/** The value of a line; undefined if it is not a JSON object. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  return jsonObject(withoutMark(text));
}

/** A text without the byte order mark that some programs put before it. */
export function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}

export function stringIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
