/** Reads a range of lines, cut to what fits in a conversation, with notes on how to read the rest. */
import type { TextEncoding } from "./file-kind.js";
import type { TextLine } from "./line-cutter.js";
import { textLines } from "./text-lines.js";

const MAX_LINES = 2000;
const MAX_CHARACTERS = 50_000;
const MAX_LINE_LENGTH = 2000;
/** Files up to this size are read to the end to count their lines. */
const COUNTED_BYTES = 16 * 1024 * 1024;

interface ReadRangeOptions {
  readonly encoding: TextEncoding;
  readonly size: number;
  readonly firstLine: number;
  /** Default: as many as fit. */
  readonly maxLines?: number;
  readonly signal: AbortSignal;
}

type TextRange =
  | {
      readonly kind: "range";
      readonly text: string;
      readonly firstLine: number;
      /** One less than `firstLine` if the file is empty. */
      readonly lastLine: number;
      readonly totalLines?: number;
      /** Sentences on what is missing and how to get it. */
      readonly notes: readonly string[];
    }
  | { readonly kind: "beyond"; readonly totalLines: number };

/** The source is the path of a file, or a text. */
export async function readRange(
  source: string | { readonly text: string },
  options: ReadRangeOptions,
): Promise<TextRange> {
  const { encoding, firstLine, signal } = options;
  const maxLines = Math.min(options.maxLines ?? MAX_LINES, MAX_LINES);
  const taken: TextLine[] = [];
  let characters = 0;
  let seen = 0;
  let full = false;
  let counted = true;
  for await (const batch of textLines(source, { encoding, maxLineLength: MAX_LINE_LENGTH, signal })) {
    for (const line of batch) {
      seen++;
      if (seen < firstLine || full) continue;
      if (taken.length === maxLines || (characters + line.text.length > MAX_CHARACTERS && taken.length > 0)) {
        full = true;
        continue;
      }
      taken.push(line);
      characters += line.text.length + 1;
    }
    if (full && options.size > COUNTED_BYTES) {
      counted = false;
      break;
    }
  }
  if (taken.length === 0 && seen > 0) return { kind: "beyond", totalLines: seen };
  if (seen === 0 && firstLine > 1) return { kind: "beyond", totalLines: 0 };

  const lastLine = firstLine + taken.length - 1;
  const totalLines = counted ? seen : undefined;
  return {
    kind: "range",
    text: seen === 0 ? "(The file is empty.)" : taken.map((line) => line.text).join("\n"),
    firstLine,
    lastLine,
    totalLines,
    notes: notesOn({ taken, firstLine, full, totalLines }),
  };
}

interface Taken {
  readonly taken: readonly TextLine[];
  readonly firstLine: number;
  readonly full: boolean;
  readonly totalLines: number | undefined;
}

function notesOn({ taken, firstLine, full, totalLines }: Taken): readonly string[] {
  const notes: string[] = [];
  const lastLine = firstLine + taken.length - 1;
  const cut = taken.flatMap((line, index) => (line.cut ? [firstLine + index] : []));
  if (cut.length > 0) {
    const lines = cut.slice(0, 10).join(", ") + (cut.length > 10 ? ", ..." : "");
    notes.push(
      `Cut at ${MAX_LINE_LENGTH} characters: line ${lines}. To see the rest of line N use bash: sed -n 'Np' FILE | cut -c${MAX_LINE_LENGTH + 1}-`,
    );
  }
  if (full) {
    const total = totalLines === undefined ? "a larger file" : String(totalLines);
    notes.push(`Lines ${firstLine} to ${lastLine} of ${total}. Continue with offset ${lastLine + 1}`);
  }
  return notes;
}
