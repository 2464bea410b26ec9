/** Two texts compared word by word. Words in only one of them are marked by symbols as well as by tone. */
import { diffWordsWithSpace } from "diff";
import { withoutControls } from "../../text/index.js";
import { type Line, type Span, span, type Tone } from "../line.js";
import { displayWidth } from "../text/display-width.js";
import { wrapWords } from "../text/wrap-words.js";

/** Comparing takes time quadratic in the differences; beyond this, the texts are shown one after the other. */
const MOST_DIFFERENCES = 600;
/** The rest of a longer text is not compared. */
const MOST_CHARACTERS = 20_000;

/** "keep the [-table-]{+switch+}", wrapped to a width. */
export function wordDifference(before: string, after: string, width: number): Line[] {
  const [old, fresh] = [shortened(before), shortened(after)];
  const parts = diffWordsWithSpace(old, fresh, { maxEditLength: MOST_DIFFERENCES }) ?? [
    { value: old, removed: true, added: false },
    { value: fresh, removed: false, added: true },
  ];
  const pieces: Span[] = [];
  for (const { value, removed, added } of parts) {
    if (value === "") continue;
    if (removed) pieces.push(span(`[-${value}-]`, "bad"));
    else if (added) pieces.push(span(`{+${value}+}`, "good"));
    else pieces.push(span(value));
  }
  return wrapSpans(pieces, width);
}

function shortened(text: string): string {
  const safe = withoutControls(text.slice(0, MOST_CHARACTERS)).replaceAll("\t", "  ").trimEnd();
  return text.length > MOST_CHARACTERS ? `${safe} (and ${text.length - MOST_CHARACTERS} more characters)` : safe;
}

/** Wraps spans to lines, between words if possible. */
function wrapSpans(pieces: readonly Span[], width: number): Line[] {
  const lines: Span[][] = [[]];
  let used = 0;
  const put = (text: string, tone: Tone) => {
    if (text === "") return;
    lines.at(-1)?.push(span(text, tone));
    used += displayWidth(text);
  };
  const next = () => {
    lines.push([]);
    used = 0;
  };
  for (const { text, tone } of pieces) {
    for (const [index, paragraph] of text.split("\n").entries()) {
      if (index > 0) next();
      for (const word of paragraph.match(/ +|[^ ]+/g) ?? []) {
        if (used > 0 && used + displayWidth(word) > width) next();
        if (used === 0 && lines.length > 1 && word.trim() === "") continue;
        for (const [part, broken] of wrapWords(word, width).entries()) {
          if (part > 0) next();
          put(word.trim() === "" ? word.slice(0, width) : broken, tone);
        }
      }
    }
  }
  return lines;
}
