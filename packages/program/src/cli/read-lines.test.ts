import { describe, expect, test } from "vitest";
import { type ReadLine, readLines } from "./read-lines.js";

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesOf(
  text: string,
  options: { readonly size: number; readonly longest?: number },
): Promise<ReadLine[]> {
  const lines: ReadLine[] = [];
  for await (const line of readLines(chunksOf(Buffer.from(text), options.size), options.longest)) lines.push(line);
  return lines;
}

const line = (text: string): ReadLine => ({ kind: "line", text });

describe("readLines", () => {
  test.each([1, 2, 3, 7, 1000])("splits at line feeds alone, whatever the chunks of %i bytes cut", async (size) => {
    const text = '{"a":"one\u2028two"}\r\n\nzwölf 🌳\nlast';
    expect(await linesOf(text, { size })).toEqual([
      line('{"a":"one\u2028two"}'),
      line(""),
      line("zwölf 🌳"),
      line("last"),
    ]);
  });

  test.each([1, 4, 1000])("skips a line that is too long and continues, in chunks of %i bytes", async (size) => {
    const lines = await linesOf("short\n123456789\nafter\n", { size, longest: 8 });
    expect(lines).toEqual([line("short"), { kind: "too-long" }, line("after")]);
  });

  test("nothing has no lines", async () => {
    expect(await linesOf("", { size: 1 })).toEqual([]);
  });
});
