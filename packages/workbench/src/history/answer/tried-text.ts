/** What was tried before, for people: one answer for `/tried` and `bough tried`. */
import type { History } from "../store/history.js";
import { coverageNotes } from "./answer.js";
import { answerTried, type TriedQuestion } from "./answer-tried.js";

/** Milliseconds; a person waits longer than a model. */
export const LONGEST_LOOK = 60_000;

/** Words as they were given: one with blanks in it is a phrase. */
export function triedWords(words: readonly string[]): string {
  return words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" ");
}

/** Looks at what is indexed. `found` is false if nothing matches; then the text says so. */
export async function triedText(
  history: History,
  question: TriedQuestion,
  now: () => Date,
): Promise<{ readonly text: string; readonly found: boolean }> {
  const patience = { refresh: 0, search: LONGEST_LOOK };
  const { text, found } = await answerTried(history, question, { now, patience, most: Number.POSITIVE_INFINITY });
  if (found === 0) {
    const where =
      question.folder === undefined
        ? ""
        : " Only this folder's sessions were looked through; --all takes every folder.";
    // What was not looked through may hold it.
    const notes = coverageNotes(history).map((note) => `\n${note}`);
    return { text: `Nothing like this was tried.${where}${notes.join("")}`, found: false };
  }
  // A cursor is for programs.
  return { text: text.replace(/\n\nThere is more\.[^\n]*$/, ""), found: true };
}

export function indexingSentence({ coverage }: Pick<History, "coverage">): string {
  return `Indexing: ${coverage.waiting} sessions left`;
}
