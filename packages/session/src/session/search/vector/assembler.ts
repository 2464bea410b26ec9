/** Assembles WebAssembly: the instructions that the search uses, and the module around them. */

export type Code = readonly number[];

export const I32 = 0x7f;
export const I64 = 0x7e;
export const V128 = 0x7b;
const FUNCTION = 0x60;
const NOTHING = 0x40;

export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const tee = (local: number): Code => [0x22, local];
export const i32 = (value: number): Code => [0x41, ...signed(BigInt(value))];
export const i64 = (value: bigint): Code => [0x42, ...signed(value)];
/** Eight characters in memory order. */
export const i64OfText = (text: string): Code => i64(Buffer.from(text, "latin1").readBigInt64LE());

const vector = (operation: number, ...operands: number[]): Code => [0xfd, ...unsigned(operation), ...operands];
export const load = (offset: number): Code => vector(0x00, 0, ...unsigned(offset));
/** Loads eight bytes into both halves. */
export const loadTwice = (offset: number): Code => vector(0x0a, 0, ...unsigned(offset));
export const splat = vector(0x0f);
export const equal = vector(0x23);
/** Compares bytes as signed numbers. */
export const notGreater = vector(0x29);
export const and = vector(0x4e);
export const or = vector(0x50);
export const anyTrue = vector(0x53);
export const bitmask = vector(0x64);

export const loadByte = (offset = 0): Code => [0x2d, 0, ...unsigned(offset)];
export const loadWord = (offset = 0): Code => [0x28, 0, ...unsigned(offset)];
export const loadLong = (offset = 0): Code => [0x29, 0, ...unsigned(offset)];
export const storeWord = (offset = 0): Code => [0x36, 0, ...unsigned(offset)];
export const storeLong = (offset = 0): Code => [0x37, 0, ...unsigned(offset)];

export const isZero: Code = [0x45];
export const same: Code = [0x46];
export const different: Code = [0x47];
export const negative: readonly Code[] = [i32(0), [0x48]];
export const above: Code = [0x4b];
export const notAbove: Code = [0x4d];
export const notBelow: Code = [0x4f];
export const lowestBit: Code = [0x68];
export const add: Code = [0x6a];
export const subtract: Code = [0x6b];
export const multiply: Code = [0x6c];
export const andBits: Code = [0x71];
export const orBits: Code = [0x72];
export const shiftLeft: Code = [0x74];
export const shiftRight: Code = [0x76];
export const differentLongs: Code = [0x52];
export const andLongs: Code = [0x83];
export const orLongs: Code = [0x84];
/** For 64-bit numbers. */
export const differentBits: Code = [0x85];
export const turnLeft: Code = [0x89];

export const block: Code = [0x02, NOTHING];
export const loop: Code = [0x03, NOTHING];
export const when: Code = [0x04, NOTHING];
export const otherwise: Code = [0x05];
export const end: Code = [0x0b];
/** Continues the loop that encloses this many blocks. */
export const again = (blocks: number): Code => [0x0c, blocks];
/** Leaves the block that encloses this many others if the number is not zero. */
export const leaveIf = (blocks: number): Code => [0x0d, blocks];
export const give: Code = [0x0f];
export const unreachable: Code = [0x00];

export interface AssembledFunction {
  readonly name: string;
  /** All are 32-bit numbers, and so is the result. */
  readonly parameters: number;
  /** Numbered after the parameters. */
  readonly locals: readonly (readonly [count: number, type: number])[];
  /** Including the `end` of the function. */
  readonly code: readonly Code[];
}

/** A module that imports its memory as `window.memory` and exports these functions. */
export function assembleModule(functions: readonly AssembledFunction[]): Uint8Array {
  return new Uint8Array(
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0].concat(
      section(1, list(functions.map(({ parameters }) => functionType(parameters)))),
      // A memory of at least zero pages.
      section(2, list([[...name("window"), ...name("memory"), 2, 0, 0]])),
      section(3, list(functions.map((_, n) => [n]))),
      section(7, list(functions.map((one, n) => [...name(one.name), 0, n]))),
      section(10, list(functions.map(functionBody))),
    ),
  );
}

function functionType(parameters: number): Code {
  return [FUNCTION, ...list(Array.from({ length: parameters }, () => [I32])), ...list([[I32]])];
}

function functionBody({ locals, code }: AssembledFunction): Code {
  return sized(list(locals.map(([count, type]) => [...unsigned(count), type])).concat(code.flat()));
}

function name(text: string): Code {
  return sized([...new TextEncoder().encode(text)]);
}

// Thousands of numbers are copied here before the runtime has compiled anything, which `concat` does natively.

function section(id: number, content: Code): Code {
  return [id].concat(sized(content));
}

function list(items: readonly Code[]): Code {
  return unsigned(items.length).concat(items.flat());
}

function sized(content: Code): Code {
  return unsigned(content.length).concat(content);
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

function signed(value: bigint): Code {
  const bytes: number[] = [];
  let rest = value;
  for (; rest < -0x40n || rest > 0x3fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest & 0x7fn)];
}
