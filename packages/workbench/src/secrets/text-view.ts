/** A text with some parts replaced, and a mapping from its ranges back to the original. */

export interface TextView {
  readonly text: string;
  /** The range in the original that a range of this text covers, including everything hidden inside it. */
  range(start: number, end: number): { readonly start: number; readonly end: number };
}

/** Replaces each match with what `read` returns: one character, or none. Undefined if nothing matches. */
export function textView(
  original: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => string,
): TextView | undefined {
  let text = "";
  let from = 0;
  /** Offsets in the view, each with its distance to the same point in the original. */
  const places: number[] = [];
  const hidden: number[] = [];
  /** Original lengths of replaced characters, by offset in the view. */
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
