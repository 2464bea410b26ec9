/** Text that brings its own colors, with nothing in it but colors and links. */
import { withoutControls } from "@bough/session/text/index.js";

/** A change of colors or emphasis, caught so that a split keeps it. */
export const STYLE = /(\x1b\[[0-9;:]*m)/g;

const SEQUENCES = /\x1b\[([0-9;:]*)m|\x1b\]8;([^\x07\x1b]*)(?:\x07|\x1b\\)/g;
const SAFE_LINK = /^[^;]*;(?:(?:https?|mailto):[\x21-\x7e]*)?$/;

/**
 * Colors and emphasis stay, and links to web pages where they are wanted; every other control sequence goes. The text
 * of an extension or of a library cannot move the cursor, ask the terminal something or change its title.
 */
export function onlyStyles(text: string, { links }: { readonly links: "keep" | "drop" }): string {
  let clean = "";
  let end = 0;
  for (const match of text.matchAll(SEQUENCES)) {
    const [sequence, style, link] = match;
    clean += withoutControls(text.slice(end, match.index));
    end = match.index + sequence.length;
    const kept = style !== undefined || (links === "keep" && link !== undefined && SAFE_LINK.test(link));
    if (kept) clean += sequence;
  }
  return clean + withoutControls(text.slice(end));
}
