/**
 * Converts a piece of text to the bytes it has in a log, as far as these are certain.
 *
 * JSON can encode one text in many ways, so a piece is split into runs: at characters that need or allow an escape
 * (`"`, `\`, `/`, control characters) and at those whose cases differ in byte length. Every match of the piece then
 * contains these bytes, with two exceptions that a run lists: an escape `\uXXXX` for one of its characters, and the two
 * non-ASCII characters that fold to `k` and `s`.
 */

import { type BytePair, fitOf, MOST_DISTANCE } from "./byte-pair.js";
import { caseVariants } from "./case-variants.js";

export interface ByteRun {
  /** The bytes allowed at each position. */
  readonly places: readonly (readonly number[])[];
  /** UTF-16 units that hide the run if the line has them as an escape. */
  readonly units: ReadonlySet<number>;
  /** Whether the Kelvin sign or the long s may replace a `k` or an `s` of the run. */
  readonly lookalikes: boolean;
  /** The rarest byte positions, which are searched for. */
  readonly pair: BytePair;
  /** The offset of the pair in the run. */
  readonly pairAt: number;
  /** The lower, the fewer positions in a file match. */
  readonly commonness: number;
  /** The lower, the less time a search for it takes: looking closer where the pair is, and parsing lines with the run. */
  readonly cost: number;
}

/** Longer runs are cut; the final match decides about the rest. */
const MOST_BYTES = 128;

/** Runs at most this common are rare enough: searching for lookalikes too would cost more than parsing a few lines. */
const RARE = -17;

/** How many times as long it takes to parse a line as to look closer at a position. */
const LOOKS_PER_LINE = 1000;

/**
 * The cheapest run of these pieces, or undefined if no bytes are certain. If the part of a run without lookalikes is rare
 * enough, that part: `tream` for `stream`.
 */
export function rarestRun(pieces: readonly string[], options: { readonly fold: boolean }): ByteRun | undefined {
  const runs = pieces.flatMap((piece) => runsOf(piece, { ...options, lookalikes: false }));
  const sure = cheapestOf(runs);
  if (!options.fold || (sure !== undefined && sure.commonness <= RARE)) return sure;
  return cheapestOf(pieces.flatMap((piece) => runsOf(piece, { ...options, lookalikes: true })));
}

function cheapestOf(runs: readonly ByteRun[]): ByteRun | undefined {
  let cheapest: ByteRun | undefined;
  for (const run of runs) if (cheapest === undefined || run.cost < cheapest.cost) cheapest = run;
  return cheapest;
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

/** Characters that JSON must escape or may write in another way, and code points that are not characters. */
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

  /** Adds a character if its bytes are certain. */
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
    const ofPair = commonness(places[one] as number[]) * (one === other ? 1 : commonness(places[other] as number[]));
    const ofRun = places.reduce((sum, place) => sum + Math.log(commonness(place)), 0);
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
      commonness: ofRun,
      cost: ofPair + LOOKS_PER_LINE * Math.exp(ofRun),
    });
  }
}

/** Printable ASCII by frequency in session files, most frequent first: text, code and JSON together. */
const BY_FREQUENCY = ` "etaosinrl,c:dpm0uh12\\.fgb-3}{4y5_6w8v79/k(x)';ESTAqCIRN=jO[]DPLM*z>F<BUGH&#VW+$|KYXQZ@!?J%\`^~`;

const SHARES = shares();

/** The approximate share of a file's bytes that are in `bytes`, between 0 and 1. */
function commonness(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum + (SHARES[byte] as number), 0);
}

function shares(): Float64Array {
  // Non-ASCII bytes: in a file that has any, the first byte of a character is often the same.
  const table = new Float64Array(256).fill(0.01);
  for (let byte = 0xc0; byte < 0x100; byte++) table[byte] = 0.1;
  for (const [rank, character] of [...BY_FREQUENCY].entries()) {
    table[character.charCodeAt(0)] = 0.15 / (rank + 1);
  }
  return table;
}
