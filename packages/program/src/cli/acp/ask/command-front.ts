/** The front end of commands that a client sends as prompts: text out, questions through the client. */

import { counted, fenced, shortCount, visibleText } from "@bough/session/text/index.js";
import { filePlanLines, filesAnswers, filesQuestionLines, isBringing } from "@bough/session/view/door.js";
import { initialTree, lineText, plainTree, TreeModel, type TreeSource } from "@bough/session/view/index.js";
import type { MergeChoice } from "@bough/workbench/checkpoint/index.js";
import type { FilesAnswer, FilesQuestion, FrontEnd, MoveAnswer } from "../../../command/index.js";
import type { StoppableWork } from "../../stoppable-work.js";
import type { ClientLink } from "../client/client-link.js";
import { askChoice, type Choice } from "./ask-choice.js";

interface CommandFrontParts {
  readonly link: ClientLink;
  readonly work: StoppableWork;
  /** Sends text as the command's answer. */
  readonly say: (text: string) => void;
  readonly source: () => TreeSource;
  readonly now: () => Date;
}

/** Large enough that no line is wrapped. */
const UNBROKEN = 100_000;

export function commandFront({ link, work, say, source, now }: CommandFrontParts): FrontEnd {
  return {
    screens: new Set(["tree"]),
    open: async () => {
      const { lines } = plainTree(new TreeModel(source()), initialTree(), { now: now().getTime() });
      say(`${fenced(lines.join("\n"))}\n\n/switch #2 goes to a branch, /branch-here <id> to an entry.`);
    },
    canAsk: true,
    askBeforeMove: async ({ branch, entries, tokens, preferred }) => {
      const none: Choice<MoveAnswer> = { answer: { kind: "none" }, label: "Go without a summary", kind: "allow_once" };
      const summary: Choice<MoveAnswer> = { answer: { kind: "summary" }, label: "Bring a summary", kind: "allow_once" };
      const answer = await askChoice(link, {
        title: `Leaving branch ${branch.number}, ${branch.name}`,
        lines: [`${counted(entries, "entry", "entries")}, about ${shortCount(tokens)} tokens. It stays in the tree.`],
        choices: [
          ...(preferred === "none" ? [none, summary] : [summary, none]),
          { answer: { kind: "never" }, label: "Go without a summary, and never ask again", kind: "allow_always" },
          { answer: { kind: "stay" }, label: "Cancel", kind: "reject_once" },
        ],
      });
      return answer ?? { kind: "stay" };
    },
    askFailed: async (message, instead) =>
      (await askChoice(link, {
        title: `No summary: ${message}`,
        choices: [
          {
            answer: "without",
            label: instead === "turns" ? "Bring its turns" : "Go without a summary",
            kind: "allow_once",
          },
          { answer: "again", label: "Try again", kind: "allow_once" },
          { answer: "stay", label: "Cancel", kind: "reject_once" },
        ],
      })) ?? "stay",
    askFiles: (question) => askFiles(link, question),
    askConflicts: (question) => askConflicts(link, question),
    askProtected: (question) => askProtected(link, question),
    confirm: async ({ title, lines, yes, no }) =>
      (await askChoice(link, {
        title,
        lines,
        choices: [
          { answer: true, label: capital(yes), kind: "allow_once" },
          { answer: false, label: capital(no), kind: "reject_once" },
        ],
      })) ?? false,
    watch: (long) => {
      say(`${long.title()}.\n\n`);
      return work.run(long);
    },
    // Clients render Markdown, which would join the lines.
    tell: ({ message, hint }) => {
      say(`${message.includes("\n") ? fenced(message) : message}\n\n`);
      if (hint !== undefined) say(`${hint}\n\n`);
    },
    setEditorText: (text) => say(`Ready to send again:\n\n> ${text.replaceAll("\n", "\n> ")}\n\n`),
    copy: (text) => say(`${text}\n\n`),
  };
}

const LABELS = {
  both: "Conversation and files",
  conversation: "Conversation only",
  files: "Files only",
} as const;

/** Files never change without an answer: no answer leaves everything as it is. */
async function askFiles(link: ClientLink, question: FilesQuestion): Promise<FilesAnswer> {
  const [title = "Files differ", ...lines] = filesQuestionLines(question, { width: UNBROKEN, height: UNBROKEN }).map(
    (line) => lineText(line).trim(),
  );
  const answers = filesAnswers(question);
  const bringing = isBringing(question) ? { both: "Words and files", conversation: "Words only" } : {};
  const labels = { ...LABELS, ...(answers[0] === "files" ? { files: "Restore" } : {}), ...bringing };
  const choices: readonly Choice<FilesAnswer>[] = [
    ...answers.map((answer) => ({ answer, label: labels[answer], kind: "allow_once" as const })),
    { answer: "stay", label: "Cancel", kind: "reject_once" },
  ];
  return (await askChoice(link, { title, lines, choices })) ?? "stay";
}

type ConflictAnswers = Readonly<Record<string, MergeChoice>>;

async function askConflicts(
  link: ClientLink,
  { plan, target, before = false, about, branch }: FilesQuestion,
): Promise<ConflictAnswers | undefined> {
  const conflicts = plan.conflicts.filter(({ present }) => present !== undefined);
  const isMerge = isBringing({ about });
  const lines = isMerge
    ? filePlanLines({ files: [], conflicts, missing: [], bytes: 0 }).map(lineText)
    : conflicts.map(({ path }) => visibleText(path, { newlines: "escape" }).text);
  const from =
    branch !== undefined
      ? `of #${branch.number}`
      : isMerge
        ? "that was picked"
        : `${before ? "from before" : "of"} "${target}"`;
  const hasMarkers = conflicts.some(({ marked }) => marked !== undefined);
  const answer = await askChoice(link, {
    title: `${counted(conflicts.length, "file")} changed ${isMerge ? "here and on the other branch" : "outside of this session"}`,
    lines,
    choices: [
      { answer: "keep", label: "Keep mine", kind: "allow_once" },
      {
        answer: "take",
        label: `Take the version ${from}; mine ${conflicts.length === 1 ? "is" : "are"} saved first`,
        kind: "allow_once",
      },
      ...(hasMarkers ? [{ answer: "markers", label: "Write both, with conflict markers", kind: "allow_once" }] : []),
      { answer: undefined, label: "Cancel", kind: "reject_once" },
    ] as readonly Choice<MergeChoice | undefined>[],
  });
  return answer === undefined ? undefined : Object.fromEntries(conflicts.map(({ path }) => [path, answer]));
}

async function askProtected(link: ClientLink, { plan, about }: FilesQuestion): Promise<"keep" | "take" | undefined> {
  const guarded = (plan.protected ?? []).filter(({ why }) => why === "runs");
  const lines = guarded.map(({ path, from }) => {
    const name = visibleText(path, { newlines: "escape" }).text;
    return from === undefined ? name : `${name} (recorded on ${visibleText(from, { newlines: "escape" }).text})`;
  });
  return askChoice(link, {
    title: `${counted(guarded.length, "file")} ${guarded.length === 1 ? "decides" : "decide"} what runs on this machine`,
    lines,
    choices: [
      { answer: "keep", label: "Leave them alone", kind: "allow_once" },
      { answer: "take", label: isBringing({ about }) ? "Bring them too" : "Restore them too", kind: "allow_once" },
      { answer: undefined, label: "Cancel", kind: "reject_once" },
    ] as readonly Choice<"keep" | "take" | undefined>[],
  });
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
