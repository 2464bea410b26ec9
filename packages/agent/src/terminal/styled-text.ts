/** Reduces styled text to colors and links. */
import { withoutControls } from "@bough/session/text/index.js";

/** Matches a change of colors or emphasis, with a group so that `split` keeps it. */
export const STYLE = /(\x1b\[[0-9;:]*m)/g;

const SEQUENCES = /\x1b\[([0-9;:]*)m|\x1b\]8;([^\x07\x1b]*)(?:\x07|\x1b\\)/g;
const SAFE_LINK = /^[^;]*;(?:(?:https?|mailto):[\x21-\x7e]*)?$/;

/**
 * Keeps colors and emphasis, and web links if wanted, and removes all other control sequences, so that text from an
 * extension or library cannot move the cursor, query the terminal or change its title.
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
