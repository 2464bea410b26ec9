/** The beginning of a content as words on one line. */
import { firstWords } from "../../../text/index.js";
import { blocksIn } from "../../transcript/read-content.js";

/** More than a row can show, enough to search in. */
export const MOST_WORDS = 200;

/** Of all text blocks the first words. Long texts are not looked at to their end. */
export function contentWords(content: unknown, most: number = MOST_WORDS): string {
  let words = "";
  for (const block of blocksIn(content)) {
    if (block.type === "text" && typeof block.text === "string") words += `${block.text.slice(0, most * 2)} `;
    if (words.length > most) break;
  }
  return firstWords(words, most);
}
