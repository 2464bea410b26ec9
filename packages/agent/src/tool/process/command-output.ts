/** The output of a command: its end while it runs, and once it has ended what is shown of it. */
import { stripVTControlCharacters } from "node:util";
import type { ToolContext } from "../tool.js";
import { dropKeptFile, OutputKeeper } from "./output-keeper.js";

export const MAX_OUTPUT_CHARACTERS = 30_000;
const UPDATE_CHARACTERS = 4000;
const MAX_FILE_BYTES = 512 * 1024 * 1024;

export interface FinishedOutput {
  /** The end of it, without colors and without empty lines after it. */
  readonly text: string;
  readonly truncated: boolean;
  readonly totalBytes: number;
  /** All of it, if it was cut. */
  readonly fullOutputPath?: string;
  /** What is missing in the file, or why there is none. */
  readonly problem?: string;
}

/** Takes any amount of output: memory stays bounded, and updates come by size, so a fast command is not slowed down. */
export class CommandOutput {
  readonly #keeper: OutputKeeper;
  readonly #onUpdate: ToolContext["onUpdate"];
  #unseen = 0;

  constructor({ outputDir, callId, onUpdate }: Pick<ToolContext, "outputDir" | "callId" | "onUpdate">) {
    this.#onUpdate = onUpdate;
    this.#keeper = new OutputKeeper({
      folder: outputDir,
      name: `bash-${callId.replace(/[^A-Za-z0-9_-]/g, "").slice(-60)}`,
      // UTF-8 has at most three bytes per UTF-16 unit, so this always holds the characters that are shown.
      keepBytes: MAX_OUTPUT_CHARACTERS * 3,
      fileAfterBytes: MAX_OUTPUT_CHARACTERS,
      maxFileBytes: MAX_FILE_BYTES,
    });
  }

  /**
   * Shows the end of the output so far, after every sixteenth of growth or 4 kB. By size and not by time: a slow command
   * shows every line, a fast one is not slowed down by being watched.
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

  /** Closes the file, and removes it if everything is shown. */
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
      ...(truncated && kept.path !== undefined ? { fullOutputPath: kept.path } : {}),
      ...(kept.problem === undefined ? {} : { problem: kept.problem }),
    };
  }
}

/**
 * Colors and cursor movements go; of a line that was drawn over (`\r`) the last drawing stays; other control characters
 * go; wrong UTF-8 becomes U+FFFD.
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

/** A regular expression would try every run of the character again from each of its places. */
function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** The end of a text: at most this many characters, beginning at a line where that costs little, never inside a character. */
function lastPart(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let from = text.length - maxCharacters;
  const code = text.charCodeAt(from);
  if (code >= 0xdc00 && code <= 0xdfff) from++;
  const line = text.indexOf("\n", from);
  return text.slice(line >= 0 && line - from < maxCharacters / 10 ? line + 1 : from);
}

/** Bytes from the middle of a stream may begin inside a character; its rest says nothing. */
function wholeCharacters(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.subarray(from);
}
