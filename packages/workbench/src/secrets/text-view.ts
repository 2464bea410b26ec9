/** A text in which some stretches are read otherwise, and the way back to where they are. */

export interface TextView {
  readonly text: string;
  /** Where a stretch of it is in the original, whole: what is hidden inside belongs to it. */
  range(start: number, end: number): { readonly start: number; readonly end: number };
}

/** Each match is read as `read` says: as one character, or as none. Undefined if nothing matches. */
export function textView(
  original: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => string,
): TextView | undefined {
  let text = "";
  let from = 0;
  /** Places in the view, and how much further on they are in the original from there. */
  const places: number[] = [];
  const hidden: number[] = [];
  /** Characters of the view that are longer in the original. */
  const lengths = new Map<number, number>();
  for (const match of original.matchAll(pattern)) {
    text += original.slice(from, match.index);
    const character = read(match);
    if (character !== "") lengths.set(text.length, match[0].length);
    text += character;
    from = match.index + match[0].length;
    places.push(text.length);
    hidden.push(from - text.length);
  }
  if (places.length === 0) return undefined;
  text += original.slice(from);
  const inOriginal = (at: number): number => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] as number) <= at) low = middle + 1;
      else high = middle;
    }
    return at + (hidden[low - 1] ?? 0);
  };
  return {
    text,
    range: (start, end) => ({ start: inOriginal(start), end: inOriginal(end - 1) + (lengths.get(end - 1) ?? 1) }),
  };
}
