/** How tones look in a terminal. */
import type { PaintTone } from "@bough/agent/terminal/index.js";
import type { Line } from "@bough/session/view/index.js";

export interface Theme {
  readonly name: string;
  /** False under NO_COLOR and TERM=dumb. Bold, dim and reverse video remain unless the terminal is dumb. */
  readonly colours: boolean;
  /** The text with what switches the tone on and off again. The text must have no control characters. */
  paint(tone: PaintTone, text: string): string;
  /** A painted line in a tone that fills the width: its background stays on whatever colors the line itself ends. */
  fill(tone: PaintTone, line: string, width: number): string;
  /** A line of a view. */
  line(line: Line): string;
  /** Code with its highlighting: one string for each line. Unknown languages come back as they are. */
  highlight(code: string, language: string | undefined): readonly string[];
}
