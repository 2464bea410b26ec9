/** Cutting a painted line to a width. */

import { cutToWidth, displayWidth } from "@bough/session/view/internal.js";
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/**
 * A painted line that fits by every measure: ours, and that of the library that writes it, which takes a line that is
 * too wide for a bug and ends the program.
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
