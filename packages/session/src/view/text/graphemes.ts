/** The user-perceived characters of a text, in order. */
export function graphemesOf(text: string): Intl.Segments {
  // Created on first use: it takes milliseconds, and most texts never need it.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

let segmenter: Intl.Segmenter | undefined;
