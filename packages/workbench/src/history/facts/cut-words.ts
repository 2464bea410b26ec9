/** Shortens a text to one line without cutting through a secret. */
import { withoutControls } from "@bough/session/text/index.js";

const OPEN_KEY = /-----BEGIN [A-Z0-9 ]*KEY[A-Z0-9 ]*-----(?![\s\S]*-----END )[\s\S]*$/;

/**
 * Up to `most` characters, without control characters. A word or private key that would be cut is removed entirely,
 * since masking would not recognize half of a secret.
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
