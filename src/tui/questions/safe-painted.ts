/** Text of others that may have colours: those stay, everything else that a terminal would obey goes. */
import { withoutControls } from "../../text/index.js";

const COLOUR = /\x1b\[[0-9;:]*m/g;
const RESET = "\x1b[0m";

/** One line. Ends with everything switched off where anything was switched on. */
export function safePainted(line: string): string {
  let safe = "";
  let from = 0;
  let painted = false;
  for (const match of line.matchAll(COLOUR)) {
    safe += plain(line.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
    painted = true;
  }
  safe += plain(line.slice(from));
  return painted ? `${safe}${RESET}` : safe;
}

function plain(text: string): string {
  return withoutControls(text).replace(/[\n\t]/g, " ");
}
