/** Collects the output of a command: shows its end while it runs, and truncates the final result. */
import { stripVTControlCharacters } from "node:util";
import type { ToolContext } from "../tool.js";
import { dropKeptFile, OutputKeeper } from "./output-keeper.js";

export const MAX_OUTPUT_CHARACTERS = 30_000;
const UPDATE_CHARACTERS = 4000;
const MAX_FILE_BYTES = 512 * 1024 * 1024;

export interface FinishedOutput {
  /** The end of the output, without colors and trailing empty lines. */
  readonly text: string;
  readonly truncated: boolean;
  readonly totalBytes: number;
  /** File with the full output, if `text` is truncated. */
  readonly fullOutputPath?: string;
  /** What is missing from the file, or why there is no file. */
  readonly problem?: string;
}

/** Takes any amount of output with bounded memory. */
export class CommandOutput {
  readonly #keeper: OutputKeeper;
  readonly #onUpdate: ToolContext["onUpdate"];
  #unseen = 0;

  constructor({ outputDir, callId, onUpdate }: Pick<ToolContext, "outputDir" | "callId" | "onUpdate">) {
    this.#onUpdate = onUpdate;
    this.#keeper = new OutputKeeper({
      folder: outputDir,
      name: `bash-${callId.replace(/[^A-Za-z0-9_-]/g, "").slice(-60)}`,
      // UTF-8 has at most three bytes per UTF-16 unit, so this always holds all characters that are shown.
      keepBytes: MAX_OUTPUT_CHARACTERS * 3,
      fileAfterBytes: MAX_OUTPUT_CHARACTERS,
      maxFileBytes: MAX_FILE_BYTES,
    });
  }

  /**
   * Reports the end of the output so far whenever it has grown by a sixteenth or by 4 kB. By size instead of time, so
   * that a slow command shows every line and updates do not slow down a fast one.
   */
  add(chunk: Buffer): void {
    const keeper = this.#keeper;
    keeper.add(chunk);
    this.#unseen += chunk.length;
    if (this.#unseen < Math.min(keeper.total / 16, 4096)) return;
    this.#unseen = 0;
    const bytes = wholeCharacters(keeper.end(UPDATE_CHARACTERS * 3));
    this.#onUpdate({ text: lastPart(cleanOutput(bytes), UPDATE_CHARACTERS), details: { totalBytes: keeper.total } });
  }

  /** Closes the file, and removes it if nothing was truncated. */
  finish(): FinishedOutput {
    const { total: totalBytes } = this.#keeper;
    const bytes = this.#keeper.end(totalBytes);
    const all = cleanOutput(wholeCharacters(bytes));
    const shown = lastPart(all, MAX_OUTPUT_CHARACTERS);
    const truncated = bytes.length < totalBytes || shown.length < all.length;
    const kept = this.#keeper.close();
    if (!truncated) dropKeptFile(kept);
    return {
      text: trimEndOf(shown, "\n"),
      truncated,
      totalBytes,
      fullOutputPath: truncated ? kept.path : undefined,
      problem: kept.problem,
    };
  }
}

/**
 * Removes colors, cursor movements and control characters. Of a line that was overwritten with `\r`, keeps the last
 * version. Invalid UTF-8 becomes U+FFFD.
 */
function cleanOutput(bytes: Buffer): string {
  return stripVTControlCharacters(bytes.toString("utf8"))
    .split("\n")
    .map(lastDrawing)
    .join("\n")
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}

function lastDrawing(line: string): string {
  const text = trimEndOf(line, "\r");
  return text.slice(text.lastIndexOf("\r") + 1);
}

/** Not a regular expression, because that would be quadratic for long runs of the character. */
function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** At most the last `maxCharacters`; starts at a line if that loses little, and never inside a surrogate pair. */
function lastPart(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let from = text.length - maxCharacters;
  const code = text.charCodeAt(from);
  if (code >= 0xdc00 && code <= 0xdfff) from++;
  const line = text.indexOf("\n", from);
  return text.slice(line >= 0 && line - from < maxCharacters / 10 ? line + 1 : from);
}

/** Drops the rest of a character that the start of the buffer cut in two. */
function wholeCharacters(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.subarray(from);
}
