/**
 * Looks for pairs of bytes and for escapes: the loop behind `ByteFinder.find`.
 *
 * Lane n of a comparison of vectors at `at` is all ones where place `at + n` fits. A turn of the loop only asks whether
 * any lane does; the few that do are looked at one by one, so that bytes which often are together cost no way back to
 * the caller.
 */
import {
  type AssembledFunction,
  add,
  again,
  and,
  andBits,
  anyTrue,
  bitmask,
  type Code,
  end,
  equal,
  get,
  give,
  I32,
  i32,
  isZero,
  load,
  loadByte,
  loadWord,
  loop,
  lowestBit,
  multiply,
  negative,
  notAbove,
  notBelow,
  or,
  orBits,
  otherwise,
  same,
  set,
  shiftLeft,
  shiftRight,
  splat,
  subtract,
  tee,
  unreachable,
  V128,
  when,
} from "./assembler.js";

/**
 * Parameters: where to search, the pair at its distance, the third place with the distance from the first, and the
 * lowest and the highest unit that an escape may name.
 */
const AT = 0;
const END = 1;
const DISTANCE = 2;
const FIRST_MASK = 3;
const THIRD_DISTANCE = 7;
const THIRD_MASK = 8;
const THIRD_VALUE = 9;
const LOWEST = 10;
const HIGHEST = 11;
const PARAMETERS = 12;
/** Numbers: the lanes of one vector that are left, a place that fits, what is there. */
const LANES = 12;
const PLACE = 13;
const FOUND = 14;
const NUMBERS = 3;
/** Vectors: masks and values of the pair in the order of the parameters, the escape, what was loaded, and the lanes. */
const PAIR = 15;
const BACKSLASH = 19;
const LETTER_U = 20;
const LOADED = 21;
const FITTING = 22;
/** Vectors in a turn of the loop. */
const TURN = 8;
const VECTORS = FITTING - PAIR + TURN;
const each = (make: (vector: number) => readonly Code[]): readonly Code[] =>
  Array.from({ length: TURN }, (_, n) => make(n)).flat();

/** Where every byte has one value no mask is needed. */
type Masks = "with masks" | "without masks";

/** Leaves the lanes of vector n that fit: the pair, or a backslash with a u after it. */
const fitting = (n: number, masks: Masks): readonly Code[] => [
  ...[get(AT), load(16 * n), tee(LOADED), ...masked(PAIR, masks), get(PAIR + 1), equal],
  ...[get(AT), get(DISTANCE), add, load(16 * n), ...masked(PAIR + 2, masks), get(PAIR + 3), equal, and],
  ...[get(LOADED), get(BACKSLASH), equal, get(AT), load(16 * n + 1), get(LETTER_U), equal, and, or],
];

/** A digit of the four in FOUND, the first of which is in its lowest byte, at its place in the number. */
const digit = (n: number): readonly Code[] => [
  ...[get(FOUND), i32(8 * n), shiftRight, i32(0xf), andBits, i32(12 - 4 * n), shiftLeft],
];

/**
 * Leaves the unit that the escape at the place names. Of four bytes that are no hexadecimal digits it makes some number,
 * which does no harm: no such line is JSON.
 */
const escapedUnit: readonly Code[] = [
  // A digit is its low four bits, a letter these and nine; letters have bit 6.
  ...[get(PLACE), loadWord(2), tee(FOUND), i32(0x0f0f0f0f), andBits],
  ...[get(FOUND), i32(6), shiftRight, i32(0x01010101), andBits, i32(9), multiply, add, set(FOUND)],
  ...[...digit(0), ...digit(1), orBits, ...digit(2), orBits, ...digit(3), orBits],
];

/** Gives the place if the unit of an escape there is in the range; or if the third byte fits. */
const giveIfRight: readonly Code[] = [
  ...[get(PLACE), loadByte(), i32(0x5c), same, when, ...escapedUnit],
  ...[get(LOWEST), subtract, get(HIGHEST), get(LOWEST), subtract, notAbove, when, get(PLACE), give, end],
  ...[otherwise, get(PLACE), get(THIRD_DISTANCE), add, tee(FOUND), ...negative, isZero, when],
  ...[get(FOUND), loadByte(), get(THIRD_MASK), orBits, get(THIRD_VALUE), same, when, get(PLACE), give, end],
  ...[end, end],
];

/** Looks at the lanes of vector n that fit, the lowest first. Gives -1 at the first that is after the end. */
const lookCloser = (n: number): readonly Code[] => [
  ...[get(FITTING + n), bitmask, set(LANES), loop, get(LANES), when],
  ...[get(AT), i32(16 * n), add, get(LANES), lowestBit, add, tee(PLACE), get(END), notBelow, when, i32(-1), give, end],
  ...[get(LANES), get(LANES), i32(1), subtract, andBits, set(LANES), ...giveIfRight, again(1), end, end],
];

const findWith = (masks: Masks): readonly Code[] => [
  ...[0, 1, 2, 3].flatMap((n) => [get(FIRST_MASK + n), splat, set(PAIR + n)]),
  ...[i32(0x5c), splat, set(BACKSLASH), i32(0x75), splat, set(LETTER_U)],
  ...[loop, get(AT), get(END), notBelow, when, i32(-1), give, end],
  ...each((n) => [...fitting(n, masks), tee(FITTING + n), ...(n === 0 ? [] : [or])]),
  ...[anyTrue, when, ...each(lookCloser), end],
  ...[get(AT), i32(16 * TURN), add, set(AT), again(0), end, unreachable, end],
];

function masked(mask: number, masks: Masks): readonly Code[] {
  return masks === "with masks" ? [get(mask), or] : [];
}

function find(name: string, masks: Masks): AssembledFunction {
  return {
    name,
    parameters: PARAMETERS,
    locals: [
      [NUMBERS, I32],
      [VECTORS, V128],
    ],
    code: findWith(masks),
  };
}

export const FIND_PAIR = find("find", "with masks");
export const FIND_EXACT_PAIR = find("findExact", "without masks");
