/** Two texts compared line by line, as the hunks of a unified diff. */
import { diffArrays, structuredPatch } from "diff";

export interface LineDifference {
  readonly added: number;
  readonly removed: number;
  /** From the first `@@` on, with newlines. Empty if the texts are the same. */
  readonly hunks: string;
}

/** Comparing takes time quadratic in the differences, and a diff with more than this is not useful. */
const MOST_DIFFERENCES = 3000;
const CONTEXT = 3;

/** Undefined if the texts are too different to compare. */
export function lineDifference(before: string, after: string): LineDifference | undefined {
  if (before === after) return { added: 0, removed: 0, hunks: "" };
  // One side is empty, so there is nothing to compare.
  if (before === "" || after === "") return replacedLines(before, after);
  if (areTooDifferent(linesOf(before), linesOf(after))) return undefined;
  const options = { context: CONTEXT, maxEditLength: MOST_DIFFERENCES };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  if (patch === undefined) return undefined;
  let [added, removed] = [0, 0];
  const lines: string[] = [];
  for (const hunk of patch.hunks) {
    lines.push(hunkHead(hunk));
    for (const line of hunk.lines) {
      if (line.startsWith("+")) added++;
      if (line.startsWith("-")) removed++;
      lines.push(line);
    }
  }
  return { added, removed, hunks: lines.map((line) => `${line}\n`).join("") };
}

/** Like `lineDifference` without comparing: everything between the first and the last difference is replaced. */
export function replacedLines(before: string, after: string): LineDifference {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const { start, end } = sharedEnds(old, fresh);
  const [removed, added] = [old.length - start - end, fresh.length - start - end];
  if (removed + added === 0) return { added: 0, removed: 0, hunks: "" };
  const [above, below] = [Math.min(start, CONTEXT), Math.min(end, CONTEXT)];
  const pieces = [
    `${hunkHead({
      oldStart: start - above + 1,
      oldLines: above + removed + below,
      newStart: start - above + 1,
      newLines: above + added + below,
    })}\n`,
  ];
  const put = (sign: string, lines: readonly string[]) => {
    for (const line of lines) pieces.push(sign, line, line.endsWith("\n") ? "" : `\n${NO_NEWLINE}\n`);
  };
  put(" ", old.slice(start - above, start));
  put("-", old.slice(start, old.length - end));
  put("+", fresh.slice(start, fresh.length - end));
  put(" ", old.slice(old.length - end, old.length - end + below));
  return { added, removed, hunks: pieces.join("") };
}

const NO_NEWLINE = "\\ No newline at end of file";

interface HunkPlace {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
}

/** A side without lines is numbered by the line before it. */
function hunkHead({ oldStart, oldLines, newStart, newLines }: HunkPlace): string {
  const part = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;
  return `@@ -${part(oldStart, oldLines)} +${part(newStart, newLines)} @@`;
}

/** Lines with their newlines: a last line without one differs from one with it. */
export function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/**
 * For each line of a text its index in another one, or -1 if it is new. Lines include their newlines. In texts that are
 * too different to compare, only the common start and end match.
 */
export function matchedLines(before: readonly string[], after: readonly string[]): Int32Array {
  const matched = new Int32Array(after.length).fill(-1);
  const { start, end } = sharedEnds(before, after);
  for (let at = 0; at < start; at++) matched[at] = at;
  for (let at = 1; at <= end; at++) matched[after.length - at] = before.length - at;
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (old.length === 0 || fresh.length === 0 || areTooDifferent(old, fresh)) return matched;
  const parts = diffArrays([...old], [...fresh], { maxEditLength: MOST_DIFFERENCES });
  let [from, to] = [start, start];
  for (const { count, added, removed } of parts ?? []) {
    if (!added && !removed) for (let at = 0; at < count; at++) matched[to + at] = from + at;
    if (!added) from += count;
    if (!removed) to += count;
  }
  return matched;
}

/** A lower bound without comparing: a line that only one side has is a difference, wherever it is. */
function areTooDifferent(old: readonly string[], fresh: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const line of old) left.set(line, (left.get(line) ?? 0) + 1);
  let differences = old.length + fresh.length;
  for (const line of fresh) {
    const more = left.get(line) ?? 0;
    if (more === 0) continue;
    left.set(line, more - 1);
    differences -= 2;
  }
  return differences > MOST_DIFFERENCES;
}

/** The number of lines that two texts share at the start and at the end. */
function sharedEnds(
  old: readonly string[],
  fresh: readonly string[],
): { readonly start: number; readonly end: number } {
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  return { start, end };
}
