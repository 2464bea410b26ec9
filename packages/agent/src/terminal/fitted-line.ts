/** Cuts a painted line to a width. */

import { cutToWidth, displayWidth } from "@bough/session/view/internal.js";
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/**
 * Cuts a painted line so that it fits both by our measure and by that of pi-tui, which treats a line that is too wide
 * as a bug and ends the program.
 */
export function fitted(text: string, width: number): string {
  if (text.length <= width && /^[\x20-\x7e]*$/.test(text)) return text;
  let cut = text;
  for (let most = width; most > 0 && widestOf(cut) > width; most--) {
    cut = text.includes("\x1b") ? truncateToWidth(text, most, "") : cutToWidth(text, most, "");
  }
  return cut;
}

function widestOf(painted: string): number {
  const plain = painted.replace(/\x1b\[[0-9;:]*m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, "");
  return Math.max(visibleWidth(painted), displayWidth(plain));
}
