/** Writes the remembered sessions among the others, each as its agent does, below one home folder. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TableAttempt } from "../attempts-table.test-support.js";
import { writeClaudeSession, writeCodexSession } from "../foreign-corpus.test-support.js";
import { writeOwnSession } from "../own-corpus.test-support.js";
import type { RememberedAttempt, RememberedSession } from "./remembered-attempts.test-support.js";

export interface WrittenAttempt {
  readonly attempt: RememberedAttempt;
  /** The part of an address before `#`. */
  readonly session: string;
  /** Undefined if another agent's reader assigns the branch numbers. */
  readonly branch: number | undefined;
}

const CWD = "/home/dev/app";

/** One session per day, in the given order. */
export function writeSessions(
  sessions: readonly RememberedSession[],
  home: string,
): ReadonlyMap<string, WrittenAttempt> {
  let time = Date.parse("2026-06-01T09:00:00Z");
  const now = () => {
    time += 1_000;
    return new Date(time);
  };
  const written = new Map<string, WrittenAttempt>();
  for (const { agent, title, attempts: remembered } of sessions) {
    time += 86_400_000 / 4;
    const attempts: TableAttempt[] = remembered.map((attempt) => ({ ...attempt, ask: {} }));
    if (agent === "bough" || agent === "pi") {
      const folder = agent === "bough" ? [".bough", "sessions"] : [".pi", "agent", "sessions"];
      const dir = join(home, ...folder, "--home-dev-app--");
      mkdirSync(dir, { recursive: true });
      const moves = agent === "bough" ? "recorded" : "bare";
      const { id, made } = writeOwnSession({ agent, title, attempts }, { dir, cwd: CWD, now, moves });
      const session = agent === "bough" ? id : `pi:${id}`;
      for (const [at, { branch }] of made.entries()) {
        const attempt = remembered[at] as RememberedAttempt;
        written.set(attempt.key, { attempt, session, branch });
      }
      continue;
    }
    const write = agent === "codex" ? writeCodexSession : writeClaudeSession;
    const { id } = write({ agent, title, attempts }, { home, cwd: CWD, now });
    for (const attempt of remembered) {
      written.set(attempt.key, { attempt, session: `${agent}:${id}`, branch: undefined });
    }
  }
  return written;
}
