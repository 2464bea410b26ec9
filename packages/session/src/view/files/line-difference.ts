/** Two texts line by line, as the hunks of a unified diff. */
import { diffArrays, structuredPatch } from "diff";

export interface LineDifference {
  readonly added: number;
  readonly removed: number;
  /** From the first `@@` on, each line with its end. Empty if the texts are the same. */
  readonly hunks: string;
}

/** Comparing takes time with the square of the differences; beyond this many a diff helps no one. */
const MOST_DIFFERENCES = 3000;
const CONTEXT = 3;

/** Undefined if the texts are too different to compare. */
export function lineDifference(before: string, after: string): LineDifference | undefined {
  if (before === after) return { added: 0, removed: 0, hunks: "" };
  // Nothing to compare: all of it is new, or all of it is gone.
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

/** The same without a search: everything between the first and the last difference is replaced. */
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

/** A side without lines is named by the line before it. */
function hunkHead({ oldStart, oldLines, newStart, newLines }: HunkPlace): string {
  const part = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;
  return `@@ -${part(oldStart, oldLines)} +${part(newStart, newLines)} @@`;
}

/** With their ends: a last line without one is not the same as a last line with one. */
export function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/**
 * Where each line of a text was in another one: its index there, or -1 if it is new. Lines have their ends. Texts that
 * are too different to compare share what they begin and end with.
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

/** Found without comparing: a line that only one side has is a difference, wherever it is. Others may be found later. */
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

/** How many lines two texts begin and end with alike. */
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
