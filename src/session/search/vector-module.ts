/**
 * The WebAssembly module behind `ByteFinder`, assembled by hand: one loop over one memory.
 *
 * The function is written as its instructions in order. Lane n of a comparison of vectors at `at` is all ones where
 * place `at + n` fits. A turn of the loop only asks whether any lane does; the few that do are looked at one by one, so
 * that bytes which often stand together cost no way back to the caller.
 */

type Code = readonly number[];

const I32 = 0x7f;
const V128 = 0x7b;
const FUNCTION = 0x60;
const NOTHING = 0x40;

const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const tee = (local: number): Code => [0x22, local];
const i32 = (value: number): Code => [0x41, ...signed(value)];
const vector = (operation: number, ...operands: number[]): Code => [0xfd, ...unsigned(operation), ...operands];
const load = (offset: number): Code => vector(0x00, 0, ...unsigned(offset));
const splat = vector(0x0f);
const equal = vector(0x23);
const and = vector(0x4e);
const or = vector(0x50);
const anyTrue = vector(0x53);
const bitmask = vector(0x64);
const loadByte: Code = [0x2d, 0, 0];
const loadWord = (offset: number): Code => [0x28, 0, offset];
const isZero: Code = [0x45];
const same: Code = [0x46];
const negative: readonly Code[] = [i32(0), [0x48]];
const notAbove: Code = [0x4d];
const notBelow: Code = [0x4f];
const lowestBit: Code = [0x68];
const add: Code = [0x6a];
const subtract: Code = [0x6b];
const multiply: Code = [0x6c];
const andBits: Code = [0x71];
const orBits: Code = [0x72];
const shiftLeft: Code = [0x74];
const shiftRight: Code = [0x76];
const loop: Code = [0x03, NOTHING];
/** Goes on with the loop that encloses so many blocks. */
const again = (blocks: number): Code => [0x0c, blocks];
const when: Code = [0x04, NOTHING];
const otherwise: Code = [0x05];
const give: Code = [0x0f];
const end: Code = [0x0b];
const unreachable: Code = [0x00];

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
/** Numbers: the lanes of one vector that are left, a place that fits, what stands there. */
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

/** Leaves the lanes of vector n that fit: the pair, or a backslash with a u behind it. */
const fitting = (n: number): readonly Code[] => [
  ...[get(AT), load(16 * n), tee(LOADED), get(PAIR), or, get(PAIR + 1), equal],
  ...[get(AT), get(DISTANCE), add, load(16 * n), get(PAIR + 2), or, get(PAIR + 3), equal, and],
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
  ...[get(PLACE), loadByte, i32(0x5c), same, when, ...escapedUnit],
  ...[get(LOWEST), subtract, get(HIGHEST), get(LOWEST), subtract, notAbove, when, get(PLACE), give, end],
  ...[otherwise, get(PLACE), get(THIRD_DISTANCE), add, tee(FOUND), ...negative, isZero, when],
  ...[get(FOUND), loadByte, get(THIRD_MASK), orBits, get(THIRD_VALUE), same, when, get(PLACE), give, end],
  ...[end, end],
];

/** Looks at the lanes of vector n that fit, the lowest first. Gives -1 at the first that is behind the end. */
const lookCloser = (n: number): readonly Code[] => [
  ...[get(FITTING + n), bitmask, set(LANES), loop, get(LANES), when],
  ...[get(AT), i32(16 * n), add, get(LANES), lowestBit, add, tee(PLACE), get(END), notBelow, when, i32(-1), give, end],
  ...[get(LANES), get(LANES), i32(1), subtract, andBits, set(LANES), ...giveIfRight, again(1), end, end],
];

const find: readonly Code[] = [
  ...[0, 1, 2, 3].flatMap((n) => [get(FIRST_MASK + n), splat, set(PAIR + n)]),
  ...[i32(0x5c), splat, set(BACKSLASH), i32(0x75), splat, set(LETTER_U)],
  ...[loop, get(AT), get(END), notBelow, when, i32(-1), give, end],
  ...each((n) => [...fitting(n), tee(FITTING + n), ...(n === 0 ? [] : [or])]),
  ...[anyTrue, when, ...each(lookCloser), end],
  ...[get(AT), i32(16 * TURN), add, set(AT), again(0), end, unreachable, end],
];

/** A module that takes its memory from `window.memory` and exports `find`. */
export function vectorModule(): Uint8Array {
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([functionType(PARAMETERS)])),
    // A memory of at least no pages.
    ...section(2, list([[...name("window"), ...name("memory"), 2, 0, 0]])),
    ...section(3, list([[0]])),
    ...section(7, list([[...name("find"), 0, 0]])),
    ...section(10, list([functionBody(find)])),
  ]);
}

function functionType(parameters: number): Code {
  return [FUNCTION, ...list(Array.from({ length: parameters }, () => [I32])), ...list([[I32]])];
}

function functionBody(code: readonly Code[]): Code {
  const locals = list([
    [...unsigned(NUMBERS), I32],
    [...unsigned(VECTORS), V128],
  ]);
  return sized([...locals, ...code.flat()]);
}

function name(text: string): Code {
  return sized([...new TextEncoder().encode(text)]);
}

function section(id: number, content: Code): Code {
  return [id, ...sized(content)];
}

function list(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function sized(content: Code): Code {
  return [...unsigned(content.length), ...content];
}

function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

function signed(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  for (; rest < -0x40 || rest > 0x3f; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest & 0x7f];
}
