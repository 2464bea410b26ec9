/**
 * From a piece of text to the bytes it has in a log, where these are certain.
 *
 * JSON can write one text in many ways, so a piece is cut into runs: at characters that need or allow an escape (`"`,
 * `\`, `/`, control characters) and at those whose cases differ in their number of bytes. Every match of the piece then
 * shows as these bytes, except in two cases that a run names: an escape `\uXXXX` for one of its characters, and the two
 * characters beyond ASCII that fold to `k` and `s`.
 */
import { caseVariants } from "./case-variants.js";
import { type BytePair, fitOf, MOST_DISTANCE } from "./find-bytes.js";

export interface ByteRun {
  /** The bytes allowed at each place. */
  readonly places: readonly (readonly number[])[];
  /** UTF-16 units that hide the run where the line has them as an escape. */
  readonly units: ReadonlySet<number>;
  /** The Kelvin sign or the long s may represent a `k` or an `s` of the run. */
  readonly lookalikes: boolean;
  /** The places to look for, the rarest there are. */
  readonly pair: BytePair;
  /** Where in the run the pair starts. */
  readonly pairAt: number;
  /** The lower, the fewer places a file has that fit. */
  readonly commonness: number;
}

/** Longer runs are cut: the rest is left to the match that decides. */
const MOST_BYTES = 128;

/** Runs at most this common are rare enough: to look for lookalikes as well costs more than to parse a few lines. */
const RARE = -17;

/**
 * The run of these pieces that a file has least, or undefined if no bytes are certain. Where the part of a run that
 * has no lookalikes is rare enough, that part: `tream` for `stream`.
 */
export function rarestRun(pieces: readonly string[], options: { readonly fold: boolean }): ByteRun | undefined {
  const runs = pieces.flatMap((piece) => runsOf(piece, { ...options, lookalikes: false }));
  const sure = least(runs);
  if (!options.fold || (sure !== undefined && sure.commonness <= RARE)) return sure;
  return least(pieces.flatMap((piece) => runsOf(piece, { ...options, lookalikes: true })));
}

function least(runs: readonly ByteRun[]): ByteRun | undefined {
  let rarest: ByteRun | undefined;
  for (const run of runs) if (rarest === undefined || run.commonness < rarest.commonness) rarest = run;
  return rarest;
}

interface RunOptions {
  readonly fold: boolean;
  /** Whether characters with lookalikes are part of a run, or end it. */
  readonly lookalikes: boolean;
}

function runsOf(piece: string, options: RunOptions): ByteRun[] {
  const runs: ByteRun[] = [];
  let open = new OpenRun(options);
  for (const character of piece) {
    if (open.add(character)) continue;
    open.finish(runs);
    open = new OpenRun(options);
  }
  open.finish(runs);
  return runs;
}

/** Characters that JSON has to escape or may write in another way, and such as are not characters. */
function isEscaped(character: string): boolean {
  const code = character.codePointAt(0) as number;
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const isHalf = code >= 0xd800 && code < 0xe000;
  return isControl || isHalf || code === 0xfffd || character === '"' || character === "\\" || character === "/";
}

class OpenRun {
  readonly #places: number[][] = [];
  readonly #units = new Set<number>();
  readonly #options: RunOptions;
  #lookalikes = false;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  /** Adds a character, if its bytes are certain. */
  add(character: string): boolean {
    if (isEscaped(character)) return false;
    const variants = this.#options.fold ? caseVariants(character) : [character];
    const own = Buffer.byteLength(character);
    const same = variants.filter((variant) => Buffer.byteLength(variant) === own);
    const lookalike = this.#options.lookalikes && character <= "\x7f" && same.length < variants.length;
    if (same.length < variants.length && !lookalike) return false;
    if (this.#places.length + own > MOST_BYTES) return false;
    this.#lookalikes ||= lookalike;
    const encoded = same.map((variant) => Buffer.from(variant));
    for (let i = 0; i < own; i++) this.#places.push([...new Set(encoded.map((bytes) => bytes[i] as number))]);
    for (const variant of variants) for (let i = 0; i < variant.length; i++) this.#units.add(variant.charCodeAt(i));
    return true;
  }

  finish(runs: ByteRun[]): void {
    const places = this.#places;
    const byRarity = [...places.keys()];
    byRarity.sort((a, b) => commonness(places[a] as number[]) - commonness(places[b] as number[]));
    const [one, other = one, third = one] = byRarity;
    if (one === undefined || other === undefined || third === undefined) return;
    const pairAt = Math.min(one, other);
    const distance = Math.abs(one - other);
    if (distance > MOST_DISTANCE) throw new Error(`bug: a run of ${places.length} bytes`);
    runs.push({
      places,
      units: this.#units,
      lookalikes: this.#lookalikes,
      pair: {
        distance,
        first: fitOf(places[pairAt] as number[]),
        second: fitOf(places[pairAt + distance] as number[]),
        third: { distance: third - pairAt, ...fitOf(places[third] as number[]) },
        escapes: { lowest: Math.min(...this.#units), highest: Math.max(...this.#units) },
      },
      pairAt,
      commonness: places.reduce((sum, place) => sum + Math.log(commonness(place)), 0),
    });
  }
}

/** Printable ASCII by how often it is in session files, most often first: text, code and JSON together. */
const BY_FREQUENCY = ` "etaosinrl,c:dpm0uh12\\.fgb-3}{4y5_6w8v79/k(x)';ESTAqCIRN=jO[]DPLM*z>F<BUGH&#VW+$|KYXQZ@!?J%\`^~`;

const SHARES = shares();

/** A rough share of the bytes of a file that are one of `bytes`, between 0 and 1. */
function commonness(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum + (SHARES[byte] as number), 0);
}

function shares(): Float64Array {
  // Bytes beyond ASCII: in a file that has them at all the first byte of a character is often the same.
  const table = new Float64Array(256).fill(0.01);
  for (let byte = 0xc0; byte < 0x100; byte++) table[byte] = 0.1;
  for (const [rank, character] of [...BY_FREQUENCY].entries()) {
    table[character.charCodeAt(0)] = 0.15 / (rank + 1);
  }
  return table;
}
