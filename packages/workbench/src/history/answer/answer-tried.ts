/** `tried`: what was attempted, on which branch, and how it ended. */

import { longAge, shownPath } from "@bough/session/text/index.js";
import { maskTexts } from "../../export/index.js";
import { cutWords } from "../facts/cut-words.js";
import type { Outcome } from "../facts/facts.js";
import type { History } from "../store/history.js";
import { type Answer, type AnswerOptions, coverageNotes, writeAnswer } from "./answer.js";
import { type Attempt, type AttemptPage, findAttempts } from "./attempts.js";
import { addressOf, branchWords, outcomeWords, sessionWords } from "./describe.js";
import { positionCode, positionOf, type SessionFilter } from "./session-filter.js";

export interface TriedQuestion extends SessionFilter {
  readonly files?: readonly string[] | undefined;
  readonly error?: string | undefined;
  readonly words?: string | undefined;
  readonly outcomes?: readonly Outcome[] | undefined;
  readonly cursor?: string | undefined;
  /** Default 10. */
  readonly limit?: number | undefined;
}

const MOST_ATTEMPTS = 10;
const MOST_NAMED = 6;
const OUT_OF_TIME = "Note: the search ran out of time, so there may be closer attempts.";

export async function answerTried(history: History, question: TriedQuestion, options: AnswerOptions): Promise<Answer> {
  const { refresh, search } = options.timeouts;
  await history.refresh(refresh);
  const after = positionOf(question.cursor);
  const now = options.now();
  const limit = question.limit ?? MOST_ATTEMPTS;
  const page = findAttempts(history, { ...question, after, limit, within: search, now: now.getTime() });
  const blocks = await maskTexts(page.attempts.map((attempt) => attemptText(attempt, now)));
  return writeAnswer({
    head: headOf(page),
    blocks,
    nothing: nothingSentence(page, whereSearched(history, question)),
    notes: [...(page.outOfTime && page.attempts.length > 0 ? [OUT_OF_TIME] : []), ...coverageNotes(history)],
    most: options.most,
    cursorAfter: (shown) => {
      const last = page.attempts[shown - 1];
      if (shown === page.attempts.length) return page.next === undefined ? undefined : positionCode(page.next);
      if (last === undefined) return undefined;
      return positionCode({ modified: last.session.modified, key: last.session.key, at: last.at });
    },
  });
}

function headOf({ attempts: [first], unknown }: AttemptPage): string {
  return [
    ...(first?.has === undefined ? [] : ["No attempt has all of these words. The closest ones, best first:"]),
    ...(unknown.length === 0 ? [] : [`In no session: ${shownWords(unknown)}`]),
  ].join("\n");
}

function whereSearched({ coverage }: History, question: TriedQuestion): string {
  const { waiting, problems, closed } = coverage;
  if (waiting > 0) return "in the sessions indexed so far";
  if (problems.length + closed.length > 0) return "in the sessions that can be read";
  const { agent, folder, session, since, outcomes } = question;
  const isEverywhere = [agent, folder, session, since, outcomes].every((part) => part === undefined);
  return isEverywhere ? "in any session on this machine" : "in the sessions searched";
}

/** Nothing was found: because nothing has any of the words, or because time ran out. */
function nothingSentence({ unknown, isKnown, outOfTime }: AttemptPage, where: string): string {
  if (outOfTime) return "Nothing found so far: the search ran out of time. Ask again, or for fewer words.";
  if (isKnown) return `No finished attempt matches ${where}. Turns of the last minute are left out.`;
  const words = unknown.length === 0 ? "" : ` None of these words appear: ${shownWords(unknown)}.`;
  return `Nothing like this was tried ${where}.${words}`;
}

const MOST_WORDS = 12;

function shownWords(words: readonly string[]): string {
  return words
    .slice(0, MOST_WORDS)
    .map((word) => cutWords(word, 40))
    .join(", ");
}

/** Each fact on its own line, the outcome first. */
function attemptText({ session, turn, has }: Attempt, now: Date): string {
  const { facts } = session;
  const { prompt, answer, changed, errors, check, labels, summary } = turn;
  const said = summary === undefined ? undefined : facts.summaries[summary]?.text;
  const lines = [
    `${outcomeWords(turn)}`,
    `  ${addressOf(session, turn.id)} · ${branchWords(session, turn.branch)}${turn.subagent === true ? " · by a sub-agent" : ""}`,
    `  ${longAge(turn.time, now.getTime())} · ${sessionWords(session)}`,
    ...(has === undefined ? [] : [`  has: ${shownWords(has)}`]),
    ...(labels.length === 0 ? [] : [`  labels: ${labels.join(", ")}`]),
    `  asked: ${cutWords(prompt, 220)}`,
    ...(changed.length === 0 ? [] : [`  changed: ${named(changed)}`]),
    ...(check?.failed === true && check.said !== "" ? [`  check said: ${cutWords(check.said, 240)}`] : []),
    ...(check?.failed !== true && errors.length > 0 ? [`  error: ${cutWords(errors.at(-1) ?? "", 240)}`] : []),
    ...(said === undefined || said === "" ? [] : [`  summary: ${cutWords(said, 360)}`]),
    ...(answer === "" || (said ?? "") !== "" ? [] : [`  answered: ${cutWords(answer, 220)}`]),
  ];
  return lines.join("\n");
}

function named(files: readonly string[]): string {
  const rest = files.length - MOST_NAMED;
  return `${files
    .slice(0, MOST_NAMED)
    .map((file) => shownPath(file))
    .join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
