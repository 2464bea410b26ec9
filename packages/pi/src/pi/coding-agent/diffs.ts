/** Differences between two texts. */
import { createTwoFilesPatch, structuredPatch } from "diff";

export function generateUnifiedPatch(path: string, before: string, after: string, contextLines = 4): string {
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: contextLines });
}

/** With line numbers: `+12 new`, `-12 old`, ` 11 the same`. */
export function generateDiffString(
  before: string,
  after: string,
  contextLines = 4,
): { readonly diff: string; readonly firstChangedLine: number | undefined } {
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context: contextLines });
  const digits = String(Math.max(before.split("\n").length, after.split("\n").length)).length;
  const lines: string[] = [];
  let firstChangedLine: number | undefined;
  for (const hunk of hunks) {
    let old = hunk.oldStart;
    let now = hunk.newStart;
    if (lines.length > 0) lines.push(` ${" ".repeat(digits)} ...`);
    for (const line of hunk.lines) {
      const sign = line.charAt(0);
      if (sign === "\\") continue;
      if (sign !== " ") firstChangedLine ??= now;
      const number = String(sign === "-" ? old : now).padStart(digits, " ");
      lines.push(`${sign}${number} ${line.slice(1)}`);
      if (sign !== "+") old++;
      if (sign !== "-") now++;
    }
  }
  return { diff: lines.join("\n"), firstChangedLine };
}
