/** Plans exact replacements in a text without touching a file: all of them, or the reason why none can be applied. */

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Replace every occurrence; without it there must be exactly one. */
  readonly replaceAll?: boolean;
}

type EditPlan =
  | { readonly kind: "planned"; readonly text: string; readonly replaced: number }
  /** `reason` is a sentence for the model; `index` is the 0-based index of the edit. */
  | { readonly kind: "refused"; readonly index: number; readonly reason: string };

/**
 * Edits apply in order, each to the result of the previous one. Searching ignores line endings: `\n` in an edit also
 * matches `\r\n`. Inserted lines get the ending of the replaced text, or else the most common one of the file;
 * everything outside the replaced ranges keeps its bytes, including mixed endings.
 */
export function planEdits(text: string, edits: readonly TextEdit[]): EditPlan {
  const ending = mostUsedEnding(text);
  let current = text;
  let replaced = 0;
  for (const [index, edit] of edits.entries()) {
    const result = applyOne(current, { edit, ending });
    if (typeof result === "string") return { kind: "refused", index, reason: result };
    current = result.text;
    replaced += result.places;
  }
  if (current === text) {
    return { kind: "refused", index: edits.length - 1, reason: "the edits together change nothing" };
  }
  return { kind: "planned", text: current, replaced };
}

function applyOne(
  text: string,
  { edit, ending }: { readonly edit: TextEdit; readonly ending: "\n" | "\r\n" },
): { readonly text: string; readonly places: number } | string {
  const wanted = edit.oldText.replaceAll("\r\n", "\n");
  const replacement = edit.newText.replaceAll("\r\n", "\n");
  if (wanted === "") return "oldText is empty; give the text to replace, or use write for a whole file";
  if (wanted === replacement) return "oldText and newText are the same";

  const plain = text.replaceAll("\r\n", "\n");
  const found = occurrencesOf(wanted, { text: plain, overlapping: edit.replaceAll !== true });
  if (found.length === 0) return `oldText is not in the file. ${editHint(plain, wanted)}`;
  if (found.length > 1 && edit.replaceAll !== true) {
    const lines = lineNumbers(plain, found);
    const shown = lines.slice(0, 20).join(", ") + (lines.length > 20 ? ", ..." : "");
    return `oldText appears ${found.length} times (starting at lines ${shown}). Add more of the text around it, or set replaceAll`;
  }

  const origin = originalOffsets(text);
  const withPairs = replacement.replaceAll("\n", "\r\n");
  const parts: string[] = [];
  let from = 0;
  for (const place of found) {
    const start = origin(place);
    const end = origin(place + wanted.length);
    const local = firstEnding(text.slice(start, end)) ?? ending;
    parts.push(text.slice(from, start), local === "\n" ? replacement : withPairs);
    from = end;
  }
  parts.push(text.slice(from));
  return { text: parts.join(""), places: found.length };
}

/** Overlapping matches count if the match must be unique: `aa` is not unique in `aaa`. */
function occurrencesOf(
  wanted: string,
  { text, overlapping }: { readonly text: string; readonly overlapping: boolean },
): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + (overlapping ? 1 : wanted.length))) {
    places.push(at);
  }
  return places;
}

function lineNumbers(text: string, places: readonly number[]): readonly number[] {
  const numbers: number[] = [];
  let line = 1;
  let at = 0;
  for (const place of places) {
    for (; at < place; at++) if (text.charCodeAt(at) === 10) line++;
    numbers.push(line);
  }
  return numbers;
}

/**
 * Maps an offset in the text with `\n` endings to one in the original text. Offsets must be passed in ascending order.
 */
function originalOffsets(text: string): (offset: number) => number {
  let removed = 0;
  let next = text.indexOf("\r\n");
  return (offset) => {
    // The `\r` at `next` would be at `next - removed` in the plain text; it shifts everything after its `\n`.
    while (next >= 0 && next - removed < offset) {
      removed++;
      next = text.indexOf("\r\n", next + 2);
    }
    return offset + removed;
  };
}

function firstEnding(text: string): "\n" | "\r\n" | undefined {
  const at = text.indexOf("\n");
  if (at < 0) return undefined;
  return text[at - 1] === "\r" ? "\r\n" : "\n";
}

function mostUsedEnding(text: string): "\n" | "\r\n" {
  const all = text.split("\n").length - 1;
  const pairs = text.split("\r\n").length - 1;
  return pairs > all - pairs ? "\r\n" : "\n";
}

const MOST_SHOWN_LINES = 20;

/** Looks for the same lines with different whitespace or quotes, then for the first line alone. */
function editHint(text: string, wanted: string): string {
  const lines = text.split("\n");
  const wantedLines = wanted.replace(/^\n+|\n+$/g, "").split("\n");
  const loose = wantedLines.map(looseLine);
  const at = indexOfRun(lines.map(looseLine), loose);
  if (at >= 0) {
    const last = at + loose.length;
    const shown = lines.slice(at, Math.min(last, at + MOST_SHOWN_LINES)).join("\n");
    return `Lines ${at + 1} to ${last} differ from it only in whitespace or quotes; in the file they are:\n${shown}`;
  }
  const first = loose.find((line) => line !== "") ?? "";
  const similar = first === "" ? -1 : lines.findIndex((line) => looseLine(line) === first);
  if (similar >= 0) return `Its first line is at line ${similar + 1}, but what follows differs. Read the file again`;
  return "Read the file again and copy the text exactly";
}

function looseLine(line: string): string {
  return line
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[\u2018\u2019]/gu, "'")
    .replace(/[\u201c\u201d]/gu, '"')
    .replace(/[\u2013\u2014]/gu, "-");
}

function indexOfRun(lines: readonly string[], run: readonly string[]): number {
  if (run.every((line) => line === "")) return -1;
  for (let start = 0; start + run.length <= lines.length; start++) {
    if (run.every((line, index) => lines[start + index] === line)) return start;
  }
  return -1;
}
