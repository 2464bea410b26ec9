/** `bough tried`: what was attempted before in the sessions of all agents, and how each attempt ended. */
import { resolve } from "node:path";
import { maskRecords } from "@bough/workbench/export/index.js";
import {
  type Attempt,
  type AttemptRequest,
  coverageNotes,
  findAttempts,
  History,
  indexingSentence,
  OUTCOMES,
  type Outcome,
  SEARCH_TIMEOUT,
  triedText,
  triedWords,
} from "@bough/workbench/history/index.js";
import { usageError } from "../../cli-error.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { AGENTS } from "./agents.js";

export const row: SubcommandRow = {
  name: "tried",
  usage: "[words...]",
  summary: "Show what was tried before, and how it ended",
  details:
    "Looks through the sessions of every agent in this folder (Bough, Claude Code, Codex, opencode, Gemini CLI and pi) for attempts that match words, touched a file or met an error. Words may be a question: words like 'how' do not count, other forms of a word match, rare words count more, and if no attempt has all of them, the closest are shown. Each is shown with its branch, its prompt and its outcome: kept, left, undone, failed-check or error. The first run indexes all sessions, which takes a while; the index is in $BOUGH_HOME/cache/history and can be deleted. Secrets are masked. Exits with 1 if nothing is found.",
  flags: {
    file: { value: "path", repeatable: true, help: "attempts that changed or read this file; repeatable" },
    error: { value: "message", help: "attempts that met this error" },
    outcome: {
      value: "outcome",
      repeatable: true,
      choices: ["kept", "left", "undone", "failed-check", "error"],
      help: "only attempts that ended like this; repeatable",
    },
    agent: { value: "agent", choices: AGENTS, help: "only this agent's sessions" },
    all: { short: "a", help: "look through every folder's sessions" },
    limit: { short: "n", value: "n", help: "show at most N (default 10)" },
  },
  examples: [
    ["tried tokenizer", "attempts in this folder about the tokenizer"],
    ["tried --file src/lex.ts --outcome failed-check", "changes to a file whose tests failed"],
    ["tried --all --error 'ECONNRESET while reading'", "the same error, anywhere"],
  ],
  json: '{ "attempts": [{ address, agent, sessionId, title, cwd, branch: { number, name }, outcome, place: "active" | "left" | "compacted", leftBy?, merged?, time, prompt, answer, changed, check?: { command, failed, exitCode?, said }, errors, labels, has?, summary? }], "loose", "unknown", "more" }; has: the words of an attempt that does not have all; loose: none has all; unknown: words that no session has.',
  args: { least: 0, most: Number.POSITIVE_INFINITY },
  completes: "none",
};

/** The same as in `answerTried`, written out for `--json`. */
const LIMIT = 10;

export async function run(call: SubcommandCall): Promise<number> {
  const { args, flags, out, places, now, signal } = call;
  const files = flags.all("file");
  const error = flags.text("error");
  const words = triedWords(args);
  if (words.trim() === "" && files.length === 0 && error === undefined) {
    throw usageError("Nothing to look for", "Give words, --file or --error.");
  }
  const outcomes = OUTCOMES.filter((outcome) => flags.all("outcome").includes(outcome)) satisfies readonly Outcome[];
  const limit = flags.count("limit") ?? LIMIT;
  const question = {
    files,
    error,
    words,
    limit,
    agent: flags.text("agent"),
    outcomes: outcomes.length === 0 ? undefined : outcomes,
    folder: flags.isOn("all") ? undefined : resolve(places.cwd),
  };
  const history = new History();
  const stop = (): void => void history.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await indexed(history);
    if (out.json) for (const note of coverageNotes(history)) out.notice(note);
    if (out.json) return await json(call, history, { ...question, within: SEARCH_TIMEOUT });
    const { text, found } = await triedText(history, question, now);
    if (found) out.line(text);
    else out.notice(text);
    return found ? 0 : 1;
  } finally {
    signal.removeEventListener("abort", stop);
    await history.close();
  }
}

async function indexed(history: History): Promise<void> {
  const status = new StatusLine();
  const told = setInterval(() => status.tell(() => indexingSentence(history)), 200);
  try {
    await history.refresh();
  } finally {
    clearInterval(told);
    status.clear();
  }
}

async function json({ out, now }: SubcommandCall, history: History, request: AttemptRequest): Promise<number> {
  const { attempts, unknown, next } = findAttempts(history, { ...request, now: now().getTime() });
  const loose = attempts[0]?.has !== undefined;
  const told = await maskRecords(attempts.map(attemptFacts));
  await out.values({ loose, unknown, more: next !== undefined }, "attempts", told);
  return attempts.length === 0 ? 1 : 0;
}

function addressOf({ session, turn }: Attempt): string {
  return `${session.reference}#${turn.id}`;
}

function attemptFacts(attempt: Attempt): object {
  const { session, turn, has } = attempt;
  const { agent, id, title, cwd, facts } = session;
  const { branch, summary, time, id: _id, read: _read, open: _open, ...rest } = turn;
  return {
    address: addressOf(attempt),
    agent: agent ?? "bough",
    sessionId: id,
    title,
    cwd,
    branch: { number: branch, name: facts.branches.find(({ number }) => number === branch)?.name ?? "" },
    time: new Date(time).toISOString(),
    ...rest,
    ...(has === undefined ? {} : { has }),
    ...(summary === undefined ? {} : { summary: facts.summaries[summary]?.text ?? "" }),
  };
}
