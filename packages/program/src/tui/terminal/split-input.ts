/** Splits terminal input into keys, pastes and answers, regardless of how it was chunked. */

export type InputPiece =
  /** One key, or one report: the bytes of it. */
  { readonly kind: "sequence"; readonly data: string } | { readonly kind: "paste"; readonly text: string };

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** Complete sequences: control sequences (including the function keys of the Linux console), and single shifts. */
const CONTROL_SEQUENCE = /^\x1b\[(?:\[[A-E]|[0-?]*[ -/]*[@-~])/;
const SINGLE_SHIFT = /^\x1bO[ -~]/;
/** Strings that terminals send as answers, up to their terminator. */
const STRING = /^\x1b[\]P_^X][\s\S]*?(?:\x07|\x1b\\)/;
/** More than a user types between two reads, with a newline in the middle. */
const LOOKS_PASTED = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*[\r\n][^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+$/;
const LEAST_PASTED = 24;
/** A paste without an end must not swallow all input forever. */
const MOST_PASTED = 64 * 1024 * 1024;
/** Stop waiting for the rest of a terminal's answer after this long. */
const MOST_WAITING = 4096;

export class InputSplitter {
  #waiting = "";
  #pasted: string[] | undefined;
  #pastedLength = 0;
  /** Whether the terminal reported bracketed paste. Until then, several lines at once count as a paste. */
  marksPastes = false;

  /** Whether something is incomplete: a lone Esc is recognized only if nothing follows. */
  get isWaiting(): boolean {
    return this.#waiting !== "" && this.#pasted === undefined;
  }

  take(data: string): readonly InputPiece[] {
    const pieces: InputPiece[] = [];
    const fresh = this.#waiting === "" && this.#pasted === undefined;
    if (fresh && !this.marksPastes && data.length >= LEAST_PASTED && LOOKS_PASTED.test(data)) {
      return [{ kind: "paste", text: data }];
    }
    this.#waiting += data;
    while (this.#waiting !== "" && this.#takeOne(pieces));
    return pieces;
  }

  /** Nothing followed: treat what is waiting as complete. */
  flush(): readonly InputPiece[] {
    if (!this.isWaiting) return [];
    const rest = this.#waiting;
    this.#waiting = "";
    const [first = "", ...others] = rest;
    // An unfinished sequence is Esc followed by other keys.
    return [first, ...others].map((data) => ({ kind: "sequence", data }));
  }

  /** False if more input is needed. */
  #takeOne(pieces: InputPiece[]): boolean {
    if (this.#pasted !== undefined) return this.#takePasted(pieces);
    const waiting = this.#waiting;
    if (!waiting.startsWith("\x1b")) {
      const character = String.fromCodePoint(waiting.codePointAt(0) ?? 0);
      this.#give(pieces, character);
      return true;
    }
    if (waiting.startsWith(PASTE_START)) {
      this.#pasted = [];
      this.#pastedLength = 0;
      this.#waiting = waiting.slice(PASTE_START.length);
      return this.#waiting !== "";
    }
    const length = sequenceLength(waiting);
    if (length === 0) return false;
    this.#give(pieces, waiting.slice(0, length));
    return true;
  }

  #takePasted(pieces: InputPiece[]): boolean {
    const pasted = this.#pasted ?? [];
    const end = this.#waiting.indexOf(PASTE_END);
    // The end mark may itself have been split.
    const sure = end === -1 ? Math.max(0, this.#waiting.length - PASTE_END.length) : end;
    pasted.push(this.#waiting.slice(0, sure));
    this.#pastedLength += sure;
    this.#waiting = this.#waiting.slice(sure);
    if (end === -1 && this.#pastedLength < MOST_PASTED) return false;
    this.#waiting = end === -1 ? "" : this.#waiting.slice(PASTE_END.length);
    this.#pasted = undefined;
    pieces.push({ kind: "paste", text: pasted.join("") });
    return true;
  }

  #give(pieces: InputPiece[], data: string): void {
    this.#waiting = this.#waiting.slice(data.length);
    pieces.push({ kind: "sequence", data });
  }
}

/** The length of the sequence at the start; 0 if its end has not arrived. */
function sequenceLength(text: string): number {
  const second = text[1];
  if (second === undefined) return 0;
  // Esc twice, or Esc before a key that sends a sequence.
  if (second === "\x1b") return 1;
  if (second === "[") {
    const whole = CONTROL_SEQUENCE.exec(text)?.[0].length;
    if (whole !== undefined) return whole;
    // Not part of any sequence: Esc followed by something else.
    return /^\x1b\[[ -?]*$/.test(text) ? 0 : 1;
  }
  if (second === "O") return text.length < 3 ? 0 : (SINGLE_SHIFT.exec(text)?.[0].length ?? 1);
  if ("]P_^X".includes(second)) {
    const whole = STRING.exec(text)?.[0].length;
    if (whole !== undefined) return whole;
    return text.length > MOST_WAITING ? 1 : 0;
  }
  return 1 + String.fromCodePoint(text.codePointAt(1) ?? 0).length;
}
