/** What a user sees as one character each, in order. */
export function graphemesOf(text: string): Intl.Segments {
  // Made when it is first needed: it takes milliseconds, and most texts never ask for it.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

let segmenter: Intl.Segmenter | undefined;
