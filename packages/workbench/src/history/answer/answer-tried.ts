/** `tried`: what was attempted, on which branch, and how it ended. */

import { longAge, shownPath } from "@bough/session/text/index.js";
import { maskTexts } from "../../export/index.js";
import { cutWords } from "../facts/cut-words.js";
import type { Outcome } from "../facts/facts.js";
import type { History } from "../store/history.js";
import { type Answer, type AnswerOptions, coverageNotes, writeAnswer } from "./answer.js";
import { type Attempt, findAttempts } from "./attempts.js";
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

export async function answerTried(history: History, question: TriedQuestion, options: AnswerOptions): Promise<Answer> {
  const { refresh, search } = options.timeouts;
  await history.refresh(refresh);
  const after = positionOf(question.cursor);
  const page = findAttempts(history, { ...question, after, limit: question.limit ?? MOST_ATTEMPTS, within: search });
  const now = options.now();
  const blocks = await maskTexts(page.attempts.map((attempt) => attemptText(attempt, now)));
  return writeAnswer({
    head: page.loose ? "No attempt matches all of it. These match most of it:" : "",
    blocks,
    nothing: "Nothing like this was tried in any session on this machine.",
    notes: coverageNotes(history),
    most: options.most,
    cursorAfter: (shown) => {
      const last = page.attempts[shown - 1];
      if (shown === page.attempts.length) return page.next === undefined ? undefined : positionCode(page.next);
      if (last === undefined) return undefined;
      return positionCode({ modified: last.session.modified, key: last.session.key, at: last.at });
    },
  });
}

/** Each fact on its own line, the outcome first. */
function attemptText({ session, turn }: Attempt, now: Date): string {
  const { facts } = session;
  const { prompt, answer, changed, errors, check, labels, summary } = turn;
  const said = summary === undefined ? undefined : facts.summaries[summary]?.text;
  const lines = [
    `${outcomeWords(turn)}`,
    `  ${addressOf(session, turn.id)} · ${branchWords(session, turn.branch)}${turn.subagent === true ? " · by a sub-agent" : ""}`,
    `  ${longAge(turn.time, now.getTime())} · ${sessionWords(session)}`,
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
