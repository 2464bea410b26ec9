/** Reads a text line by line, in batches, with bounded memory at any file and line length. */
import { createReadStream } from "node:fs";
import type { TextEncoding } from "./file-kind.js";
import { LineCutter, type TextLine } from "./line-cutter.js";

/**
 * The source is the path of a file, or a text. Invalid bytes become U+FFFD and a byte order mark is dropped. A last
 * line without an ending counts; a final line ending does not start another line.
 */
export async function* textLines(
  source: string | { readonly text: string },
  options: { readonly encoding: TextEncoding; readonly maxLineLength: number; readonly signal: AbortSignal },
): AsyncGenerator<readonly TextLine[]> {
  if (typeof source !== "string") {
    const cutter = new LineCutter(options.maxLineLength);
    yield [...cutter.add(source.text), ...cutter.end()];
    return;
  }
  const path = source;
  const decoder = new TextDecoder(options.encoding);
  const lines = new LineCutter(options.maxLineLength);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 16, signal: options.signal })) {
    yield lines.add(decoder.decode(chunk as Buffer, { stream: true }));
  }
  yield [...lines.add(decoder.decode()), ...lines.end()];
}
