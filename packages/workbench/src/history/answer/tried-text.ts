/** The text that `/tried` and `bough tried` show to people. */
import type { History } from "../store/history.js";
import { answerTried, type TriedQuestion } from "./answer-tried.js";

/** Milliseconds. Longer than for models, because people can interrupt a search. */
export const SEARCH_TIMEOUT = 60_000;

/** Joins command-line words into a query; a word that contains spaces becomes a phrase. */
export function triedWords(words: readonly string[]): string {
  return words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" ");
}

/** Searches what is indexed already. If nothing matches, `found` is false and the text says so. */
export async function triedText(
  history: History,
  question: TriedQuestion,
  now: () => Date,
): Promise<{ readonly text: string; readonly found: boolean }> {
  const timeouts = { refresh: 0, search: SEARCH_TIMEOUT };
  const { text, found } = await answerTried(history, question, { now, timeouts, most: Number.POSITIVE_INFINITY });
  if (found === 0) {
    const everywhere = "Only this folder's sessions were searched; --all searches every folder.";
    return { text: question.folder === undefined ? text : `${text}\n${everywhere}`, found: false };
  }
  // The note about the cursor is only for programs.
  return { text: text.replace(/\n\nThere is more\.[^\n]*$/, ""), found: true };
}

export function indexingSentence({ coverage }: Pick<History, "coverage">): string {
  return `Indexing: ${coverage.waiting} sessions left`;
}
