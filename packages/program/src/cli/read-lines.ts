const NEWLINE = 0x0a;

/** Longer lines are dropped: they are mistakes, and would fill the memory. */
export const LONGEST_LINE = 64 << 20;

export type ReadLine = { readonly kind: "line"; readonly text: string } | { readonly kind: "too-long" };

/**
 * Splits a byte stream into lines, at line feeds only: other line separators may be inside a JSON string. The last line
 * may lack a newline; one that is too long is reported once and skipped.
 */
export async function* readLines(input: AsyncIterable<Buffer>, longest = LONGEST_LINE): AsyncGenerator<ReadLine> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): ReadLine => {
    const line = length > longest ? { kind: "too-long" as const } : textLine(Buffer.concat(parts));
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      yield take();
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield take();

  function add(part: Buffer): void {
    length += part.length;
    if (length <= longest) parts.push(part);
    else parts = [];
  }
}

function textLine(bytes: Buffer): ReadLine {
  return { kind: "line", text: bytes.toString("utf8").replace(/\r$/, "") };
}
