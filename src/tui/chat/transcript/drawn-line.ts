/** Lines of the transcript before they are put into a window. */
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { cutToWidth, displayWidth } from "../../../view/internal.js";

/** A picture that covers some lines, from the one it is on downwards. Drawn only if all of them are in the window. */
interface DrawnImage {
  readonly rows: number;
  /** What shows it, for its first and for its last line; one of the two is empty. */
  readonly first: string;
  readonly last: string;
}

export interface DrawnLine {
  /** Painted, and no wider than the window. */
  readonly text: string;
  /** The block that opens or folds from here. */
  readonly block?: string;
  readonly image?: DrawnImage;
}

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
