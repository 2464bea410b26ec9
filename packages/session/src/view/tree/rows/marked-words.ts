/** Highlights the words of a search in a text. */
import { type Span, span, type Tone } from "../../line.js";

export function markedWords(text: string, words: readonly string[], tone: Tone): Span[] {
  const lower = text.toLowerCase();
  // In a few alphabets lower case is longer and offsets would not match, so the text is left unmarked.
  if (lower.length !== text.length) return [span(text, tone)];
  const spans: Span[] = [];
  let from = 0;
  while (from < text.length) {
    const [at, length] = nextWord(lower, words, from);
    if (at > from) spans.push(span(text.slice(from, at), tone));
    if (length > 0) spans.push(span(text.slice(at, at + length), "accent"));
    from = at + length;
  }
  return spans;
}

function nextWord(text: string, words: readonly string[], from: number): readonly [at: number, length: number] {
  let best = text.length;
  let length = 0;
  for (const word of words) {
    const at = word === "" ? -1 : text.indexOf(word, from);
    if (at < 0 || at > best || (at === best && word.length <= length)) continue;
    best = at;
    length = word.length;
  }
  return [best, length];
}
