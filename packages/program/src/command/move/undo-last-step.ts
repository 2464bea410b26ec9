/** Undo and redo runs and moves, one step at a time. */

import type { NavigateResult } from "@bough/agent/extension/index.js";
import type { MoveFilesOptions } from "@bough/agent/extension/internal.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { defined, joinNotices } from "@bough/session/text/index.js";
import type { NamedBranch } from "@bough/session/view/internal.js";
import { branchEndingAt, currentBranch } from "../branch-facts.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { titleOfEntry } from "../entry-title.js";
import { decideFiles } from "../files/decide-files.js";
import { titleAt } from "../files/diff-command.js";
import { movedFilesNotice } from "../files/file-sentences.js";
import { restoreHere } from "../files/restore-here.js";
import { asOutcome, unchanged } from "../outcome.js";
import { SENTENCES, stoppedByExtension } from "../sentences.js";

export function undoLastStep(context: CommandContext): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const { agent } = context;
    const last = agent.undoStep;
    if (last === undefined) return unchanged(SENTENCES.nothingToUndo);
    const { from: to, kind, entryId } = last;
    const isBrought = kind === "merge" || kind === "cherry-pick";
    const about = ABOUT[kind];
    const named = entryId === undefined ? undefined : titleOfEntry(agent.session, entryId);
    const target = isBrought ? kind : (named ?? titleAt(context, to));
    const branch = kind === "move" ? branchEndingAt(agent.session, to) : undefined;
    const question = { to, target, about, before: named !== undefined, branch } as const;
    const undone = isBrought ? { brought: kind } : { undone: named };
    return step(context, { ...question, ...undone }, (files) => agent.undoMove(files));
  });
}

export function redoLastStep(context: CommandContext): Promise<CommandOutcome> {
  const { agent } = context;
  return asOutcome(async () => {
    const to = agent.redoTarget;
    if (to === undefined) return unchanged(SENTENCES.nothingToRedo);
    const question = {
      to,
      target: titleAt(context, to),
      branch: branchEndingAt(agent.session, to),
      about: "move",
    } as const;
    return step(context, question, (files) => agent.redoMove(files));
  });
}

const ABOUT = {
  run: "undo",
  command: "undo-command",
  merge: "undo-merge",
  "cherry-pick": "undo-merge",
  move: "move",
} as const;

interface Step {
  readonly to: EntryId | null;
  readonly target: string;
  /** The position is its end. */
  readonly branch?: NamedBranch | undefined;
  readonly before?: boolean;
  readonly about: (typeof ABOUT)[keyof typeof ABOUT];
  /** The prompt or command that is undone. */
  readonly undone?: string | undefined;
  /** What is undone is one of these. */
  readonly brought?: "merge" | "cherry-pick";
}

async function step(
  context: CommandContext,
  { undone, brought, ...question }: Step,
  move: (files: MoveFilesOptions) => Promise<NavigateResult>,
): Promise<CommandOutcome> {
  const { session } = context.agent;
  const left = currentBranch(session);
  const decided = await decideFiles(context, question);
  if (decided.kind === "stay") return unchanged(SENTENCES.stayed);
  if (decided.kind === "files") {
    const restored = await restoreHere(context, { to: question.to, ...decided.files });
    if (restored.kind === "done" && question.about !== "move") context.agent.passUndo();
    return restored;
  }
  const result = await move(decided.files);
  if (result.aborted === true) return unchanged(SENTENCES.still(left));
  if (result.cancelled) return unchanged(stoppedByExtension("Move", result.cancelledBy), "stopped-by-extension");
  const where =
    brought !== undefined
      ? SENTENCES.undoneBrought(brought)
      : undone === undefined
        ? SENTENCES.back(currentBranch(session))
        : SENTENCES.undone(undone);
  const { editorText } = result;
  return {
    kind: "done",
    ...joinNotices(where, movedFilesNotice(result.files)),
    data: { leafId: session.getLeafId(), ...defined({ files: result.files }) },
    ...defined({ editorText: editorText || undefined }),
  };
}
