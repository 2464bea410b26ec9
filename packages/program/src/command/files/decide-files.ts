/** Decides whether a move restores files: by the settings, or by asking. Never silently. */

import type { MoveFilesOptions } from "@bough/agent/extension/internal.js";
import type { EntryId } from "@bough/session/entry/index.js";
import {
  CheckpointError,
  type ConflictChoice,
  isEmptyPlan,
  type MergeChoice,
  machinesOf,
  type RestorePlan,
} from "@bough/workbench/checkpoint/index.js";
import type { CommandContext, FilesQuestion } from "../command.js";
import { freeFolder } from "./free-folder.js";

export type FilesDecision =
  | { readonly kind: "go"; readonly files: MoveFilesOptions }
  /** Files alone; the conversation stays. */
  | { readonly kind: "files"; readonly files: MoveFilesOptions }
  | { readonly kind: "stay" };

interface FilesMove {
  /** The position the conversation goes to; null is before the first entry. */
  readonly to: EntryId | null;
  /** Its title, and whether the position is just before it. */
  readonly target: string;
  readonly before?: boolean;
  readonly branch?: FilesQuestion["branch"];
  /** Default: a move. */
  readonly about?: FilesQuestion["about"];
}

/**
 * Asks only if files differ, and only if the settings say so. Always asks about conflicts and about what another
 * machine recorded, if it can.
 */
export async function decideFiles(context: CommandContext, move: FilesMove): Promise<FilesDecision> {
  const setting = onMove(context);
  if (setting === "stay") return { kind: "go", files: { files: "stay" } };
  if (setting === "ask" && context.front.askFiles === undefined) return { kind: "go", files: {} };
  let plan = await differingPlan(context, move.to);
  if (plan !== undefined && context.agent.driverWork !== undefined) {
    const freed = await freeFolder(context, { about: "move" });
    if (freed === "stay") return { kind: "stay" };
    if (freed === "without") return { kind: "go", files: { files: "stay" } };
    if (freed === "free") plan = await differingPlan(context, move.to);
  }
  if (plan === undefined) return { kind: "go", files: { files: setting === "follow" ? "follow" : "stay" } };
  const planned = { ...move, about: move.about ?? "move", plan } as const;
  const isAsked = setting === "ask" || machinesOf(plan).length > 0;
  // Leaves `files` out: the agent applies the setting and reports why.
  if (isAsked && context.front.askFiles === undefined) return { kind: "go", files: {} };
  if (isAsked) return askAboutFiles(context, planned);
  return answered(context, planned, "go");
}

/** What the setting says now; changes of this run included. */
export function onMove({ settings }: Pick<CommandContext, "settings">): "ask" | "follow" | "stay" {
  const { files } = settings.current;
  return typeof files === "object" ? (files.onMove ?? "ask") : "ask";
}

/** The same for merges and cherry-picks. */
export function onMerge({ settings }: Pick<CommandContext, "settings">): "ask" | "follow" | "stay" {
  const { files } = settings.current;
  return typeof files === "object" ? (files.onMerge ?? "ask") : "ask";
}

/** Undefined if no file would change, or if files are not recorded. */
async function differingPlan({ agent }: CommandContext, to: EntryId | null): Promise<RestorePlan | undefined> {
  if (!agent.followsFiles) return undefined;
  try {
    const plan = await agent.planFiles(to);
    return isEmptyPlan(plan) ? undefined : plan;
  } catch (error) {
    if (error instanceof CheckpointError && error.code === "files-off") return undefined;
    throw error;
  }
}

/** Asks what to restore, then about conflicts. */
export async function askAboutFiles(context: CommandContext, question: FilesQuestion): Promise<FilesDecision> {
  const answer = (await context.front.askFiles?.(question)) ?? "stay";
  switch (answer) {
    case "stay":
      return { kind: answer };
    case "conversation":
      return { kind: "go", files: { files: "stay" } };
    case "both":
    case "files":
      return answered(context, question, answer === "both" ? "go" : "files");
  }
}

async function answered(
  context: CommandContext,
  question: FilesQuestion,
  kind: "go" | "files",
): Promise<FilesDecision> {
  const answers = await askDetails(context, question);
  if (answers === undefined) return { kind: "stay" };
  const { conflicts, ...files } = answers;
  // Only a merge has both versions of the lines.
  const whole = conflicts && Object.fromEntries(Object.entries(conflicts).map(([path, one]) => [path, wholeFile(one)]));
  return { kind, files: { ...files, conflicts: whole } };
}

function wholeFile(choice: MergeChoice): ConflictChoice {
  return choice === "take" ? choice : "keep";
}

/** What the user decided about protected files and conflicts. */
interface FilesDetails {
  readonly files: "follow";
  readonly protected?: ConflictChoice | undefined;
  readonly conflicts?: Readonly<Record<string, MergeChoice>> | undefined;
}

/**
 * With an answer for each conflict; one that appears only now was not asked about, and the file is kept. Undefined: the
 * user stopped it.
 */
export async function askDetails(context: CommandContext, question: FilesQuestion): Promise<FilesDetails | undefined> {
  const guarded = question.plan.protected?.filter(({ why }) => why === "runs") ?? [];
  const opened = guarded.length === 0 ? "keep" : await (context.front.askProtected?.(question) ?? "keep");
  if (opened === undefined) return undefined;
  const files = { files: "follow", protected: opened === "take" ? opened : undefined } as const;
  const { plan } = question;
  const more = opened === "keep" ? [] : guarded.flatMap(({ conflict: why, ...one }) => (why ? [{ ...one, why }] : []));
  const conflicting = { ...plan, conflicts: [...plan.conflicts, ...more] };
  // Whatever is in the way of a file, such as a folder, is never removed.
  const isAskable = conflicting.conflicts.some(({ present }) => present !== undefined);
  if (!isAskable || context.front.askConflicts === undefined) return files;
  const conflicts = await context.front.askConflicts({ ...question, plan: conflicting });
  return conflicts === undefined ? undefined : { ...files, conflicts };
}
