/** Wraps a notice into rows of a window. */
import { asNotice, firstWords, type Notice, noticeLine } from "@bough/session/text/index.js";
import { wrapWords } from "@bough/session/view/internal.js";

/**
 * The hint gets a row of its own if there is room; otherwise it follows the message. At most `most` rows: the last one
 * takes the rest, so that its ellipsis shows there is more.
 */
export function saidRows(
  said: string | Notice,
  { width, most }: { readonly width: number; readonly most: number },
): readonly string[] {
  const { message, hint = "" } = asNotice(said);
  const wrapped = (text: string) => (text === "" ? [] : wrapWords(firstWords(text, 1000), width));
  const apart = [...wrapped(message), ...wrapped(hint)];
  const rows = apart.length <= most ? apart : wrapped(noticeLine(said));
  return rows.length <= most ? rows : [...rows.slice(0, most - 1), rows.slice(most - 1).join(" ")];
}
