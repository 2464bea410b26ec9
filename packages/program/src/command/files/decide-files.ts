/** Decides whether a move restores files: by the settings, or by asking. Never silently. */

import type { MoveFilesOptions } from "@bough/agent/extension/internal.js";
import type { EntryId } from "@bough/session/entry/index.js";
import type { FileDifference } from "@bough/session/view/door.js";
import {
  BlobStore,
  CheckpointError,
  diffFiles,
  type FilePlan,
  filesBetween,
  isEmptyPlan,
  machinesOf,
  sessionRoot,
} from "@bough/workbench/checkpoint/index.js";
import type { CommandContext, FilesQuestion } from "../command.js";

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
  const wish = onMove(context);
  if (wish === "stay") return { kind: "go", files: { files: "stay" } };
  if (wish === "ask" && context.front.askFiles === undefined) return { kind: "go", files: {} };
  const plan = await differingPlan(context, move.to);
  if (plan === undefined) return { kind: "go", files: { files: wish === "follow" ? "follow" : "stay" } };
  const planned = { ...move, about: move.about ?? "move", plan } as const;
  const isAsked = wish === "ask" || machinesOf(plan).length > 0;
  // Leaves `files` out: the agent applies the setting and reports why.
  if (isAsked && context.front.askFiles === undefined) return { kind: "go", files: {} };
  if (isAsked) return askAboutFiles(context, planned);
  return answered(context, await questionOf(context, planned), "go");
}

/** What the setting says now; changes of this run included. */
export function onMove({ settings }: Pick<CommandContext, "settings">): "ask" | "follow" | "stay" {
  const { files } = settings.current;
  return typeof files === "object" ? (files.onMove ?? "ask") : "ask";
}

/** Undefined if no file would change, or if files are not recorded. */
export async function differingPlan({ agent }: CommandContext, to: EntryId | null): Promise<FilePlan | undefined> {
  if (!agent.followsFiles) return undefined;
  try {
    const plan = await agent.planFiles(to);
    return isEmptyPlan(plan) ? undefined : plan;
  } catch (error) {
    if (error instanceof CheckpointError && error.code === "files-off") return undefined;
    throw error;
  }
}

interface PlannedFiles extends Omit<FilesMove, "about">, Pick<FilesQuestion, "about" | "plan"> {}

/** Asks what to restore, then about conflicts. */
export async function askAboutFiles(context: CommandContext, planned: PlannedFiles): Promise<FilesDecision> {
  const question = await questionOf(context, planned);
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

/** With an answer for each conflict; one that appears only now was not asked about, and the file is kept. */
async function answered(
  context: CommandContext,
  question: FilesQuestion,
  kind: "go" | "files",
): Promise<FilesDecision> {
  const guarded = question.plan.protected?.filter(({ why }) => why === "runs") ?? [];
  const opened = guarded.length === 0 ? "keep" : await (context.front.askProtected?.(question) ?? "keep");
  if (opened === undefined) return { kind: "stay" };
  const files = { files: "follow", ...(opened === "take" ? { protected: opened } : {}) } as const;
  const { plan } = question;
  const more = opened === "keep" ? [] : guarded.flatMap(({ conflict: why, ...one }) => (why ? [{ ...one, why }] : []));
  const conflicting = { ...plan, conflicts: [...plan.conflicts, ...more] };
  // Whatever is in the way of a file, such as a folder, is never removed.
  const isAskable = conflicting.conflicts.some(({ present }) => present !== undefined);
  if (!isAskable || context.front.askConflicts === undefined) return { kind, files };
  const conflicts = await context.front.askConflicts({ ...question, plan: conflicting });
  return conflicts === undefined ? { kind: "stay" } : { kind, files: { ...files, conflicts } };
}

async function questionOf(context: CommandContext, { to, ...planned }: PlannedFiles): Promise<FilesQuestion> {
  const { session } = context.agent;
  const { store, root } = await filesPlace(context);
  const { tree, leaf } = session.getSource();
  const ends = { from: leaf, to: to === null ? -1 : tree.ids.findText(to) };
  const { skipped } = await filesBetween(session.getSource(), ends, { store });
  return {
    ...planned,
    uncovered: skipped.map(({ path }) => path),
    differences: () => planDifferences(planned.plan, { store, root }),
  };
}

export interface FilesPlace {
  /** The folder that paths are relative to. */
  readonly root: string;
  readonly store: BlobStore;
}

/** Where the files of the session are, and their stored contents. Throws `files-off`. */
export async function filesPlace({
  agent,
  cwd,
  home,
}: Pick<CommandContext, "agent" | "cwd" | "home">): Promise<FilesPlace> {
  const { root, store } = await sessionRoot({ sessionCwd: agent.session.getCwd(), cwd, home });
  return { root, store: new BlobStore(store) };
}

/** From disk to the planned state. Unchanged files are omitted. */
function planDifferences(
  { files, conflicts, protected: guarded = [] }: FilePlan,
  { store, root }: FilesPlace,
): AsyncIterable<FileDifference> {
  const asked = [...conflicts, ...guarded.filter(({ why }) => why === "runs")];
  const changes = [...files, ...asked.filter(({ present }) => present !== undefined)]
    .map(({ path, present = null, wanted }) => ({ path, before: present, after: wanted }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return diffFiles({ changes, blocked: new Map() }, { store, fromDisk: root });
}
