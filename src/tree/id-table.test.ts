import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IdTable } from "./id-table.js";

const encoder = new TextEncoder();

/** Ids that share beginnings, so that prefixes and hashes get something to do. */
const id = fc.oneof(
  fc.stringMatching(/^[ab]{1,6}$/),
  fc.stringMatching(/^[0-9a-f]{12}$/),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }),
);

function tableOf(ids: readonly string[]): IdTable {
  const table = new IdTable();
  for (const one of ids) table.addText(one);
  return table;
}

describe("the table of ids", () => {
  it("knows what a map knows", () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 300 }), fc.array(id, { maxLength: 20 }), (ids, others) => {
        const table = new IdTable();
        const model = new Map<string, number>();
        for (const [i, one] of ids.entries()) {
          const bytes = encoder.encode(`<${one}>`);
          // By text and by bytes are the same way in.
          const answer = i % 2 === 0 ? table.addText(one) : table.add(bytes, 1, bytes.length - 1);
          expect(answer).toBe(model.get(one) ?? -1);
          if (!model.has(one)) model.set(one, model.size);
        }
        expect(table.count).toBe(model.size);
        for (const one of [...ids, ...others]) {
          const bytes = encoder.encode(one);
          const expected = model.get(one) ?? -1;
          expect([table.findText(one), table.find(bytes, 0, bytes.length)]).toEqual([expected, expected]);
        }
        for (const [one, n] of model) expect(table.textOf(n)).toBe(one);
      }),
      { numRuns: 300 },
    );
  });

  it("finds every id that starts with some text, up to a limit", () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 60 }), fc.string({ unit: "grapheme", maxLength: 3 }), (ids, prefix) => {
        const unique = [...new Set(ids)];
        const table = tableOf(unique);
        const expected = unique.flatMap((one, n) => (startsWith(one, prefix) ? [n] : []));
        expect(table.withPrefix(prefix, 1000)).toEqual(expected);
        expect(table.withPrefix(prefix, 2)).toEqual(expected.slice(0, 2));
      }),
      { numRuns: 300 },
    );
  });

  it("loaded in bulk is the one that was filled id by id", () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 300 }), fc.boolean(), (ids, isReserved) => {
        const table = new IdTable();
        if (isReserved) table.reserve(ids.length, 12);
        for (const one of ids) {
          const bytes = encoder.encode(one);
          table.load(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length);
        }
        expect(table.indexAll()).toBe(true);
        expect(ids.map((one) => table.findText(one))).toEqual(ids.map((_, n) => n));
        expect(ids.map((_, n) => table.textOf(n))).toEqual(ids);
        // It goes on like any other.
        expect([table.addText("a new one, longer than the others"), table.count]).toEqual([-1, ids.length + 1]);
      }),
      { numRuns: 200 },
    );
  });

  it("loaded in bulk says when an id stands twice", () => {
    const table = new IdTable();
    for (const one of ["a", "b", "a"]) table.load(new DataView(encoder.encode(one).buffer), 0, 1);
    expect(table.indexAll()).toBe(false);
  });

  it("keeps an id that is taken as a name that leads to the first", () => {
    const table = tableOf(["a", "b"]);
    table.addTextAgain("a");
    expect([table.count, table.textOf(2), table.findText("a"), table.addText("c"), table.findText("c")]).toEqual([
      3,
      "a",
      0,
      -1,
      3,
    ]);
  });

  it("compares bytes, not beginnings", () => {
    const table = tableOf(["abc"]);
    const is = (text: string) => table.is(0, encoder.encode(text), 0, text.length);
    expect([is("abc"), is("ab"), is("abcd"), is("abd")]).toEqual([true, false, false, false]);
  });

  it("holds a hundred thousand ids and finds each", () => {
    const table = new IdTable();
    for (let n = 0; n < 100_000; n++) expect(table.addText(`${n}`)).toBe(-1);
    for (let n = 0; n < 100_000; n += 997) expect(table.findText(`${n}`)).toBe(n);
    expect(table.findText("100000")).toBe(-1);
  });
});

/** As bytes: half a character is no beginning of a whole one. */
function startsWith(text: string, prefix: string): boolean {
  const [bytes, start] = [encoder.encode(text), encoder.encode(prefix)];
  return start.every((byte, i) => bytes[i] === byte);
}
