/** `sessions`: all sessions, newest first, and how their turns ended. */

import { counted } from "@bough/session/text/index.js";
import { maskTexts } from "../../export/index.js";
import { cutWords } from "../facts/cut-words.js";
import { OUTCOMES } from "../facts/facts.js";
import type { History, KnownSession } from "../store/history.js";
import { parseQuery, type Query } from "../words/query.js";
import { mayHold } from "../words/word-filter.js";
import { type Answer, type AnswerOptions, coverageNotes, writeAnswer } from "./answer.js";
import { sessionWords } from "./describe.js";
import { filteredSessions, isBefore, positionCode, positionOf, type SessionFilter } from "./session-filter.js";

export interface SessionsQuestion extends SessionFilter {
  /** Words to match in the title, the folder or a prompt. */
  readonly words?: string | undefined;
  readonly cursor?: string | undefined;
}

const MOST_SESSIONS = 24;

export async function answerSessions(
  history: History,
  question: SessionsQuestion,
  options: AnswerOptions,
): Promise<Answer> {
  await history.refresh(options.timeouts.refresh);
  const { sessions, isMore } = sessionPage(history, question, MOST_SESSIONS);
  const now = options.now();
  const blocks = await maskTexts(sessions.map((session) => sessionText(session, now)));
  return writeAnswer({
    head: "",
    blocks,
    nothing: "No session matches.",
    notes: coverageNotes(history),
    cursorAfter: (shown) => {
      const last = sessions[shown - 1];
      return last === undefined || (shown === sessions.length && !isMore) ? undefined : codeAfter(last);
    },
  });
}

interface SessionPage {
  readonly sessions: readonly KnownSession[];
  readonly isMore: boolean;
}

export function sessionPage(history: History, question: SessionsQuestion, limit: number): SessionPage {
  const after = positionOf(question.cursor);
  const query = parseQuery(question.words ?? "");
  const sessions: KnownSession[] = [];
  for (const session of filteredSessions(history, question)) {
    if (after !== undefined && (session.key === after.key || isBefore(session, after))) continue;
    if (query.terms.length > 0 && !isAbout(session, query)) continue;
    if (sessions.length >= limit) return { sessions, isMore: true };
    sessions.push(session);
  }
  return { sessions, isMore: false };
}

/** Whether all words occur in its title and folder, or in one prompt. */
function isAbout({ title, cwd, facts, index }: KnownSession, query: Query): boolean {
  if (query.find(`${title}\n${cwd}`) !== undefined) return true;
  return mayHold(index.factsWords, query.keys) && facts.turns.some(({ prompt }) => query.find(prompt) !== undefined);
}

export function codeAfter({ modified, key }: KnownSession): string {
  return positionCode({ modified, key, at: 0 });
}

function sessionText(session: KnownSession, now: Date): string {
  const { facts, reference } = session;
  const { turns, branches } = facts;
  const ends = OUTCOMES.flatMap((outcome) => {
    const count = turns.filter((turn) => turn.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${outcome}`];
  });
  const last = turns.at(-1)?.prompt ?? "";
  return [
    `${reference} · ${sessionWords(session, now)}`,
    `  ${counted(turns.length, "turn")}${ends.length === 0 ? "" : ` (${ends.join(", ")})`}, ${branches.length === 1 ? "1 branch" : `${branches.length} branches`}${last === "" ? "" : `; last prompt: ${cutWords(last, 100)}`}`,
  ].join("\n");
}
