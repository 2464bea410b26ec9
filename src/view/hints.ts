/** The line of keys at the foot of a screen. */
import { cutLine, fitLine, lineWidth } from "./fit-line.js";
import { type Line, type Span, span } from "./line.js";

export interface Hint {
  /** As it is shown: "Enter", "Ctrl+O". A hint without keys is left out: the action is bound to none. */
  readonly keys: string;
  readonly text: string;
  /** Never dropped. Enter and `?` never are. */
  readonly keep?: boolean;
  /** Of the hints that may go, those with a lower number go first, and of equals the rightmost. 0 where it is left out. */
  readonly priority?: number;
}

/** Keys of an action as a hint shows them; "" where it has none. */
export type HintOf = (actionId: string) => string;

/** As many hints as fit, and a text at the right end, which goes before a hint that must stay. */
export function hintLine(hints: readonly Hint[], width: number, right = ""): Line {
  const mark = right.length > 0 ? [span(right, "muted")] : [];
  const shown = hints.filter(({ keys }) => keys !== "");
  const gap = width < NARROW ? 2 : 3;
  const room = () => width - (mark.length === 0 ? 0 : lineWidth(mark) + 1);
  while (lineWidth(drawn(shown, gap)) > room()) {
    const goes = leastWanted(shown);
    if (goes < 0) break;
    shown.splice(goes, 1);
  }
  const line = drawn(shown, gap);
  return lineWidth(line) > room() ? cutLine(line, width) : fitLine(line, mark, width);
}

const NARROW = 60;

function drawn(hints: readonly Hint[], gap: number): Line {
  const spans: Span[] = [span(" ")];
  for (const [index, { keys, text }] of hints.entries()) {
    if (index > 0) spans.push(span(" ".repeat(gap)));
    spans.push(span(keys, "accent"));
    if (text !== "") spans.push(span(` ${text}`));
  }
  return spans;
}

function leastWanted(hints: readonly Hint[]): number {
  let least = -1;
  for (const [index, hint] of hints.entries()) {
    if (hint.keep === true || hint.keys === "Enter" || hint.keys === "?") continue;
    if (least < 0 || (hint.priority ?? 0) <= (hints[least]?.priority ?? 0)) least = index;
  }
  return least;
}
