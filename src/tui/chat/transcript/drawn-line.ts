/** Lines of the transcript before they are put into a window. */
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { displayWidth } from "../../../view/index.js";

/** A picture that covers some lines, from the one it stands on downwards. Drawn only where all of them are in the window. */
export interface DrawnImage {
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
  if (text.length <= width) {
    // Short lines may still be wide ones.
    if (/^[\x20-\x7e]*$/.test(text)) return text;
  }
  const cut = visibleWidth(text) > width ? truncateToWidth(text, width, "") : text;
  return plainWidth(cut) <= width ? cut : truncateToWidth(cut, Math.max(1, width - (plainWidth(cut) - width)), "");
}

function plainWidth(painted: string): number {
  return displayWidth(painted.replace(/\x1b\[[0-9;:]*m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, ""));
}
