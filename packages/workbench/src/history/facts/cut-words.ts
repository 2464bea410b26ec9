/** The beginning of a text in one line, cut so that what is left of a secret is not half of one. */
import { withoutControls } from "@bough/session/text/index.js";

const OPEN_KEY = /-----BEGIN [A-Z0-9 ]*KEY[A-Z0-9 ]*-----(?![\s\S]*-----END )[\s\S]*$/;

/**
 * Up to `most` characters, without controls. A word that would be cut goes as a whole, and so does a private key: half
 * of a secret is not known as one when the text is masked.
 */
export function cutWords(text: string, most: number): string {
  const start = text.length > most * 2 ? text.slice(0, most * 2) : text;
  const line = withoutControls(start).replace(/\s+/g, " ").trim();
  if (line.length <= most && start.length === text.length) return line;
  const cut = line.slice(0, most);
  const isWhole = line.length > most && line[most] === " ";
  const words = isWhole ? cut : cut.slice(0, Math.max(0, cut.lastIndexOf(" ")));
  return `${words.replace(OPEN_KEY, "").trimEnd()}…`;
}
