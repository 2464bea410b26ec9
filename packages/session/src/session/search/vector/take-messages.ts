/**
 * Takes consecutive message lines, each the child of the one before it, like most lines of a log: the loop behind
 * `MessageRuns`.
 *
 * It recognizes a single notation, byte for byte, with IDs that all have the same length, from 8 to 16 characters:
 *
 *     {"type":"message","id":"a1b2c3d4","parentId":"0f0f0f0f","timestamp":"2026-01-02T03:04:05.678Z","message":{"role":"
 *
 * At any other line it stops, and the caller examines that line.
 */
import {
  type AssembledFunction,
  above,
  add,
  again,
  andBits,
  andLongs,
  anyTrue,
  bitmask,
  block,
  type Code,
  different,
  differentBits,
  differentLongs,
  end,
  equal,
  get,
  I32,
  I64,
  i32,
  i64,
  i64OfText,
  isZero,
  leaveIf,
  load,
  loadByte,
  loadLong,
  loadTwice,
  loop,
  lowestBit,
  multiply,
  notBelow,
  notGreater,
  or,
  orLongs,
  set,
  shiftLeft,
  splat,
  storeLong,
  storeWord,
  subtract,
  tee,
  turnLeft,
  V128,
  when,
} from "./assembler.js";

export const SHORTEST_ID = 8;
export const LONGEST_ID = 16;

/**
 * Parameters: start and end of the whole lines, length of IDs, address of the result, its capacity in lines, and a
 * number to add to every start.
 */
const AT = 0;
const END = 1;
const ID_LENGTH = 2;
const OUT = 3;
const MOST = 4;
const OFFSET = 5;
const PARAMETERS = 6;
/** The start of the line, plus the length of one ID, and plus the length of both. */
const BEHIND_ID = 6;
const BEHIND_PARENT = 7;
const COUNT = 8;
const NEWLINE = 9;
const LANES = 10;
/** The first and the last eight characters of an ID, which may overlap. */
const ID_START = 11;
const ID_END = 12;
const LAST_START = 13;
const LAST_END = 14;
const LOADED = 15;
const QUOTE = 16;
const BACKSLASH = 17;
const LAST_CONTROL = 18;
const LINE_FEED = 19;

/** The bytes that are the same in all lines, eight at a time, at offsets from one of the three. */
const FIXED: readonly (readonly [from: number, place: number, text: string])[] = [
  [AT, 0, '{"type":'],
  [AT, 8, '"message'],
  [AT, 16, '","id":"'],
  [BEHIND_ID, 24, '","paren'],
  [BEHIND_ID, 30, 'entId":"'],
  [BEHIND_PARENT, 38, '","times'],
  [BEHIND_PARENT, 45, 'stamp":"'],
  [BEHIND_PARENT, 77, '","messa'],
  [BEHIND_PARENT, 85, 'ge":{"ro'],
  [BEHIND_PARENT, 90, '"role":"'],
];
/** Offset from `AT`. */
const ID_PLACE = 24;
/** Offsets from `BEHIND_ID`: the last eight characters of the ID, and the parent's ID. */
const ID_END_PLACE = 16;
const PARENT_PLACE = 38;
/** Offsets from `BEHIND_PARENT`. */
const PARENT_END_PLACE = 30;
const TIMESTAMP_PLACE = 53;
const ROLE_PLACE = 98;
/** Every line that is taken is longer. */
const HEAD = ROLE_PLACE + 2 * LONGEST_ID + 16;

/**
 * Layout of the result: both parts of the last line's ID and where it stopped, then the starts of lines, then the keys
 * of their IDs.
 */
export const LAST_ID_START = 0;
export const LAST_ID_END = 8;
export const STOPPED_AT = 16;
export const STARTS = 24;
const START_BYTES = 4;
const KEY_BYTES = 8;

/**
 * Leaves the key of an ID: its parts combined, one of them rotated, as a floating-point number that is neither 0 nor
 * NaN.
 */
export const KEY_TURN = 13;
export const KEY_MASK = 0x3fffffffffffffffn;
export const KEY_BIT = 0x2000000000000000n;
const key: readonly Code[] = [
  ...[get(ID_START), get(ID_END), i64(BigInt(KEY_TURN)), turnLeft, differentBits],
  ...[i64(KEY_MASK), andLongs, i64(KEY_BIT), orLongs],
];

