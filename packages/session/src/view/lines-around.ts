/** A part of some lines, for a window that is too low for all of them. */

/** At most `height` lines, with those from `from` to before `to`, or the first of these, among them. */
export function linesAround<Line>(
  lines: readonly Line[],
  { from, to }: { readonly from: number; readonly to: number },
  height: number,
): readonly Line[] {
  if (lines.length <= height) return lines;
  const top = Math.max(0, Math.min(from, to - height));
  return lines.slice(top, top + Math.max(0, height));
}
