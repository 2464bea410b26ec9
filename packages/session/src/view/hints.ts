/** The line of keys at the foot of a screen. */
import { firstWords } from "../text/index.js";
import { cutLine, fitLine, lineWidth } from "./fit-line.js";
import { type Line, type Span, span } from "./line.js";
import { cutToWidth, displayWidth } from "./text/display-width.js";

export interface Hint {
  /** As displayed: "Enter", "Ctrl+O". A hint without keys is omitted, because no key is bound to the action. */
  readonly keys: string;
  readonly text: string;
  /** Never dropped. Enter and `?` are never dropped either. */
  readonly keep?: boolean;
  /** Hints with a lower priority are dropped first, and among equals the rightmost. Default 0. */
  readonly priority?: number;
}

/** Keys of an action as displayed in a hint; "" if it has none. */
export type HintOf = (actionId: string) => string;

/**
 * As many hints as fit, and a text at the right end, which is dropped before a hint that must stay. If even those are
 * too long, their text is cut from the right, but the keys stay.
 */
export function hintLine(hints: readonly Hint[], width: number, right = ""): Line {
  const gap = width < NARROW ? 2 : 3;
  const mark = right === "" ? [] : [span(right, "muted")];
  const room = mark.length === 0 ? width : width - lineWidth(mark) - 1;
  const shown = hints.filter(({ keys }) => keys !== "");
  while (lineWidth(drawn(shown, gap)) > room) {
    const goes = leastWanted(shown);
    if (goes < 0) break;
    shown.splice(goes, 1);
  }
  if (lineWidth(drawn(shown, gap)) <= room) return fitLine(drawn(shown, gap), mark, width);
  return cutLine(drawn(withFewerWords(shown, gap, width), gap), width, "");
}

function withFewerWords(hints: readonly Hint[], gap: number, width: number): readonly Hint[] {
  const shorter = [...hints];
  for (let index = shorter.length - 1; index >= 0; index--) {
    const over = lineWidth(drawn(shorter, gap)) - width;
    if (over <= 0) break;
    const hint = shorter[index] as Hint;
    shorter[index] = { ...hint, text: wholeWords(hint.text, displayWidth(hint.text) - over) };
  }
  return shorter;
}

function wholeWords(text: string, width: number): string {
  const cut = cutToWidth(text, width, "");
  return cut === text || text[cut.length] === " " ? cut.trimEnd() : cut.slice(0, Math.max(0, cut.lastIndexOf(" ")));
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

/** What a key does, as a follow-up sentence; empty if there is no key for it. */
export function keySentence(keys: string, does: string): string {
  return keys === "" ? "" : ` ${keys} ${does}.`;
}

/** Shown in a list in which nothing matches the typed words. */
export function noMatchText(thing: string, words: string, clearKeys: string): string {
  return `No ${thing} matches "${firstWords(words, 60)}".${keySentence(clearKeys, "clears the search")}`;
}
