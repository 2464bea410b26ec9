/** Asks whether to restore files with a move, and what to do with files that someone else changed. */

import { counted, visibleText } from "@bough/session/text/index.js";
import { filePlanLines, filesAnswers, filesQuestionLines, isBringing } from "@bough/session/view/door.js";
import { type Line, span } from "@bough/session/view/index.js";
import { wrapWords } from "@bough/session/view/internal.js";
import type { MergeChoice } from "@bough/workbench/checkpoint/index.js";
import type { FilesAnswer, FilesQuestion } from "../../command/index.js";
import type { PanelHost } from "../host/panel-host.js";
import { askChoice, type Choice } from "../questions/ask-choice.js";
import { showDifferences } from "./show-differences.js";

/** The answer of Esc, and of a panel closed from outside. */
export async function askFiles(host: PanelHost, question: FilesQuestion): Promise<FilesAnswer> {
  for (;;) {
    const answer = await askChoice<FilesAnswer | "diff">(host, {
      name: "files",
      lines: (size) => filesQuestionLines(question, size),
      choices: choicesFor(question),
      cancel: "stay",
    });
    if (answer !== "diff") return answer;
    await showPlan(host, question);
  }
}

function choicesFor(question: FilesQuestion): readonly Choice<FilesAnswer | "diff">[] {
  return [
    ...filesAnswers(question).map((answer) => choiceOf(answer, question)),
    { keys: ["d"], answer: "diff", label: "show the diff", detail: "then asks again" },
    { keys: ["esc", "q"], answer: "stay", label: "cancel", detail: "nothing changes" },
  ];
}

function choiceOf(answer: ReturnType<typeof filesAnswers>[number], { about }: FilesQuestion): Choice<FilesAnswer> {
  switch (answer) {
    case "both": {
      if (isBringing({ about }))
        return { keys: ["enter", "b"], answer, label: "words and files", detail: "current files are saved first" };
      const details = {
        undo: "back to before the prompt",
        "undo-command": "back to before the command",
        "undo-merge": "back to before it",
      };
      const detail = about in details ? details[about as keyof typeof details] : "current files are saved first";
      return { keys: ["enter", "b"], answer, label: "conversation and files", detail };
    }
    case "conversation":
      return isBringing({ about })
        ? { keys: ["w", "c"], answer, label: "words only", detail: "files are unchanged" }
        : { keys: ["c"], answer, label: "conversation only", detail: "files are unchanged" };
    case "files":
      return about === "restore"
        ? { keys: ["enter", "f"], answer, label: "restore", detail: "current files are saved first" }
        : { keys: ["f"], answer, label: "files only", detail: "the conversation stays here" };
  }
}

/** Files that decide what runs are never written without asking. Enter leaves them alone. */
export async function askProtected(host: PanelHost, question: FilesQuestion): Promise<"keep" | "take" | undefined> {
  const guarded = (question.plan.protected ?? []).filter(({ why }) => why === "runs");
  const only = new Set(guarded.map(({ path }) => path));
  const [it, them] = guarded.length === 1 ? ["it", "it"] : ["them", "these files"];
  const verb = isBringing(question) ? "brought" : "restored";
  for (;;) {
    const answer = await askChoice<"keep" | "take" | "diff" | "stop">(host, {
      name: "protected",
      lines: (size) => protectedLines(guarded, size),
      choices: [
        { keys: ["n", "enter"], answer: "keep", label: `leave ${it} alone`, detail: `the rest is ${verb}` },
        {
          keys: ["y"],
          answer: "take",
          label: `${isBringing(question) ? "bring" : "restore"} ${it} too`,
          detail: `only if you trust what wrote ${them}`,
        },
        { keys: ["d"], answer: "diff", label: "show the diff" },
        { keys: ["esc", "q"], answer: "stop", label: "stop", detail: "nothing changes" },
      ],
      cancel: "stop",
    });
    if (answer === "stop") return undefined;
    if (answer !== "diff") return answer;
    await showPlan(host, question, only);
  }
}

