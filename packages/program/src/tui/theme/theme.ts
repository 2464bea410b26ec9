/** How tones look in a terminal. */
import type { PaintTone } from "@bough/agent/terminal/index.js";
import type { Line } from "@bough/session/view/index.js";

export interface Theme {
  readonly name: string;
  /** False under NO_COLOR and TERM=dumb. Bold, dim and reverse video remain unless the terminal is dumb. */
  readonly colours: boolean;
  /** The text between the sequences that switch the tone on and off. It must not contain control characters. */
  paint(tone: PaintTone, text: string): string;
  /** Fills the width with a painted line in a tone; its background continues even if the line resets colors. */
  fill(tone: PaintTone, line: string, width: number): string;
  /** A line of a view. */
  line(line: Line): string;
  /** Highlighted code, one string per line. Unknown languages are returned unchanged. */
  highlight(code: string, language: string | undefined): readonly string[];
}
