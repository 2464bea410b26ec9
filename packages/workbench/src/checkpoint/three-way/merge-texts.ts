/**
 * Merges two edits of the same text, line by line. Lines that neither side changed separate the changes; between two of
 * them, the side that changed something wins, and if both did, differently, it is a conflict. So changes of neighboring
 * lines conflict, as in git.
 *
 * One implementation for folders with and without git, so that a merge has the same result on every machine.
 */
import { linesOf, matchedLines } from "@bough/session/view/door.js";

export interface ThreeTexts {
  readonly base: string;
  /** The text whose line endings are used. */
  readonly ours: string;
  readonly theirs: string;
}

export interface MergedText {
  /** With conflict markers if there are conflicts. */
  readonly text: string;
  readonly conflicts: number;
}

/** Line endings that differ between whole texts are not changes: the result has those of `ours`. */
export function mergeTexts(texts: ThreeTexts): MergedText {
  const { base, ours, theirs } = texts;
  const endings = [base, ours, theirs].map(endingOf);
  const uniform = new Set(endings.filter((one) => one !== "none"));
  if (uniform.size < 2 || uniform.has("mixed")) return mergedLines(texts, endings[1] === "crlf" ? "\r\n" : "\n");
  const { text, conflicts } = mergedLines({ base: withLf(base), ours: withLf(ours), theirs: withLf(theirs) }, "\n");
  return { text: endings[1] === "crlf" ? text.replaceAll("\n", "\r\n") : text, conflicts };
}

function endingOf(text: string): "lf" | "crlf" | "mixed" | "none" {
  const all = text.split("\n").length - 1;
  if (all === 0) return "none";
  const crlf = text.split("\r\n").length - 1;
  return crlf === 0 ? "lf" : crlf === all ? "crlf" : "mixed";
}

function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

interface Side {
  readonly lines: readonly string[];
  /** For each line of the base, its line here, or -1. */
  readonly of: Int32Array;
}

function mergedLines({ base, ours, theirs }: ThreeTexts, ending: string): MergedText {
  const old = linesOf(base);
  const [a, b] = [sideOf(old, ours), sideOf(old, theirs)];
  const merged: string[] = [];
  let conflicts = 0;
  let [from, fromA, fromB] = [0, 0, 0];
  for (let at = 0; at <= old.length; at++) {
    const isEnd = at === old.length;
    const toA = isEnd ? a.lines.length : (a.of[at] as number);
    const toB = isEnd ? b.lines.length : (b.of[at] as number);
    if (toA < 0 || toB < 0) continue;
    const [was, mine, its] = [old.slice(from, at), a.lines.slice(fromA, toA), b.lines.slice(fromB, toB)];
    if (areSame(was, its) || areSame(mine, its)) merged.push(...mine);
    else if (areSame(was, mine)) merged.push(...its);
    else {
      conflicts++;
      pushConflict(merged, { mine, its, ending });
    }
    if (!isEnd) merged.push(old[at] as string);
    [from, fromA, fromB] = [at + 1, toA + 1, toB + 1];
  }
  return { text: merged.join(""), conflicts };
}

function sideOf(base: readonly string[], text: string): Side {
  const lines = linesOf(text);
  const of = new Int32Array(base.length).fill(-1);
  for (const [at, was] of matchedLines(base, lines).entries()) if (was >= 0) of[was] = at;
  return { lines, of };
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

interface Conflict {
  readonly mine: readonly string[];
  readonly its: readonly string[];
  readonly ending: string;
}

/** Lines that both sides have at the start or the end are not part of the conflict. */
function pushConflict(merged: string[], { mine, its, ending }: Conflict): void {
  const most = Math.min(mine.length, its.length);
  let start = 0;
  while (start < most && mine[start] === its[start]) start++;
  let end = 0;
  while (end < most - start && mine[mine.length - 1 - end] === its[its.length - 1 - end]) end++;
  const whole = (lines: readonly string[]) => lines.map((line) => (line.endsWith("\n") ? line : `${line}${ending}`));
  merged.push(...mine.slice(0, start), `<<<<<<< ours${ending}`);
  merged.push(...whole(mine.slice(start, mine.length - end)), `=======${ending}`);
  merged.push(...whole(its.slice(start, its.length - end)), `>>>>>>> theirs${ending}`);
  merged.push(...mine.slice(mine.length - end));
}
