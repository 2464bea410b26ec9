import fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 } as const;

/**
 * Any one character, as the unit of `fc.string`. It draws what `unit: "binary"` draws, which first makes a table of all
 * million characters: a second, and 100 MB for as long as the process lives.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map((index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count), indexOf);

function indexOf(text: unknown): number {
  const [first = "", ...others] = typeof text === "string" ? text : "";
  const point = first.codePointAt(0);
  if (point === undefined || others.length > 0) throw new Error("not one character");
  if (point < SURROGATES.first) return point;
  if (point < SURROGATES.first + SURROGATES.count) throw new Error("half a character");
  return point - SURROGATES.count;
}
