/**
 * The WebAssembly module behind `ByteFinder`, assembled by hand: one loop over one memory.
 *
 * The function is written as its instructions in order. Lane n of a comparison of vectors at `at` is all ones where
 * place `at + n` fits; the lowest such lane is the answer.
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
const load = (offset: number): Code => vector(0x00, 0, offset);
const splat = vector(0x0f);
const equal = vector(0x23);
const atMost = vector(0x2a);
const and = vector(0x4e);
const andNot = vector(0x4f);
const or = vector(0x50);
const anyTrue = vector(0x53);
const bitmask = vector(0x64);
const add: Code = [0x6a];
const lowestBit: Code = [0x68];
const lessThan: Code = [0x49];
const notLess: Code = [0x4f];
const loop: Code = [0x03, NOTHING];
const again: Code = [0x0c, 0];
const when: Code = [0x04, NOTHING];
const whenGives: Code = [0x04, I32];
const otherwise: Code = [0x05];
const give: Code = [0x0f];
const end: Code = [0x0b];
const unreachable: Code = [0x00];

const AT = 0;
const END = 1;
/** Vectors in a turn of the loop. */
const VECTORS = 4;
const each = <Item>(make: (vector: number) => Item): Item[] => Array.from({ length: VECTORS }, (_, n) => make(n));

type PerVector = (vector: number) => readonly Code[];

/**
 * Goes through `at..end` in turns of four vectors. `fits(n)` leaves the lanes of vector n that fit; where there are any
 * in a turn, `confirm(n)` takes them from the stack and leaves those that really do. `first` is the local of the first
 * of four that keep lanes. Gives the place of the first lane, or -1 where that is behind the end.
 */
const search = (first: number, fits: PerVector, confirm: PerVector = () => []): readonly Code[] => [
  ...[loop, get(AT), get(END), notLess, when, i32(-1), give, end],
  ...each((n) => [...fits(n), tee(first + n), ...(n === 0 ? [] : [or])]).flat(),
  ...[anyTrue, when],
  ...each((n) => [
    get(first + n),
    ...confirm(n),
    tee(first + n),
    anyTrue,
    when,
    ...giveLowest(first + n, n),
    end,
  ]).flat(),
  ...[end, get(AT), i32(16 * VECTORS), add, set(AT), again, end, unreachable, end],
];

const giveLowest = (lanes: number, vector: number): readonly Code[] => [
  ...[get(AT), i32(16 * vector), add, get(lanes), bitmask, lowestBit, add, tee(AT), get(END), lessThan],
  ...[whenGives, get(AT), otherwise, i32(-1), end, give],
];

/**
 * Parameters: at, end, distance; then a mask and a value for the first place of the pair (3, 4) and the second (5, 6).
 * Fits: the pair, and a backslash (local 11) with a u (12). Confirmed: not with 0, 0 (13) and at most 1 (14) behind.
 */
const find: readonly Code[] = [
  ...[get(3), splat, set(7), get(4), splat, set(8), get(5), splat, set(9), get(6), splat, set(10)],
  ...[i32(0x5c), splat, set(11), i32(0x75), splat, set(12), i32(0x30), splat, set(13), i32(0x31), splat, set(14)],
  ...search(
    15,
    (n) => [
      ...[get(AT), load(16 * n), tee(19), get(7), or, get(8), equal],
      ...[get(AT), get(2), add, load(16 * n), get(9), or, get(10), equal, and],
      ...[get(19), get(11), equal, get(AT), load(16 * n + 1), get(12), equal, and, or],
    ],
    (n) => [
      ...[get(AT), load(16 * n), get(11), equal, get(AT), load(16 * n + 2), get(13), equal, and],
      ...[get(AT), load(16 * n + 3), get(13), equal, and, get(AT), load(16 * n + 4), get(14), atMost, and, andNot],
    ],
  ),
];

/** A module that exports `memory` of so many pages of 64 KiB, and `find`. */
export function vectorModule(pages: number): Uint8Array {
  const exported = [exportOf("memory", 2, 0), exportOf("find", 0, 0)];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([functionType(7)])),
    ...section(3, list([[0]])),
    ...section(5, list([[0, ...unsigned(pages)]])),
    ...section(7, list(exported)),
    ...section(10, list([functionBody(find, 13)])),
  ]);
}

function functionType(parameters: number): Code {
  return [FUNCTION, ...list(Array.from({ length: parameters }, () => [I32])), ...list([[I32]])];
}

function functionBody(code: readonly Code[], vectors: number): Code {
  return sized([...list([[...unsigned(vectors), V128]]), ...code.flat()]);
}

function exportOf(name: string, kind: number, index: number): Code {
  return [...sized([...new TextEncoder().encode(name)]), kind, index];
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
