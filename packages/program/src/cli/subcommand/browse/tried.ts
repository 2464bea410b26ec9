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
  LONGEST_LOOK,
  OUTCOMES,
  type Outcome,
  triedText,
  triedWords,
} from "@bough/workbench/history/index.js";
import { usageError } from "../../cli-error.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall } from "../subcommand.js";

/** As in `answerTried`; `--json` needs it said. */
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
    ...(outcomes.length === 0 ? {} : { outcomes }),
    ...(flags.isOn("all") ? {} : { folder: resolve(places.cwd) }),
  };
  const history = new History();
  const stop = (): void => void history.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await indexed(history);
    if (out.json) for (const note of coverageNotes(history)) out.notice(note);
    if (out.json) return await json(call, history, { ...question, within: LONGEST_LOOK });
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

async function json({ out }: SubcommandCall, history: History, request: AttemptRequest): Promise<number> {
  const { attempts, loose, next } = findAttempts(history, request);
  const told = await maskRecords(attempts.map(attemptFacts));
  await out.values({ loose, more: next !== undefined }, "attempts", told);
  return attempts.length === 0 ? 1 : 0;
}

function addressOf({ session, turn }: Attempt): string {
  return `${session.reference}#${turn.id}`;
}

function attemptFacts(attempt: Attempt): object {
  const { session, turn } = attempt;
  const { agent, id, title, cwd, facts } = session;
  const { branch, summary, time, id: _id, read: _read, ...rest } = turn;
  return {
    address: addressOf(attempt),
    agent: agent ?? "bough",
    sessionId: id,
    title,
    cwd,
    branch: { number: branch, name: facts.branches.find(({ number }) => number === branch)?.name ?? "" },
    time: new Date(time).toISOString(),
    ...rest,
    ...(summary === undefined ? {} : { summary: facts.summaries[summary]?.text ?? "" }),
  };
}
