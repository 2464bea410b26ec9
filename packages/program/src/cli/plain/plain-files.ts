/** The questions about files in plain lines: numbered choices. No answer always means the safe choice. */

import { counted, visibleText } from "@bough/session/text/index.js";
import {
  differenceLines,
  filePlanLines,
  filesAnswers,
  filesQuestionLines,
  isBringing,
} from "@bough/session/view/door.js";
import { lineText } from "@bough/session/view/index.js";
import type { MergeChoice } from "@bough/workbench/checkpoint/index.js";
import type { FilesAnswer, FilesQuestion } from "../../command/index.js";
import type { PlainVoice } from "./plain-questions.js";

/** Large enough that no line is wrapped. */
const UNBROKEN = 100_000;
/** Lines per file; `bough diff` shows more. */
const MOST_LINES = 200;

interface NumberedChoice<Answer> {
  readonly answer: Answer;
  readonly label: string;
}

/** The choice with the number that was typed; Enter is the first. Undefined for anything else. */
async function askNumber<Answer>(
  { ask, say }: PlainVoice,
  choices: readonly NumberedChoice<Answer>[],
): Promise<Answer | undefined> {
  for (const [at, { label }] of choices.entries()) say(`${String(at + 1).padStart(3)}  ${label}`);
  const answer = (await ask("Number, Enter for 1, q to cancel: "))?.trim();
  if (answer === "") return choices[0]?.answer;
  return answer === undefined || !/^\d+$/.test(answer) ? undefined : choices[Number(answer) - 1]?.answer;
}

const LABELS = {
  both: "conversation and files",
  conversation: "conversation only; files are unchanged",
  files: "files only; the conversation stays here",
} as const;

export async function askFiles(voice: PlainVoice, question: FilesQuestion): Promise<FilesAnswer> {
  for (const line of filesQuestionLines(question, { width: UNBROKEN, height: UNBROKEN }))
    voice.say(lineText(line).trim());
  const answers = filesAnswers(question);
  const bringing = isBringing(question) ? { both: "words and files", conversation: "words only" } : {};
  const labels = { ...LABELS, ...(answers[0] === "files" ? { files: "restore" } : {}), ...bringing };
  const choices: readonly NumberedChoice<FilesAnswer | "diff">[] = [
    ...answers.map((answer) => ({ answer, label: labels[answer] })),
    { answer: "diff", label: "show the diff" },
  ];
  for (;;) {
    const answer = await askNumber(voice, choices);
    if (answer !== "diff") return answer ?? "stay";
    await sayDiff(voice, question);
  }
}

/** Enter leaves the files alone. */
export async function askProtected(
  voice: PlainVoice,
  { plan, about }: FilesQuestion,
): Promise<"keep" | "take" | undefined> {
  const guarded = (plan.protected ?? []).filter(({ why }) => why === "runs");
  voice.say(
    `${counted(guarded.length, "file")} ${guarded.length === 1 ? "decides" : "decide"} what runs on this machine:`,
  );
  for (const { path, from } of guarded) {
    const machine = from === undefined ? "" : `  recorded on ${visibleText(from, { newlines: "escape" }).text}`;
    voice.say(`  ${visibleText(path, { newlines: "escape" }).text}${machine}`);
  }
  return askNumber<"keep" | "take">(voice, [
    { answer: "keep", label: `leave them alone; the rest is ${isBringing({ about }) ? "brought" : "restored"}` },
    {
      answer: "take",
      label: `${isBringing({ about }) ? "bring" : "restore"} them too; only if you trust what wrote them`,
    },
  ]);
}

type ConflictAnswers = Readonly<Record<string, MergeChoice>>;

export async function askConflicts(voice: PlainVoice, question: FilesQuestion): Promise<ConflictAnswers | undefined> {
  const { plan, target, before = false, about, branch } = question;
  const conflicts = plan.conflicts.filter(({ present }) => present !== undefined);
  const from =
    branch !== undefined
      ? `of #${branch.number}`
      : isBringing({ about })
        ? "that was picked"
        : `${before ? "from before" : "of"} "${target}"`;
  const answers: Record<string, MergeChoice> = {};
  const markers = { answer: "markers", label: "write both, with conflict markers" } as const;
  const ask = ({ path, why, clash, marked }: (typeof conflicts)[number]) => {
    const [line] = isBringing({ about })
      ? filePlanLines({ files: [], conflicts: [{ path, why, clash }], missing: [], bytes: 0 }).map(lineText)
      : [`${visibleText(path, { newlines: "escape" }).text} was changed outside of this session.`];
    voice.say(line ?? path);
    return askNumber<MergeChoice>(voice, [
      { answer: "keep", label: "keep mine" },
      { answer: "take", label: `take the version ${from}; yours is saved first` },
      ...(marked === undefined ? [] : [markers]),
    ]);
  };
  let all: MergeChoice | "each" | undefined = "each";
  if (conflicts.length !== 1) {
    const where = isBringing({ about }) ? "here and on the other branch" : "outside of this session";
    voice.say(`${conflicts.length} files were changed ${where}.`);
    all = await askNumber<MergeChoice | "each">(voice, [
      { answer: "keep", label: "keep all mine" },
      { answer: "take", label: `take the version ${from} of all; yours are saved first` },
      ...(conflicts.some(({ marked }) => marked !== undefined) ? [markers] : []),
      { answer: "each", label: "one by one" },
    ]);
  }
  for (const conflict of conflicts) {
    const answer = all === "each" ? await ask(conflict) : all;
    if (answer === undefined) return undefined;
    answers[conflict.path] = answer;
  }
  return answers;
}

async function sayDiff({ say }: PlainVoice, question: FilesQuestion): Promise<void> {
  for await (const one of question.plan.differences())
    for (const line of differenceLines(one, { most: MOST_LINES, numbers: true })) say(lineText(line));
}
