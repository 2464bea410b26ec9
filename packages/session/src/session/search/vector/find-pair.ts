/**
 * Finds pairs of bytes and escapes: the loop behind `ByteFinder.find`.
 *
 * Lane n of a vector comparison at `at` is all ones if position `at + n` matches. An iteration only tests whether any
 * lane does; the few that do are then checked one by one, so that bytes which often occur together do not return to the
 * caller each time.
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
 * Parameters: where to search, the pair and its distance, the third position with its distance from the first, and the
 * lowest and highest unit of an escape.
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
/** Numbers: the remaining lanes of one vector, a matching position, and the value found there. */
const LANES = 12;
const PLACE = 13;
const FOUND = 14;
const NUMBERS = 3;
/** Vectors: masks and values of the pair in parameter order, the escape, the loaded bytes, and the lanes. */
const PAIR = 15;
const BACKSLASH = 19;
const LETTER_U = 20;
const LOADED = 21;
const FITTING = 22;
/** Vectors per iteration. */
const TURN = 8;
const VECTORS = FITTING - PAIR + TURN;
const each = (make: (vector: number) => readonly Code[]): readonly Code[] =>
  Array.from({ length: TURN }, (_, n) => make(n)).flat();

/** If every byte has a single value, no mask is needed. */
type Masks = "with masks" | "without masks";

/** Leaves the lanes of vector n that match: the pair, or a backslash followed by a u. */
const fitting = (n: number, masks: Masks): readonly Code[] => [
  ...[get(AT), load(16 * n), tee(LOADED), ...masked(PAIR, masks), get(PAIR + 1), equal],
  ...[get(AT), get(DISTANCE), add, load(16 * n), ...masked(PAIR + 2, masks), get(PAIR + 3), equal, and],
  ...[get(LOADED), get(BACKSLASH), equal, get(AT), load(16 * n + 1), get(LETTER_U), equal, and, or],
];

/** Leaves hex digit n of the four in FOUND (the first is in the lowest byte), shifted to its position in the number. */
const digit = (n: number): readonly Code[] => [
  ...[get(FOUND), i32(8 * n), shiftRight, i32(0xf), andBits, i32(12 - 4 * n), shiftLeft],
];

/**
 * Leaves the unit of the escape at the position. Four bytes that are not hex digits give an arbitrary number, which is
 * harmless because no such line is JSON.
 */
const escapedUnit: readonly Code[] = [
  // A digit is its low four bits; a letter is these plus nine. Letters have bit 6 set.
  ...[get(PLACE), loadWord(2), tee(FOUND), i32(0x0f0f0f0f), andBits],
  ...[get(FOUND), i32(6), shiftRight, i32(0x01010101), andBits, i32(9), multiply, add, set(FOUND)],
  ...[...digit(0), ...digit(1), orBits, ...digit(2), orBits, ...digit(3), orBits],
];

/** Returns the position if the unit of an escape there is in range, or if the third byte matches. */
const giveIfRight: readonly Code[] = [
  ...[get(PLACE), loadByte(), i32(0x5c), same, when, ...escapedUnit],
  ...[get(LOWEST), subtract, get(HIGHEST), get(LOWEST), subtract, notAbove, when, get(PLACE), give, end],
  ...[otherwise, get(PLACE), get(THIRD_DISTANCE), add, tee(FOUND), ...negative, isZero, when],
  ...[get(FOUND), loadByte(), get(THIRD_MASK), orBits, get(THIRD_VALUE), same, when, get(PLACE), give, end],
  ...[end, end],
];

/** Checks the matching lanes of vector n, lowest first. Returns -1 at the first one past the end. */
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
