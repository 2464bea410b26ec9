/** Cuts what a terminal sends into keys, pastes and answers, however it was cut up on the way. */

export type InputPiece =
  /** One key, or one report: the bytes of it. */
  { readonly kind: "sequence"; readonly data: string } | { readonly kind: "paste"; readonly text: string };

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** Whole sequences: control sequences (also the function keys of the Linux console), and single shifts. */
const CONTROL_SEQUENCE = /^\x1b\[(?:\[[A-E]|[0-?]*[ -/]*[@-~])/;
const SINGLE_SHIFT = /^\x1bO[ -~]/;
/** Strings that terminals send as answers, up to their end. */
const STRING = /^\x1b[\]P_^X][\s\S]*?(?:\x07|\x1b\\)/;
/** More than a user types between two looks, with a new line in the middle of it. */
const LOOKS_PASTED = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*[\r\n][^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+$/;
const LEAST_PASTED = 24;
/** A paste without an end must not swallow all input forever. */
const MOST_PASTED = 64 * 1024 * 1024;
/** An unfinished answer of a terminal is given up after this. */
const MOST_WAITING = 4096;

export class InputSplitter {
  #waiting = "";
  #pasted: string[] | undefined;
  #pastedLength = 0;
  /** Whether the terminal brackets pastes, as it reported. Until then, several lines at once count as a paste. */
  marksPastes = false;

  /** Whether something is waiting for its end: a lone Esc is known to be one only when nothing follows. */
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

  /** Nothing came after what is waiting: it is whole as it is. */
  flush(): readonly InputPiece[] {
    if (!this.isWaiting) return [];
    const rest = this.#waiting;
    this.#waiting = "";
    const [first = "", ...others] = rest;
    // An unfinished sequence is the key Esc and keys after it.
    return [first, ...others].map((data) => ({ kind: "sequence", data }));
  }

  /** False if more has to come first. */
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
    // The mark itself may have been cut in two.
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

/** How long the sequence at the start is; 0 if its end is not there yet. */
function sequenceLength(text: string): number {
  const second = text[1];
  if (second === undefined) return 0;
  // Esc pressed twice, or Esc and then a key that sends a sequence.
  if (second === "\x1b") return 1;
  if (second === "[") {
    const whole = CONTROL_SEQUENCE.exec(text)?.[0].length;
    if (whole !== undefined) return whole;
    // Something that no sequence has in it: Esc, and whatever follows.
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