function protectedLines(
  guarded: readonly { readonly path: string; readonly from?: string }[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly Line[] {
  const machines = [...new Set(guarded.flatMap(({ from }) => from ?? []))].map(shown);
  const title = `${counted(guarded.length, "file")} ${guarded.length === 1 ? "decides" : "decide"} what runs on this machine.${machines.length === 0 ? "" : ` Recorded on ${machines.join(", ")}.`}`;
  const lines = wrapWords(title, width - 2).map((line): Line => [span(` ${line}`, "strong")]);
  return [...lines, ...pathLines(guarded, height - lines.length)];
}

function shown(text: string): string {
  return visibleText(text, { newlines: "escape" }).text;
}

type Conflict = FilesQuestion["plan"]["conflicts"][number];
type ConflictAnswers = Readonly<Record<string, MergeChoice>>;
type ConflictKey = MergeChoice | "each" | "diff" | "stop";

/** For all files at once or one by one. Undefined: cancel, and nothing changes. */
export async function askConflicts(host: PanelHost, question: FilesQuestion): Promise<ConflictAnswers | undefined> {
  const conflicts = question.plan.conflicts.filter(({ present }) => present !== undefined);
  const answers: Record<string, MergeChoice> = {};
  const several = conflicts.length > 1;
  const first = several ? await askConflict(host, question, conflicts) : "each";
  if (first === "stop") return undefined;
  for (const conflict of conflicts) {
    const answer = first === "each" ? await askConflict(host, question, [conflict]) : first;
    if (answer === "stop" || answer === "each") return undefined;
    answers[conflict.path] = answer;
  }
  return answers;
}

async function askConflict(
  host: PanelHost,
  question: FilesQuestion,
  conflicts: readonly Conflict[],
): Promise<Exclude<ConflictKey, "diff">> {
  const several = conflicts.length > 1;
  const all = several ? " all" : "";
  for (;;) {
    const answer = await askChoice<ConflictKey>(host, {
      name: "conflict",
      lines: (size) => conflictLines(conflicts, { ...size, isMerge: isBringing(question) }),
      choices: [
        { keys: ["k", "enter"], answer: "keep", label: `keep${all} mine`, detail: "nothing is written" },
        {
          keys: ["t"],
          answer: "take",
          label:
            question.branch === undefined
              ? several
                ? "take the other versions"
                : "take the other version"
              : `take the version of #${question.branch.number}`,
          detail: savedFirst(question, several),
        },
        ...(conflicts.some(({ marked }) => marked !== undefined)
          ? [
              {
                keys: ["m"],
                answer: "markers" as const,
                label: "write both, with conflict markers",
                detail: conflicts.every(({ marked }) => marked !== undefined) ? undefined : "where it is text",
              },
            ]
          : []),
        ...(several ? [{ keys: ["o"], answer: "each" as const, label: "one by one" }] : []),
        { keys: ["d"], answer: "diff", label: "show the diff", detail: "from yours to theirs" },
        { keys: ["esc", "q"], answer: "stop", label: "stop", detail: "nothing changes" },
      ],
      cancel: "stop",
    });
    if (answer !== "diff") return answer;
    await showPlan(host, question, new Set(conflicts.map(({ path }) => path)));
  }
}

function conflictLines(
  conflicts: readonly Conflict[],
  { width, height, isMerge }: { readonly width: number; readonly height: number; readonly isMerge: boolean },
): readonly Line[] {
  const lines = wrapWords(conflictTitle(conflicts.length, isMerge), width - 2).map(
    (line): Line => [span(` ${line}`, "strong")],
  );
  const why = isMerge ? filePlanLines({ files: [], conflicts, missing: [], bytes: 0 }) : undefined;
  return [...lines, ...pathLines(conflicts, height - lines.length, why)];
}

function conflictTitle(count: number, isMerge: boolean): string {
  if (isMerge) return `${counted(count, "conflict")}: changed here and on the other branch.`;
  return `${counted(count, "file")} ${count === 1 ? "was" : "were"} changed outside of this session.`;
}

/** As many as fit, then the number of the others. */
function pathLines(
  conflicts: readonly { readonly path: string }[],
  room: number,
  why?: readonly Line[],
): readonly Line[] {
  const rows =
    why?.map((line): Line => [span("   "), ...line]) ??
    conflicts.map(({ path }): Line => [span("   "), span("!", "bad"), span(` ${shown(path)}`)]);
  if (rows.length <= room) return rows;
  const fitting = Math.max(0, room - 1);
  return [...rows.slice(0, fitting), [span(`   and ${rows.length - fitting} more`, "muted")]];
}

/** Where the files come from, in words. */
function savedFirst(question: FilesQuestion, several: boolean): string {
  const saved = `yours ${several ? "are" : "is"} saved first`;
  if (question.branch !== undefined) return saved;
  const files = several ? "files" : "file";
  return `${saved}; the ${question.about === "cherry-pick" ? `picked ${files}` : `${files} ${theirs(question)}`}`;
}

function theirs({ target, before = false, branch, about }: FilesQuestion): string {
  if (about === "cherry-pick") return "that were picked";
  if (about === "merge") return `merged with #${branch?.number ?? "?"}`;
  if (branch !== undefined) return `of #${branch.number}`;
  return `${before ? "from before" : "of"} "${target}"`;
}

function showPlan(host: PanelHost, question: FilesQuestion, only?: ReadonlySet<string>): Promise<void> {
  const title = `From your files to those ${theirs(question)}`;
  return showDifferences(host, { title, differences: () => chosen(question.plan.differences(), only) });
}

async function* chosen<Difference extends { readonly path: string }>(
  differences: AsyncIterable<Difference>,
  only: ReadonlySet<string> | undefined,
): AsyncGenerator<Difference> {
  for await (const one of differences) if (only === undefined || only.has(one.path)) yield one;
}
