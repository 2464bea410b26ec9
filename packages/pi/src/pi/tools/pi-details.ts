/** Adds the fields of pi's tool details to ours. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { contentText } from "@bough/session/entry/index.js";
import { attempt, isRecord } from "@bough/session/text/index.js";
import type { TruncationResult } from "../coding-agent/truncate.js";

type Details = Readonly<Record<string, unknown>>;

/** Keeps our fields and adds pi's: `truncation` for cut output, `patch` and `firstChangedLine` for an edit. */
export function piDetails(tool: string, details: unknown, content: unknown): unknown {
  if (!isRecord(details)) return details;
  if (tool === "edit" && typeof details.diff === "string") {
    const first = /^@@ -\d+(?:,\d+)? \+(\d+)/m.exec(details.diff)?.[1];
    return { ...details, patch: details.diff, ...(first === undefined ? {} : { firstChangedLine: Number(first) }) };
  }
  if (details.truncated !== true) return details;
  const truncation = truncationOf(tool, details, withoutNotes(contentText(content)));
  return truncation === undefined ? details : { ...details, truncation };
}

/** Limits of our tools: `read` counts lines and characters, `bash` only characters. */
const READ_LINES = 2000;
const READ_CHARACTERS = 50_000;
/** Includes the marker of a cut line. */
const LONGEST_LINE = 2_100;
const BASH_CHARACTERS = 30_000;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Undefined if nothing was cut that the call had asked for. */
function truncationOf(tool: string, details: Details, content: string): TruncationResult | undefined {
  const outputLines = countLines(content);
  const outputBytes = Buffer.byteLength(content, "utf8");
  const shown = { content, truncated: true, outputLines, outputBytes } as const;
  if (tool === "read") {
    const isFull = outputLines >= READ_LINES;
    const totalLines = numberIn(details.totalLines) ?? outputLines;
    const lastLine = (numberIn(details.firstLine) ?? 1) + outputLines - 1;
    // There are more lines, and there was room for the next one, so the call did not ask for more.
    if (!isFull && lastLine < totalLines && content.length < READ_CHARACTERS - LONGEST_LINE) return undefined;
    return {
      ...shown,
      truncatedBy: isFull ? "lines" : "bytes",
      totalLines,
      totalBytes: sizeOf(details.path) ?? outputBytes,
      lastLinePartial: false,
      firstLineExceedsLimit: outputLines <= 1,
      maxLines: READ_LINES,
      maxBytes: READ_CHARACTERS,
    };
  }
  if (tool === "bash") {
    const totalBytes = numberIn(details.totalBytes) ?? outputBytes;
    return {
      ...shown,
      truncatedBy: "bytes",
      totalLines: linesInFile(details.fullOutputPath) ?? outputLines,
      totalBytes,
      // Only the end of a single line is left.
      lastLinePartial: outputLines === 1 && totalBytes > outputBytes,
      firstLineExceedsLimit: false,
      maxLines: NO_LIMIT,
      maxBytes: BASH_CHARACTERS,
    };
  }
  const total = [details.found, details.entries, details.matches].map(numberIn).find((count) => count !== undefined);
  return {
    ...shown,
    truncatedBy: "lines",
    totalLines: Math.max(total ?? 0, outputLines),
    totalBytes: numberIn(details.bytes) ?? outputBytes,
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    maxLines: outputLines,
    maxBytes: NO_LIMIT,
  };
}

/** Removes the notes in brackets with which our tools end cut output. */
function withoutNotes(text: string): string {
  return text.replace(/(?:(?:^|\n)\[[^\n]*\])+$/, "");
}

/** A final line break does not start another line. */
function countLines(text: string): number {
  const whole = text.endsWith("\n") ? text.slice(0, -1) : text;
  return whole === "" ? 0 : whole.split("\n").length;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function sizeOf(path: unknown): number | undefined {
  return typeof path === "string" ? attempt(() => statSync(path).size) : undefined;
}

const PIECE = Buffer.alloc(1 << 16);

/** Undefined if the file no longer exists. */
function linesInFile(path: unknown): number | undefined {
  if (typeof path !== "string") return undefined;
  return attempt(() => {
    const file = openSync(path, "r");
    try {
      let lines = 0;
      let isOpen = false;
      for (let length = readSync(file, PIECE); length > 0; length = readSync(file, PIECE)) {
        const piece = PIECE.subarray(0, length);
        for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
        isOpen = piece.at(-1) !== 10;
      }
      return isOpen ? lines + 1 : lines;
    } finally {
      closeSync(file);
    }
  });
}
