/** Fifty questions about abandoned attempts in sessions of several agents. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { answerTried } from "../answer/answer-tried.js";
import { History } from "../store/history.js";
import { OUTCOME_OF, SESSIONS, type TableAttempt } from "./attempts-table.test-support.js";
import { writeClaudeSession, writeCodexSession } from "./foreign-corpus.test-support.js";
import { writeOwnSession } from "./own-corpus.test-support.js";

interface Question {
  readonly attempt: TableAttempt;
  readonly ask: TableAttempt["ask"];
  readonly session: string;
  /** Undefined if another agent's reader assigns the branch numbers. */
  readonly branch: number | undefined;
}

const options = { now: () => new Date("2026-11-17T00:00:00Z"), timeouts: { refresh: 60_000, search: 60_000 } };

async function corpus(): Promise<{ readonly history: History; readonly questions: readonly Question[] }> {
  const home = tempFolder();
  vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
  let time = Date.parse("2026-11-01T09:00:00Z");
  const now = () => {
    time += 1_000;
    return new Date(time);
  };
  const questions: Question[] = [];
  for (const session of SESSIONS) {
    time += 86_400_000;
    if (session.agent === "bough" || session.agent === "pi") {
      const cwd = "/home/dev/app";
      const own = join(home, ".bough", "sessions", "--home-dev-app--");
      const dir = session.agent === "bough" ? own : join(home, ".pi", "agent", "sessions", "--home-dev-app--");
      mkdirSync(dir, { recursive: true });
      const moves = session.agent === "bough" ? "recorded" : "bare";
      const { id, made } = writeOwnSession(session, { dir, cwd, now, moves });
      const reference = session.agent === "bough" ? id : `pi:${id}`;
      for (const { attempt, branch } of made) questions.push({ attempt, ask: attempt.ask, session: reference, branch });
      continue;
    }
    const write = session.agent === "codex" ? writeCodexSession : writeClaudeSession;
    const { id } = write(session, { home, cwd: "/home/dev/shop", now });
    for (const attempt of session.attempts) {
      questions.push({ attempt, ask: attempt.ask, session: `${session.agent}:${id}`, branch: undefined });
    }
  }
  const history = new History({ home: join(home, ".bough"), agents: { home, environment: {} } });
  await history.refresh();
  return { history, questions };
}

/** Whether a block of the answer (an outcome, then details) describes the attempt. */
function isAnswered(text: string, { attempt, session, branch }: Question): boolean {
  return text.split("\n\n").some((block) => {
    const [outcome = "", address = ""] = block.split("\n");
    return (
      outcome.split(":")[0] === OUTCOME_OF[attempt.fate] &&
      address.trim().startsWith(`${session}#`) &&
      (branch === undefined || address.includes(`· branch #${branch} `)) &&
      block.includes(`asked: ${attempt.prompt}`) &&
      (attempt.summary === undefined || block.includes(`summary: ${attempt.summary}`))
    );
  });
}

test("questions about abandoned attempts are answered with their branch and outcome, within 4 KB", async () => {
  const { history, questions } = await corpus();
  expect(history.coverage).toEqual({ waiting: 0, problems: [], closed: [] });
  const abandoned = questions.filter(({ attempt }) => attempt.fate !== "kept");
  const byFile = abandoned
    // These ended before a file was touched.
    .filter(({ ask, attempt: { fate } }) => ask.files === undefined && fate !== "model-error" && fate !== "stopped")
    .map((question) => ({ ...question, ask: { files: [question.attempt.file.split("/").slice(-2).join("/")] } }));
  const fifty = [...abandoned, ...byFile].slice(0, 50);
  expect(fifty).toHaveLength(50);
  const wrong: string[] = [];
  for (const question of fifty) {
    const { text } = await answerTried(history, question.ask, options);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
    if (!isAnswered(text, question)) wrong.push(`${JSON.stringify(question.ask)} ${question.attempt.fate}\n${text}`);
  }
  expect(wrong).toEqual([]);
});

test("attempts that were kept are reported as kept", async () => {
  const { history, questions } = await corpus();
  for (const question of questions.filter(({ attempt }) => attempt.fate === "kept")) {
    const { text } = await answerTried(history, question.ask, options);
    expect([text, isAnswered(text, question)]).toEqual([text, true]);
  }
});
