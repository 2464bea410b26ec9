import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitOf } from "./byte-pair.js";
import { type ByteFinder, createByteFinder, PlainFinder } from "./find-bytes.js";

const SIZE = 300;
const finders: [string, ByteFinder][] = [
  ["vectors", createByteFinder(SIZE)],
  ["a plain loop", new PlainFinder(SIZE)],
];
const bytes = (...values: string[]) => fc.array(fc.constantFrom(...values), { maxLength: SIZE - 20 });

function fill(finder: ByteFinder, text: string): number {
  finder.window.fill(0);
  return finder.window.write(text, 0, "latin1");
}

function allPlaces(next: (from: number) => number): number[] {
  const places: number[] = [];
  for (let at = next(0); at >= 0; at = next(at + 1)) places.push(at);
  return places;
}

/** A `\\u` without four digits after it is not JSON: it may be found or not. */
function isBroken(text: string, at: number): boolean {
  return /^\\u(?![0-9a-f]{4})/i.test(text.slice(at, at + 6));
}

test("this runtime searches with vectors", () => {
  expect(createByteFinder(SIZE)).not.toBeInstanceOf(PlainFinder);
});

describe.each(finders)("a search with %s", (_name, finder) => {
  test("finds every pair, in both cases or in one, with its third byte, and every escape of its units, up to the end", () => {
    const values = bytes(
      "q",
      "Q",
      "w",
      "W",
      "x",
      "\xff",
      "\n",
      "\\",
      "u",
      "0",
      "1",
      "2",
      "\\u0041",
      "\\u004a",
      "\\u004B",
      "\\uA041",
      "\\u001b",
      "\\u00e9",
    );
    fc.assert(
      fc.property(
        values,
        fc.nat(40),
        fc.integer({ min: -40, max: 40 }),
        fc.nat(SIZE),
        fc.boolean(),
        (parts, distance, third, cut, exact) => {
          const text = parts.join("").slice(0, SIZE - 20);
          const end = Math.min(cut, fill(finder, text));
          const pair = {
            distance,
            first: fitOf(exact ? [0x71] : [0x71, 0x51]),
            second: fitOf(exact ? [0x77] : [0x57, 0x77]),
            third: { distance: third, ...fitOf([0x78]) },
            escapes: { lowest: 0x41, highest: 0xfa },
          };
          const padded = `${text}\0\0\0\0\0`;
          const expected = [...text.slice(0, end)].flatMap((character, at) => {
            const flags = exact ? "" : "i";
            const isFirst = new RegExp("q", flags).test(character);
            const isSecond = new RegExp("w", flags).test(text[at + distance] ?? "");
            const isPair = isFirst && isSecond && text[at + third] === "x";
            const digits = /^\\u([0-9a-f]{4})/i.exec(padded.slice(at, at + 6))?.[1] ?? "0";
            const isEscape = Number.parseInt(digits, 16) >= 0x41 && Number.parseInt(digits, 16) <= 0xfa;
            return isPair || isEscape ? [at] : [];
          });
          const places = allPlaces((from) => finder.find(from, end, pair));
          expect(places.filter((at) => !isBroken(padded, at))).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test("the fit of two bytes that differ in one bit is exact, that of others is never too narrow", () => {
  const byte = fc.nat(255);
  fc.assert(
    fc.property(byte, byte, byte, (one, other, tried) => {
      const { mask, value } = fitOf([one, other]);
      const fits = (tried | mask) === value;
      const oneBit = Math.log2(one ^ other) % 1 === 0;
      if (tried === one || tried === other) expect(fits).toBe(true);
      else if (one === other || oneBit) expect(fits).toBe(false);
    }),
  );
});
