/** A hundred questions of someone who half remembers, forty of them not in the words of the sessions. */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { answerTried } from "../../answer/answer-tried.js";
import { History } from "../../store/history.js";
import { OUTCOME_OF, SESSIONS } from "../attempts-table.test-support.js";
import { otherWork } from "./other-work.test-support.js";
import {
  NAMED_QUESTIONS,
  PARAPHRASED_OLDER_QUESTIONS,
  PARAPHRASED_QUESTIONS,
  type RememberedQuestion,
} from "./questions.test-support.js";
import { REMEMBERED, type RememberedSession } from "./remembered-attempts.test-support.js";
import { type WrittenAttempt, writeSessions } from "./write-sessions.test-support.js";

const options = { now: () => new Date("2026-11-17T00:00:00Z"), timeouts: { refresh: 60_000, search: 60_000 } };

interface Corpus {
  readonly history: History;
  readonly written: ReadonlyMap<string, WrittenAttempt>;
}

/** The remembered sessions are older than most of the others. */
async function corpus(remembered: readonly RememberedSession[]): Promise<Corpus> {
  const home = tempFolder();
  vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
  const others = otherWork(120);
  const sessions = [...others.slice(0, 20), ...remembered, ...others.slice(20)];
  const written = writeSessions(sessions, home);
  const history = new History({ home: join(home, ".bough"), agents: { home, environment: {} } });
  await history.refresh();
  expect(history.coverage).toEqual({ waiting: 0, problems: [], closed: [] });
  return { history, written };
}

/** Which of the attempts in an answer (an outcome, then details) is the one; -1 if none is. */
function placeIn(text: string, { attempt, session, branch }: WrittenAttempt): number {
  const blocks = text.split("\n\n").filter((block) => block.includes("\n  asked: "));
  return blocks.findIndex((block) => {
    const [outcome = "", address = ""] = block.split("\n").slice(block.startsWith("  ") ? 1 : 0);
    return (
      outcome.split(":")[0] === OUTCOME_OF[attempt.fate] &&
      address.trim().startsWith(`${session}#`) &&
      (branch === undefined ? / · branch #\d+ /.test(address) : address.includes(`· branch #${branch} `)) &&
      block.includes(`asked: ${attempt.prompt.slice(0, 120)}`)
    );
  });
}

/** Position of the right attempt; 0 for a true "nothing", -1 for a wrong answer. */
async function placeOf({ history, written }: Corpus, { about, ask }: RememberedQuestion): Promise<number> {
  const { text, found } = await answerTried(history, ask, options);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
  if (about === undefined) return found === 0 ? 0 : -1;
  return placeIn(text, written.get(about) as WrittenAttempt);
}

test("of a hundred questions at least ninety-five are answered with branch and outcome, within 4 KB", async () => {
  const made = await corpus(REMEMBERED);
  const questions = [...NAMED_QUESTIONS, ...PARAPHRASED_QUESTIONS];
  expect([NAMED_QUESTIONS.length, PARAPHRASED_QUESTIONS.length]).toEqual([60, 40]);
  const places = new Map<RememberedQuestion, number>();
  for (const question of questions) places.set(question, await placeOf(made, question));
  const wrong = questions.filter((question) => places.get(question) === -1);
  expect(questions.length - wrong.length, JSON.stringify(wrong, null, 1)).toBeGreaterThanOrEqual(95);
});

test("paraphrases of questions about the sessions of the other table are answered as well", async () => {
  // There, prompts name their attempts.
  const older = SESSIONS.map((session) => ({
    ...session,
    attempts: session.attempts.map((attempt) => ({ ...attempt, key: attempt.prompt })),
  }));
  const made = await corpus(older);
  const wrong: RememberedQuestion[] = [];
  for (const question of PARAPHRASED_OLDER_QUESTIONS) {
    if ((await placeOf(made, question)) === -1) wrong.push(question);
  }
  expect(wrong).toEqual([]);
});
