/**
 * The question whether to restore files too, as lines: what would be written, which changes are the user's, what is not
 * restored.
 */
import { counted, visibleText } from "../../text/index.js";
import { flowText } from "../flow-pieces.js";
import { type Line, span } from "../line.js";
import { filePlanLines, filePlanTotals, type ShownPlan } from "./plan-lines.js";

/** The command room's question has these fields. */
export interface FilesQuestionFacts {
  readonly about: "move" | "undo" | "undo-command" | "undo-merge" | "restore" | "merge" | "cherry-pick";
  readonly plan: ShownPlan;
  readonly target: string;
  /** The files are those from before the target. */
  readonly before?: boolean;
  /** If the user named a branch, shown instead of its last entry. */
  readonly branch?: { readonly number: number; readonly name: string } | undefined;
}

/** The possible answers, the default for Enter first. Cancelling is always possible. */
export function filesAnswers({
  about,
}: Pick<FilesQuestionFacts, "about">): readonly ("both" | "conversation" | "files")[] {
  if (isBringing({ about })) return ["both", "conversation"];
  return about === "restore" ? ["files"] : ["both", "conversation", "files"];
}

/** Whether changes of another branch would be brought to the files here. */
export function isBringing({ about }: Pick<FilesQuestionFacts, "about">): boolean {
  return about === "merge" || about === "cherry-pick";
}

interface QuestionSize {
  readonly width: number;
  /** The available number of lines. */
  readonly height: number;
}

/** The number of paths named in a sentence. */
const NAMED = 3;

/** The whole list if it fits; otherwise its start, and sentences about what must not be missed. */
export function filesQuestionLines(question: FilesQuestionFacts, { width, height }: QuestionSize): readonly Line[] {
  const { plan } = question;
  const title = flowText(titleOf(question), width).map((line): Line => line.map(({ text }) => span(text, "strong")));
  const own = plan.files.filter(({ byPerson }) => byPerson);
  const listed = filePlanLines({ ...plan, files: [...plan.files.filter(({ byPerson }) => !byPerson), ...own] });
  const foreign = [...plan.files, ...plan.conflicts, ...(plan.protected ?? [])].filter(
    ({ from }) => from !== undefined,
  );
  const always = sentences(
    [
      [foreign.map(({ path }) => path), "recorded on another machine"],
      [(plan.uncovered ?? []).map(({ path }) => path), "left alone, not recorded"],
    ],
    width,
  );
  if (title.length + listed.length + always.length <= height) return [...title, ...indented(listed), ...always];
  const remarks = sentences(
    [
      [own.map(({ path }) => path), "with your own changes (saved first)"],
      [
        plan.conflicts.map(({ path }) => path),
        isBringing(question) ? "in conflict" : "changed outside of this session",
      ],
      [(plan.protected ?? []).map(({ path }) => path), "left alone, they decide what runs"],
      [plan.missing.map(({ path }) => path), "left alone, stored content missing or damaged"],
    ],
    width,
  );
  const shown = Math.max(0, height - title.length - remarks.length - always.length - 1);
  const rest = shown === 0 ? counted(listed.length, "path") : `and ${listed.length - shown} more`;
  const more: Line = [span(`   ${rest}`, "muted")];
  return [...title, ...indented(listed.slice(0, shown)), more, ...remarks, ...always];
}

function indented(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) => [span("   "), ...line]);
}

function sentences(
  parts: readonly (readonly [paths: readonly string[], what: string])[],
  width: number,
): readonly Line[] {
  return parts.flatMap(([paths, what]) => (paths.length === 0 ? [] : flowText(namedSentence(paths, what), width)));
}

function titleOf({ about, plan, target, before = false, branch }: FilesQuestionFacts): string {
  const totals = filePlanTotals(plan);
  if (about === "undo") return `The last run changed files: "${target}". To undo it: ${totals}.`;
  if (about === "undo-command") return `Your command changed files: "${target}". To undo it: ${totals}.`;
  if (about === "undo-merge") return `The last ${target} changed files. To undo it: ${totals}.`;
  if (about === "cherry-pick") return `What you picked changed files: ${totals}.`;
  if (about === "merge") return `${target} changed files: ${totals}.`;
  if (about === "restore") return `Files of "${target}": ${totals}. The conversation stays here.`;
  if (branch !== undefined)
    return `Files differ on #${branch.number}${branch.name === "" ? "" : ` ${branch.name}`}: ${totals}.`;
  return `Files differ ${before ? "before" : "at"} "${target}": ${totals}.`;
}

function namedSentence(paths: readonly string[], what: string): string {
  const named = paths.slice(0, NAMED).map((path) => visibleText(path, { newlines: "escape" }).text);
  const more = paths.length > NAMED ? `, and ${paths.length - NAMED} more` : "";
  return `${counted(paths.length, "file")} ${what}: ${named.join(", ")}${more}`;
}
