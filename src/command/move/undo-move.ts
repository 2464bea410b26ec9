/** Taking the last move back, and making it again. */
import type { EntryId } from "../../entry/index.js";
import type { NavigateResult } from "../../extension/index.js";
import type { MoveFilesOptions } from "../../extension/internal.js";
import type { SessionManager } from "../../session/index.js";
import { planMove } from "../../tree/index.js";
import { currentBranch } from "../branch-facts.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { titleOfEntry } from "../entry-title.js";
import { askAboutFiles, decideFiles, differingPlan } from "../files/decide-files.js";
import { titleAt } from "../files/diff-command.js";
import { movedFilesSentence } from "../files/file-sentences.js";
import { type LastEdit, lastEdit } from "../files/last-edit.js";
import { restoreHere } from "../files/restore-here.js";
import { takeLastMerge } from "../merge/last-merge.js";
import { asOutcome, unchanged } from "../outcome.js";
import { broughtNotMovedSentence, SENTENCES, stoppedByExtension } from "../sentences.js";
import { moveTo } from "./move-to.js";

/** Says first where the last thing was not a move: an older one must not be undone in its place, unasked. */
export function undoLastMove(context: CommandContext): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const { agent } = context;
    const brought = takeLastMerge(agent);
    if (brought !== undefined) return unchanged(broughtNotMovedSentence(brought));
    const offered = await offerLastEdit(context);
    if (offered !== undefined) return offered;
    return step(context, { to: agent.undoTarget, nothing: SENTENCES.nothingToUndo }, (files) => agent.undoMove(files));
  });
}

export function redoLastMove(context: CommandContext): Promise<CommandOutcome> {
  const { agent } = context;
  return asOutcome(() =>
    step(context, { to: agent.redoTarget, nothing: SENTENCES.nothingToRedo }, (files) => agent.redoMove(files)),
  );
}

/**
 * Right after a run or a command that changed files, that is what someone wants undone. A command of the person belongs to
 * no turn, so only its files go back. Undefined: the last move is meant.
 */
async function offerLastEdit(context: CommandContext): Promise<CommandOutcome | undefined> {
  const { session } = context.agent;
  const last = context.front.askFiles === undefined ? undefined : lastEdit(session);
  if (last === undefined) return undefined;
  const to = placeBefore(session, last);
  const plan = await differingPlan(context, to);
  if (plan === undefined) return undefined;
  const about = last.by === "run" ? "undo" : "undo-command";
  const target = titleOfEntry(session, last.id);
  const decided = await askAboutFiles(context, { to, target, before: true, plan, about });
  switch (decided.kind) {
    case "move":
      return undefined;
    case "stay":
      return unchanged(SENTENCES.stayed);
    case "files":
      return restoreHere(context, { to, ...decided.files });
    case "go":
      return moveTo(context, { targetId: last.id, summary: "none", cause: "undo", files: decided.files });
  }
}

function placeBefore(session: SessionManager, { by, id }: LastEdit): EntryId | null {
  if (by === "command") return session.getEntry(id)?.parentId ?? null;
  const source = session.getSource();
  const { to } = planMove(source, { target: id, place: "selected" });
  return to < 0 ? null : source.tree.ids.textOf(to);
}

interface Step {
  readonly to: EntryId | null | undefined;
  /** What to say without a move. */
  readonly nothing: string;
}

async function step(
  context: CommandContext,
  { to, nothing }: Step,
  move: (files: MoveFilesOptions) => Promise<NavigateResult>,
): Promise<CommandOutcome> {
  if (to === undefined) return unchanged(nothing);
  const { session } = context.agent;
  const left = currentBranch(session);
  const decided = await decideFiles(context, { to, target: titleAt(context, to) });
  if (decided.kind === "stay" || decided.kind === "move") return unchanged(SENTENCES.stayed);
  if (decided.kind === "files") return restoreHere(context, { to, ...decided.files });
  const result = await move(decided.files);
  if (result.aborted === true) return unchanged(SENTENCES.still(left));
  if (result.cancelled) return unchanged(stoppedByExtension("Move", result.cancelledBy), "stopped-by-extension");
  const message = [SENTENCES.back(currentBranch(session)), movedFilesSentence(result.files)];
  return {
    kind: "done",
    message: message.filter((part) => part !== "").join(" "),
    data: { leafId: session.getLeafId(), ...(result.files === undefined ? {} : { files: result.files }) },
  };
}
