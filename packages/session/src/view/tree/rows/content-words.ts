/** The beginning of a content as text on one line. */
import { firstWords } from "../../../text/index.js";
import { blocksIn } from "../../transcript/read-content.js";

/** More than a row can show, enough for searching. */
export const MOST_WORDS = 200;

/** The first words of all text blocks. Long texts are not read to the end. */
export function contentWords(content: unknown, most: number = MOST_WORDS): string {
  let words = "";
  for (const block of blocksIn(content)) {
    if (block.type === "text" && typeof block.text === "string") words += `${block.text.slice(0, most * 2)} `;
    if (words.length > most) break;
  }
  return firstWords(words, most);
}
