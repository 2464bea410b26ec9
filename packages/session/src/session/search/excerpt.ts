import type { Match } from "./match/matcher.js";

interface Excerpt {
  readonly excerpt: string;
  readonly matches: readonly Match[];
}

const CUT = "…";

/**
 * One line of up to about `length` units around the first match, and the positions of the matches in it. White space is
 * collapsed to single spaces; an ellipsis means that the text continues. A longer match is cut.
 *
 * `matches` are in order, do not overlap, and contain at least one.
 */
export function makeExcerpt(text: string, matches: readonly Match[], length: number): Excerpt {
  const [first] = matches as readonly [Match];
  // A third before the match: the text after it is usually more informative.
  const before = Math.floor(Math.max(0, length - (first[1] - first[0])) / 3);
  const start = wholeCharacter(text, Math.max(0, first[0] - before));
  const end = wholeCharacter(text, Math.min(text.length, start + length));
  const drawn = new Line(start > 0 ? CUT : "");
  const found: Match[] = [];
  let at = start;
  for (const match of matches) {
    if (match[0] >= end) break;
    drawn.add(text.slice(at, match[0]));
    at = Math.min(match[1], end);
    const place = drawn.add(text.slice(match[0], at));
    // A match of white space can collapse into the space before it.
    if (place[1] > place[0]) found.push(place);
  }
  drawn.add(text.slice(at, end));
  return { excerpt: drawn.text + (end < text.length ? CUT : ""), matches: found };
}

class Line {
  text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Adds a piece and returns its position. */
  add(piece: string): Match {
    const spaced = piece.replace(/\s+/g, " ");
    const atBlank = this.text === "" || this.text === CUT || this.text.endsWith(" ");
    const start = this.text.length;
    this.text += atBlank ? spaced.trimStart() : spaced;
    return [start, this.text.length];
  }
}

/** Moves a cut out of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const inPair = (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return at > 0 && inPair ? at + 1 : at;
}
