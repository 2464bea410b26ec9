/** Truncates output for a model by lines and bytes, whichever limit is reached first. */

export const DEFAULT_MAX_LINES = 2000;
export const DEFAULT_MAX_BYTES = 50 * 1024;
export const GREP_MAX_LINE_LENGTH = 500;

interface TruncationOptions {
  readonly maxLines?: number;
  readonly maxBytes?: number;
}

export interface TruncationResult {
  readonly content: string;
  readonly truncated: boolean;
  readonly truncatedBy: "lines" | "bytes" | null;
  readonly totalLines: number;
  readonly totalBytes: number;
  readonly outputLines: number;
  readonly outputBytes: number;
  /** The last line was cut because it alone is too long. */
  readonly lastLinePartial: boolean;
  /** Even the first line does not fit. */
  readonly firstLineExceedsLimit: boolean;
  readonly maxLines: number;
  readonly maxBytes: number;
}

const bytesOf = (text: string): number => Buffer.byteLength(text, "utf8");

/** `812B`, `1.2KB`, `3.4MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)}KB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)}MB`;
}

/** Keeps complete lines from the start. Keeps nothing if the first line alone is too long. */
export function truncateHead(content: string, options: TruncationOptions = {}): TruncationResult {
  const limits = limitsOf(options);
  const lines = linesOf(content);
  const whole = wholeResult(content, lines, limits);
  if (whole !== undefined) return whole;
  const kept: string[] = [];
  let bytes = 0;
  let by: "lines" | "bytes" = "lines";
  for (const line of lines) {
    if (kept.length >= limits.maxLines) break;
    const more = bytesOf(line) + (kept.length === 0 ? 0 : 1);
    if (bytes + more > limits.maxBytes) {
      by = "bytes";
      break;
    }
    kept.push(line);
    bytes += more;
  }
  const firstLineExceedsLimit = bytesOf(lines[0] ?? "") > limits.maxBytes;
  return cutResult({ content, lines, kept, by, limits, firstLineExceedsLimit, lastLinePartial: false });
}

/** Keeps complete lines at the end. If the last line alone is too long, keeps the end of it. */
export function truncateTail(content: string, options: TruncationOptions = {}): TruncationResult {
  const limits = limitsOf(options);
  const lines = linesOf(content);
  const whole = wholeResult(content, lines, limits);
  if (whole !== undefined) return whole;
  const kept: string[] = [];
  let bytes = 0;
  let by: "lines" | "bytes" = "lines";
  let lastLinePartial = false;
  for (const line of lines.toReversed()) {
    if (kept.length >= limits.maxLines) break;
    const more = bytesOf(line) + (kept.length === 0 ? 0 : 1);
    if (bytes + more > limits.maxBytes) {
      by = "bytes";
      if (kept.length === 0) {
        kept.push(endOf(line, limits.maxBytes));
        lastLinePartial = true;
      }
      break;
    }
    kept.push(line);
    bytes += more;
  }
  kept.reverse();
  return cutResult({ content, lines, kept, by, limits, firstLineExceedsLimit: false, lastLinePartial });
}

/** Cuts a line after `maxChars` characters and marks it as cut. */
export function truncateLine(
  line: string,
  maxChars: number = GREP_MAX_LINE_LENGTH,
): { readonly text: string; readonly wasTruncated: boolean } {
  if (line.length <= maxChars) return { text: line, wasTruncated: false };
  return { text: `${line.slice(0, maxChars)}... [truncated]`, wasTruncated: true };
}

/** A final line break does not start another line. */
function linesOf(content: string): string[] {
  const lines = content.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

interface Limits {
  readonly maxLines: number;
  readonly maxBytes: number;
}

function limitsOf({ maxLines = DEFAULT_MAX_LINES, maxBytes = DEFAULT_MAX_BYTES }: TruncationOptions): Limits {
  return { maxLines, maxBytes };
}

function wholeResult(content: string, lines: readonly string[], limits: Limits): TruncationResult | undefined {
  const totalBytes = bytesOf(content);
  if (lines.length > limits.maxLines || totalBytes > limits.maxBytes) return undefined;
  return {
    content,
    truncated: false,
    truncatedBy: null,
    totalLines: lines.length,
    totalBytes,
    outputLines: lines.length,
    outputBytes: totalBytes,
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    ...limits,
  };
}

function cutResult(cut: {
  readonly content: string;
  readonly lines: readonly string[];
  readonly kept: readonly string[];
  readonly by: "lines" | "bytes";
  readonly limits: Limits;
  readonly firstLineExceedsLimit: boolean;
  readonly lastLinePartial: boolean;
}): TruncationResult {
  const { lines, kept, by, limits, firstLineExceedsLimit, lastLinePartial } = cut;
  const content = kept.join("\n");
  return {
    content,
    truncated: true,
    truncatedBy: by,
    totalLines: lines.length,
    totalBytes: bytesOf(cut.content),
    outputLines: kept.length,
    outputBytes: bytesOf(content),
    lastLinePartial,
    firstLineExceedsLimit,
    ...limits,
  };
}

/** The last bytes of a line, never starting inside a character. */
function endOf(line: string, maxBytes: number): string {
  const bytes = Buffer.from(line, "utf8");
  let start = Math.max(0, bytes.length - maxBytes);
  while (start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start++;
  return bytes.subarray(start).toString("utf8");
}
