import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ReadInto, scanLines } from "./scan-lines.js";

const CHUNK = 1 << 20;

/** Reads from `bytes`, at most `most` at a time, as a pipe-like file system would. */
function readerOf(bytes: Buffer, most = CHUNK): ReadInto {
  return (buffer, at, length, offset) =>
    bytes.copy(buffer, at, offset, Math.min(bytes.length, offset + Math.min(length, most)));
}

interface Seen {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
  readonly last: string;
  readonly terminated: boolean;
}

function seenIn(bytes: Buffer, options: { readonly from?: number; readonly most?: number } = {}) {
  const lines: Seen[] = [];
  const end = scanLines(readerOf(bytes, options.most), options.from ?? 0, (line) => {
    lines.push({
      text: line.bytes.toString("latin1", line.start, line.end),
      offset: line.offset,
      length: line.length,
      last: line.last < 0 ? "" : String.fromCharCode(line.last),
      terminated: line.terminated,
    });
  });
  return { lines, end };
}

describe("a scan", () => {
  it("sees each line with its offset, its last byte that is not a space, and whether it ends", () => {
    expect(seenIn(Buffer.from("{a} \r\n\n \t\n{b}"))).toEqual({
      lines: [
        { text: "{a} \r", offset: 0, length: 5, last: "}", terminated: true },
        { text: "", offset: 6, length: 0, last: "", terminated: true },
        { text: " \t", offset: 7, length: 2, last: "", terminated: true },
        { text: "{b}", offset: 10, length: 3, last: "}", terminated: false },
      ],
      end: { certain: 10, end: 13 },
    });
  });

  it("takes a NUL for a byte like others: NULs are damage, not an empty line", () => {
    expect(seenIn(Buffer.from("\0\0\n")).lines).toMatchObject([{ last: "\0", length: 2 }]);
  });

  it("of nothing sees nothing", () => {
    expect(seenIn(Buffer.alloc(0))).toEqual({ lines: [], end: { certain: 0, end: 0 } });
  });

  it("sees the same however few bytes come at a time", () => {
    const text = fc.array(fc.constantFrom("\n", "a", " ", "}", "\r"), { maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 7 }), (parts, most) => {
        const bytes = Buffer.from(parts.join(""));
        expect(seenIn(bytes, { most })).toEqual(seenIn(bytes));
        const lines = bytes.toString().split("\n");
        const isOpen = lines.at(-1) !== "";
        expect(seenIn(bytes).lines.map((line) => line.text)).toEqual(isOpen ? lines : lines.slice(0, -1));
      }),
    );
  });

  it.each([CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 7])(
    "passes over a line of %d bytes, shows how it starts and ends, and sees what follows",
    (length) => {
      const long = Buffer.alloc(length, "x");
      long.write("{start");
      long.write("}  ", length - 3);
      const bytes = Buffer.concat([Buffer.from("before\n"), long, Buffer.from("\nafter\n")]);
      const { lines, end } = seenIn(bytes);
      expect(lines.map(({ offset, length: size, last }) => ({ offset, size, last }))).toEqual([
        { offset: 0, size: 6, last: "e" },
        { offset: 7, size: length, last: "}" },
        { offset: length + 8, size: 5, last: "r" },
      ]);
      expect([lines[1]?.text.startsWith("{start"), end]).toEqual([true, { certain: bytes.length, end: bytes.length }]);
    },
  );

  it("says that a long line without a newline is not terminated, and where it starts", () => {
    const bytes = Buffer.concat([Buffer.from("a\n"), Buffer.alloc(CHUNK * 2, "x")]);
    const { lines, end } = seenIn(bytes);
    expect([lines.length, lines[1]?.terminated, end]).toEqual([2, false, { certain: 2, end: bytes.length }]);
  });

  it("may be started while another one runs", () => {
    const bytes = Buffer.from("a\nbb\nccc\n");
    const pairs: string[] = [];
    scanLines(readerOf(bytes), 0, (outer) => {
      scanLines(readerOf(bytes), outer.offset, (inner) => {
        const text = (line: typeof inner) => line.bytes.toString("utf8", line.start, line.end);
        pairs.push(`${text(outer)}${text(inner)}`);
      });
    });
    expect(pairs).toEqual(["aa", "abb", "accc", "bbbb", "bbccc", "cccccc"]);
  });

  it("that ends in an error leaves the next one unharmed", () => {
    const bytes = Buffer.from("a\nb\n");
    expect(() =>
      scanLines(readerOf(bytes), 0, () => {
        throw new Error("enough");
      }),
    ).toThrow("enough");
    expect(seenIn(bytes).lines.map(({ text }) => text)).toEqual(["a", "b"]);
  });
});
