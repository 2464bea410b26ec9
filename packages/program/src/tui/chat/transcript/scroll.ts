/** Which line is at the top of the window: anchored to an entry, so that new lines below or above do not scroll it. */

/** Lines by position; undefined beyond both ends. Requested only near the window. */
type LinesAt<Line> = (place: number) => readonly Line[] | undefined;

export interface Anchor {
  readonly place: number;
  /** The index of the first line shown of that entry. */
  readonly line: number;
}

/** The anchor this many lines above, but not above the first line. */
export function anchorAbove<Line>(at: Anchor, lines: number, linesAt: LinesAt<Line>): Anchor {
  let { place, line } = at;
  let left = lines;
  while (left > line) {
    const above = linesAt(place - 1);
    if (above === undefined) return { place, line: 0 };
    left -= line;
    place -= 1;
    line = above.length;
  }
  return { place, line: line - left };
}

/** The anchor this many lines below, but not below the last line. */
export function anchorBelow<Line>(at: Anchor, lines: number, linesAt: LinesAt<Line>): Anchor {
  let { place, line } = at;
  let left = lines;
  for (;;) {
    const here = linesAt(place)?.length ?? 0;
    if (line + left < here) return { place, line: line + left };
    if (linesAt(place + 1) === undefined) return { place, line: Math.max(0, here - 1) };
    left -= here - line;
    place += 1;
    line = 0;
  }
}

/** At most this many lines, starting at the anchor. */
export function linesFrom<Line>(at: Anchor, most: number, linesAt: LinesAt<Line>): Line[] {
  const found: Line[] = [];
  let from = at.line;
  for (let place = at.place; found.length < most; place++) {
    const lines = linesAt(place);
    if (lines === undefined) break;
    for (let index = from; index < lines.length && found.length < most; index++) found.push(lines[index] as Line);
    from = 0;
  }
  return found;
}
