/** Extends a range of text so that it does not cut through a private key, which would then not be recognized. */

const BEGIN = "-----BEGIN ";
const END = "-----END ";
/** Longer than any key in use. */
const LONGEST_KEY = 1 << 14;

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The range, extended as far as needed. */
export function withWholeKeys(text: string, { start, end }: Stretch): Stretch {
  const begin = text.lastIndexOf(BEGIN, start);
  const isInside = begin >= 0 && start - begin < LONGEST_KEY && !text.slice(begin, start).includes(END);
  const from = isInside ? begin : start;
  const last = text.lastIndexOf(BEGIN, end);
  if (last < from || text.slice(last, end).includes(`${END}`)) return { start: from, end: ended(text, end) };
  const close = text.indexOf(END, end);
  const to = close < 0 || close - last > LONGEST_KEY ? end : ended(text, close + END.length);
  return { start: from, end: Math.max(end, to) };
}

/** Extends the end over the rest of an END line. */
function ended(text: string, at: number): number {
  if (at >= text.length || !text.slice(Math.max(0, at - 80), at).includes(END)) return at;
  const line = text.indexOf("\n", at);
  return line < 0 || line - at > 80 ? Math.min(text.length, at + 80) : line;
}
