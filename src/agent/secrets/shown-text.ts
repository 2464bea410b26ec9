/** A text as it is seen: without colours and invisible characters, which would split a secret that everybody can read. */

const SEQUENCE = "\\x1b\\[[0-?]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|\\x1b[@-_]";
const CONTROL = "[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]";
/** Everything that Unicode calls a format character: zero width, direction, soft hyphen; and what joins to a letter unseen. */
const INVISIBLE = "\\p{Cf}|[\\ufe00-\\ufe0f]|\\u034f";
const HIDDEN = new RegExp(`${SEQUENCE}|${CONTROL}|${INVISIBLE}`, "gu");

export interface ShownText {
  readonly text: string;
  /** Where a stretch of it stands in the original, what is hidden inside included. */
  range(start: number, end: number): { readonly start: number; readonly end: number };
}

/** Undefined where nothing is hidden. */
export function shownText(original: string): ShownText | undefined {
  let text = "";
  let from = 0;
  /** Places in the shown text, and how much was hidden up to there. */
  const places: number[] = [];
  const hidden: number[] = [];
  for (const match of original.matchAll(HIDDEN)) {
    text += original.slice(from, match.index);
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
  return { text, range: (start, end) => ({ start: inOriginal(start), end: inOriginal(end - 1) + 1 }) };
}

/** One value as it is seen. */
export function withoutHidden(value: string): string {
  return value.replace(HIDDEN, "");
}