/** Leaves the lanes of LOADED that are not plain text: escapes, control characters, and non-ASCII bytes. */
const notPlain: readonly Code[] = [
  ...[get(LOADED), get(BACKSLASH), equal, get(LOADED), get(LAST_CONTROL), notGreater, or],
];
const quotes: readonly Code[] = [get(LOADED), get(QUOTE), equal];
/** Leaves whether the loaded bytes are anything but plain text. */
const isOdd = (loaded: readonly Code[]): readonly Code[] => [
  ...[...loaded, set(LOADED), ...notPlain, ...quotes, or, anyTrue],
];
/** Leaves the lanes of the vector at NEWLINE that end a line. */
const lineEnds: readonly Code[] = [get(NEWLINE), load(0), get(LINE_FEED), equal];

const constants: readonly Code[] = [
  ...[i32(0x22), splat, set(QUOTE), i32(0x5c), splat, set(BACKSLASH)],
  ...[i32(0x1f), splat, set(LAST_CONTROL), i32(0x0a), splat, set(LINE_FEED)],
];

/** Runs inside the loop over lines, which is in one block: `leaveIf(1)` stops. */
const takeLine: readonly Code[] = [
  ...[get(COUNT), get(MOST), notBelow, leaveIf(1)],
  ...[get(AT), i32(HEAD), add, get(END), above, leaveIf(1)],
  ...[get(AT), get(ID_LENGTH), add, tee(BEHIND_ID), get(ID_LENGTH), add, set(BEHIND_PARENT)],
  ...FIXED.flatMap(([from, place, text]) => [
    ...[get(from), loadLong(place), i64OfText(text), differentLongs, leaveIf(1)],
  ]),
  ...[get(BEHIND_ID), loadLong(PARENT_PLACE), get(LAST_START), differentLongs, leaveIf(1)],
  ...[get(BEHIND_PARENT), loadLong(PARENT_END_PLACE), get(LAST_END), differentLongs, leaveIf(1)],
  ...[...isOdd([get(AT), loadTwice(ID_PLACE)]), leaveIf(1)],
  ...[...isOdd([get(BEHIND_ID), loadTwice(ID_END_PLACE)]), leaveIf(1)],
  // Twenty-four bytes, as two overlapping vectors.
  ...[...isOdd([get(BEHIND_PARENT), load(TIMESTAMP_PLACE)]), leaveIf(1)],
  ...[...isOdd([get(BEHIND_PARENT), load(TIMESTAMP_PLACE + 8)]), leaveIf(1)],
  // The role is plain and ends with a quote.
  ...[get(BEHIND_PARENT), load(ROLE_PLACE), set(LOADED), ...quotes, bitmask, tee(LANES), isZero, leaveIf(1)],
  ...[...notPlain, bitmask, i32(1), get(LANES), lowestBit, shiftLeft, i32(1), subtract, andBits, leaveIf(1)],
  ...[get(BEHIND_PARENT), i32(ROLE_PLACE), add, set(NEWLINE)],
  ...[loop, ...lineEnds, anyTrue, isZero, when, get(NEWLINE), i32(16), add, set(NEWLINE), again(1), end, end],
  ...[get(NEWLINE), ...lineEnds, bitmask, lowestBit, add, tee(NEWLINE)],
  ...[i32(1), subtract, loadByte(), i32(0x7d), different, leaveIf(1)],
  ...[get(AT), loadLong(ID_PLACE), set(ID_START), get(BEHIND_ID), loadLong(ID_END_PLACE), set(ID_END)],
  ...[get(OUT), get(COUNT), i32(START_BYTES), multiply, add, get(AT), get(OFFSET), add, storeWord(STARTS)],
  ...[get(OUT), get(MOST), i32(START_BYTES), multiply, add, get(COUNT), i32(KEY_BYTES), multiply, add],
  ...[...key, storeLong(STARTS), get(ID_START), set(LAST_START), get(ID_END), set(LAST_END)],
  ...[get(COUNT), i32(1), add, set(COUNT), get(NEWLINE), i32(1), add, set(AT), again(0)],
];

/** Takes lines that continue from the one whose ID is in the result, and returns their number. */
export const TAKE_MESSAGES: AssembledFunction = {
  name: "takeMessages",
  parameters: PARAMETERS,
  locals: [
    [ID_START - PARAMETERS, I32],
    [LOADED - ID_START, I64],
    [LINE_FEED + 1 - LOADED, V128],
  ],
  code: [
    ...[
      ...constants,
      get(OUT),
      loadLong(LAST_ID_START),
      set(LAST_START),
      get(OUT),
      loadLong(LAST_ID_END),
      set(LAST_END),
    ],
    ...[block, loop, ...takeLine, end, end],
    ...[get(OUT), get(LAST_START), storeLong(LAST_ID_START), get(OUT), get(LAST_END), storeLong(LAST_ID_END)],
    ...[get(OUT), get(AT), storeWord(STOPPED_AT), get(COUNT), end],
  ],
};
