/** What has to be written so that one screen becomes another. */
import type { Frame } from "../desk/panel.js";

/** Pictures lie over several rows and stay until they are taken away. */
const PICTURE = /\x1b_G|\x1b\]1337;File=/;
const TAKE_PICTURES_AWAY = "\x1b_Ga=d,d=A\x1b\\";
/** Terminals that know it show the whole change at once; others ignore it. */
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

/** Only rows that changed are written. Without an earlier screen everything is. */
export function frameUpdate(before: readonly string[] | undefined, { lines, cursor }: Frame): string {
  const pictures = before?.some((line, row) => line !== lines[row] && PICTURE.test(line)) === true;
  const old = pictures ? undefined : before;
  let rows = "";
  for (const [row, line] of lines.entries()) {
    if (old !== undefined && old[row] === line) continue;
    // Cleared first: behind a line that fills its row, the cursor still stands on the last character.
    rows += `\x1b[${row + 1};1H\x1b[2K${line}\x1b[0m`;
  }
  const place = cursor === undefined ? "\x1b[?25l" : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
  if (rows === "") return place;
  const clear = before === undefined ? "\x1b[2J" : "";
  return `${BEGIN}\x1b[?25l${pictures ? TAKE_PICTURES_AWAY : ""}${clear}${rows}${place}${END}`;
}
