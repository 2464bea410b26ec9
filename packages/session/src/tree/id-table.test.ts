import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IdTable } from "./id-table.js";

const encoder = new TextEncoder();

/** IDs that share prefixes, to exercise prefix search and hashing. */
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
        const known = ids.map((one) => {
          const number = model.get(one) ?? -1;
          if (!model.has(one)) model.set(one, model.size);
          return number;
        });
        // Adding by text and by bytes is equivalent.
        const added = ids.map((one, i) => {
          const bytes = encoder.encode(`<${one}>`);
          return i % 2 === 0 ? table.addText(one) : table.add(viewOf(bytes), 1, bytes.length - 1);
        });
        expect(added).toEqual(known);
        expect(table.count).toBe(model.size);
        const asked = [...ids, ...others];
        const numbers = asked.map((one) => model.get(one) ?? -1);
        expect(asked.map((one) => table.findText(one))).toEqual(numbers);
        const encoded = asked.map((one) => encoder.encode(one));
        expect(encoded.map((bytes) => table.find(viewOf(bytes), 0, bytes.length))).toEqual(numbers);
        expect(Array.from(model.values(), (n) => table.textOf(n))).toEqual([...model.keys()]);
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
          table.load(viewOf(bytes), 0, bytes.length);
        }
        expect(table.indexAll()).toBe(true);
        expect(ids.map((one) => table.findText(one))).toEqual(ids.map((_, n) => n));
        expect(ids.map((_, n) => table.textOf(n))).toEqual(ids);
        // It can be extended like any other.
        expect([table.addText("a new one, longer than the others"), table.count]).toEqual([-1, ids.length + 1]);
      }),
      { numRuns: 200 },
    );
  });

  it("loaded in bulk reports duplicate ids", () => {
    const table = new IdTable();
    for (const one of ["a", "b", "a"]) table.load(new DataView(encoder.encode(one).buffer), 0, 1);
    expect(table.indexAll()).toBe(false);
  });

  it("keeps a duplicate ID as a name of the first entry", () => {
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
    const is = (text: string) => table.is(0, viewOf(encoder.encode(text)), 0, text.length);
    expect([is("abc"), is("ab"), is("abcd"), is("abd")]).toEqual([true, false, false, false]);
  });

  it("holds a hundred thousand ids and finds each", () => {
    const table = new IdTable();
    const ids = Array.from({ length: 100_000 }, (_, n) => `${n}`);
    expect(ids.filter((one) => table.addText(one) !== -1)).toEqual([]);
    for (let n = 0; n < 100_000; n += 997) expect(table.findText(`${n}`)).toBe(n);
    expect(table.findText("100000")).toBe(-1);
  });
});

/** As bytes: half a character is not a prefix of a whole one. */
function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function startsWith(text: string, prefix: string): boolean {
  const [bytes, start] = [encoder.encode(text), encoder.encode(prefix)];
  return start.every((byte, i) => bytes[i] === byte);
}

describe("ids that were made to collide", () => {
  /** The hash of version 0.1.0, which was the same in every process. */
  function formerHash(words: readonly number[]): number {
    let value = 0x811c9dc5 | 0;
    for (const word of words) {
      value = Math.imul(value ^ word, 0x01000193);
      value ^= value >>> 15;
    }
    return value;
  }

  const wordOf = (text: string) => new DataView(encoder.encode(text).buffer).getInt32(0, true);

  /** IDs of eight characters that all share one hash: the first half is free, the second compensates for it. */
  function colliding(count: number): string[] {
    const ids: string[] = [];
    for (let i = 0; ids.length < count; i++) {
      const start = i.toString(36).padStart(4, "0");
      // The remainder after the first half, which the second half must equal.
      const rest = formerHash([wordOf(start)]) ^ 0x5a5a5a5a;
      const bytes = [0, 8, 16, 24].map((shift) => (rest >>> shift) & 0xff);
      if (bytes.every((byte) => byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c)) {
        ids.push(start + String.fromCharCode(...bytes));
      }
    }
    return ids;
  }

  it("are spread like any others, added one by one or loaded at once", () => {
    const ids = colliding(5_000);
    expect(new Set(ids.map((one) => formerHash([wordOf(one), wordOf(one.slice(4))]))).size).toBe(1);
    const added = tableOf(ids);
    const loaded = new IdTable();
    for (const one of ids) {
      const bytes = encoder.encode(one);
      loaded.load(new DataView(bytes.buffer), 0, bytes.length);
    }
    expect(loaded.indexAll()).toBe(true);
    // Half full at most: two hundred slots would be extremely unlikely, and collisions give 5,000.
    expect(added.longestWay).toBeLessThan(200);
    expect(loaded.longestWay).toBeLessThan(200);
    expect(ids.map((one) => loaded.findText(one))).toEqual(ids.map((_, n) => n));
  });

  it("that differ in the highest bits of two words, which one multiplication misses, are spread too", () => {
    const ids = Array.from({ length: 4096 }, (_, i) => {
      const bytes = new Uint8Array(96).fill(0x61);
      for (let bit = 0; bit < 12; bit++) {
        if (((i >> bit) & 1) === 0) continue;
        bytes[bit * 8 + 3] = 0xe1;
        bytes[bit * 8 + 6] = 0x60;
        bytes[bit * 8 + 7] = 0xe1;
      }
      return bytes;
    });
    const table = new IdTable();
    for (const bytes of ids) table.add(viewOf(bytes), 0, bytes.length);
    expect(table.count).toBe(4096);
    expect(table.longestWay).toBeLessThan(200);
  });
});
