/** `blame`: which prompt, branch and session wrote each line of a file, from checkpoints. */
import { dirname, isAbsolute } from "node:path";
import { boughHome } from "@bough/session/session/index.js";
import { longAge } from "@bough/session/text/index.js";
import { type BlamedLine, type DescribedStep, type TracedFile, traceFile } from "../../checkpoint/index.js";
import { maskTexts } from "../../export/index.js";
import { cutWords } from "../facts/cut-words.js";
import type { History } from "../store/history.js";
import { type Answer, type AnswerOptions, writeAnswer } from "./answer.js";
import { outcomeWords } from "./describe.js";

export interface BlameQuestion {
  /** Absolute, or relative to `cwd`. */
  readonly file: string;
  /** 1-based line range. Default: all lines. */
  readonly line?: number | undefined;
  readonly end?: number | undefined;
  readonly cwd: string;
  readonly cursor?: string | undefined;
}

/** Throws the same errors as `bough blame`. */
export async function answerBlame(history: History, question: BlameQuestion, options: AnswerOptions): Promise<Answer> {
  await history.refresh(options.timeouts.refresh);
  const cwd = isAbsolute(question.file) ? dirname(question.file) : question.cwd;
  const traced = await traceFile(question.file, {
    cwd,
    home: boughHome(),
    contents: options.contents,
    sessionsOf: (path) => mayName(history, path),
  });
  try {
    const { path, lines } = traced;
    const { line: first = 1, end = question.line ?? lines.length } = question;
    const runs = runsOf(lines.slice(Math.max(0, first - 1), Math.max(0, end)), traced);
    const now = options.now();
    const from = startOf(question.cursor);
    const told = runs.slice(from);
    const blocks = await maskTexts(told.map((run) => runText(run, { history, now })));
    return writeAnswer({
      head: `${path}`,
      blocks,
      nothing: `${path} has ${lines.length} lines; none are in the requested range.`,
      cursorAfter: (shown) => (shown < told.length ? `run:${from + shown}` : undefined),
    });
  } finally {
    traced.close();
  }
}

/** Whether a session has to be read: not if it is indexed and mentions neither the file nor an earlier name of it. */
function mayName({ sessions }: History, path: string): (file: string) => boolean {
  const names = new Set([path]);
  for (let before = 0; before < names.size; ) {
    before = names.size;
    for (const { facts } of sessions) for (const [from, to] of facts.renamed) if (names.has(to)) names.add(from);
  }
  const silent = new Set(
    sessions
      .filter(({ agent, facts }) => agent === undefined && !facts.recordedElsewhere)
      .filter(({ facts }) => !facts.recorded.some((name) => names.has(name)))
      .map(({ path: file }) => file),
  );
  return (file) => !silent.has(file);
}

interface Run {
  readonly lines: readonly [BlamedLine, ...BlamedLine[]];
  readonly step: DescribedStep | undefined;
}

/** Groups adjacent lines of the same origin. */
function runsOf(lines: readonly BlamedLine[], { stepOf }: TracedFile): readonly Run[] {
  const runs: { readonly lines: [BlamedLine, ...BlamedLine[]]; readonly step: DescribedStep | undefined }[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    const step = stepOf(line);
    const isSame = last?.lines[0].origin.kind === line.origin.kind && last.step === step;
    if (last !== undefined && isSame) last.lines.push(line);
    else runs.push({ lines: [line], step });
  }
  return runs;
}

const NO_STEP = { outside: "changed outside of any session", older: "older than any session" } as const;

function runText({ lines, step }: Run, { history, now }: { readonly history: History; readonly now: Date }): string {
  const [first] = lines;
  const last = lines.at(-1) as BlamedLine;
  const { origin } = first;
  const range = first.line === last.line ? `line ${first.line}` : `lines ${first.line}-${last.line}`;
  const code = `  ${cutWords(first.text, 100)}`;
  if (step === undefined) return `${range}: ${NO_STEP[origin.kind as keyof typeof NO_STEP]}\n${code}`;
  const { session, branch, prompt, by, tool, time } = step;
  const known = history.sessions.find(({ id, agent }) => agent === undefined && id === session.id);
  const turn = known?.facts.turns.find(({ id }) => id === prompt?.entryId);
  const doubt = origin.kind === "unknown" ? " or earlier" : "";
  const who = by === "person" ? "you" : (tool ?? by);
  return [
    `${range}: written by ${who}${doubt}, ${longAge(Date.parse(time), now.getTime())} · ${session.id}#${step.entryId} · branch #${branch.number} (${cutWords(branch.name, 60)})`,
    ...(prompt === null ? [] : [`  asked: ${cutWords(prompt.text, 180)}`]),
    ...(turn === undefined ? [] : [`  ${outcomeWords(turn)}`]),
    code,
  ].join("\n");
}

function startOf(cursor: string | undefined): number {
  const [, digits] = /^run:(\d{1,9})$/.exec(cursor ?? "") ?? [];
  return digits === undefined ? 0 : Number(digits);
}
