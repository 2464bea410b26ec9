/** Files in moves: restored with the conversation, or left alone and reported. */

import type { EntryId } from "@bough/session/entry/index.js";
import { defined, errorText } from "@bough/session/text/index.js";
import {
  CheckpointError,
  type FilePlan,
  isEmptyPlan,
  machinesOf,
  type RestoreChoices,
  type RestoreOutcome,
  unrecordedPaths,
} from "@bough/workbench/checkpoint/index.js";
import type { MovedFiles } from "../../extension/index.js";
import type { MoveFilesOptions } from "../../extension/internal.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts, DriverWork, OperationOptions } from "../agent-parts.js";
import { cancellation } from "../cancellation.js";
import type { AgentFiles } from "./agent-files.js";
import { tellFiles } from "./tell-files.js";

interface FileMove extends MoveFilesOptions, OperationOptions {
  /** Where the conversation moves to. */
  readonly to: EntryId | null;
}

/**
 * Moves the conversation by calling `move`, and restores files if requested. A restore that is impossible throws before
 * anything moves; one that the system interrupts half-way does not undo the move, and the result says so. Undefined if
 * no file differs.
 */
export async function moveWithFiles(
  parts: AgentParts,
  { to, signal, ...answers }: FileMove,
  move: () => void | Promise<void>,
): Promise<MovedFiles | undefined> {
  const { files } = parts;
  const opened = await files?.inUse();
  if (files === undefined || opened === undefined) {
    await move();
    return undefined;
  }
  const wanted = answers.files ?? (files.options.onMove === "follow" ? "follow" : "stay");
  let recordedOn: readonly string[] = [];
  if (wanted === "follow") {
    const plan = await opened.plan(to, { signal });
    const isNeeded = !isEmptyPlan(plan);
    // Files recorded on another machine always need an answer; the setting alone is not enough.
    if (answers.files === undefined) recordedOn = machinesOf(plan);
    if (recordedOn.length > 0) {
      // The files stay.
    } else if (isNeeded && parts.driverWork !== undefined) {
      throw stillWorking(parts.driverWork);
    } else if (!isNeeded || (await isAllowed(parts, plan, { to, signal }))) {
      let isMoved = false;
      const moving = async () => {
        await move();
        isMoved = true;
      };
      try {
        const choices = choicesOf(answers);
        const { recorded, ...outcome } = await opened.follow(to, { plan, choices, move: moving });
        if (recorded !== undefined) tellFiles(parts, recorded);
        return isNeeded ? followed(outcome) : undefined;
      } catch (error) {
        if (!isMoved) throw error;
        const hint = (error as { hint?: unknown }).hint;
        return { kind: "failed", message: errorText(error), ...(typeof hint === "string" ? { hint } : {}) };
      }
    }
  }
  const stayed = await opened.staying(to);
  await move();
  stayed();
  const { length: differing } = await opened.differing();
  if (differing === 0) return undefined;
  return { kind: "stayed", differing, ...(recordedOn.length === 0 ? {} : { recordedOn }) };
}

/** Files must not change under an agent that works with them. */
function stillWorking({ agent, title }: DriverWork): AgentError {
  return new AgentError("agent-working", `${title} is still working in this folder`, {
    data: { agent },
    hint: "Wait until it is done, stop it, or move without files.",
  });
}

/** Throws `files-off` if recording files is off. */
export function requireFiles({ files }: Pick<AgentParts, "files">): AgentFiles {
  if (files !== undefined) return files;
  throw new CheckpointError("files-off", "Files are not recorded", {
    hint: 'Remove "files": "off" from the settings, or give the option `files` to the agent.',
  });
}

/** Restores the files of an entry; the conversation does not move. Throws `no-file-history` for unknown paths alone. */
export async function restoreFiles(
  parts: AgentParts,
  request: { readonly to: EntryId | null; readonly paths?: readonly string[] } & MoveFilesOptions & OperationOptions,
): Promise<MovedFiles> {
  const { to, paths, signal, ...answers } = request;
  const opened = await requireFiles(parts).require();
  const source = parts.session.getSource();
  const unrecorded = paths === undefined ? [] : await unrecordedPaths(source, paths, opened.store);
  const plan = await opened.plan(to, { signal, paths });
  if (parts.driverWork !== undefined && !isEmptyPlan(plan)) throw stillWorking(parts.driverWork);
  if (!(await isAllowed(parts, plan, { to, signal }))) return { kind: "cancelled" };
  const { recorded, ...outcome } = await opened.restoreHere(plan, {
    ...choicesOf(answers),
    paths,
    signal,
  });
  if (recorded !== undefined) tellFiles(parts, recorded);
  return { ...followed(outcome), ...(unrecorded.length === 0 ? {} : { unrecorded }) };
}

export function followed({
  written,
  deleted,
  kept,
  missing,
  protected: guarded,
}: RestoreOutcome): Extract<MovedFiles, { kind: "followed" }> {
  return { kind: "followed", written, deleted, kept, missing, ...defined({ protected: guarded }) };
}

function choicesOf({ conflicts, protected: guarded }: MoveFilesOptions): RestoreChoices {
  const byPath = typeof conflicts === "object" ? new Map(Object.entries(conflicts)) : conflicts;
  return { conflicts: byPath, protected: guarded };
}

/** Extensions may keep the files as they are. */
export async function isAllowed(
  { hooks }: AgentParts,
  plan: FilePlan,
  { to, signal }: OperationOptions & { readonly to: EntryId | null },
): Promise<boolean> {
  if (!hooks.has("session_before_files")) return true;
  let called = false;
  const cancel = () => {
    called = true;
  };
  const written = plan.files.filter(({ wanted }) => wanted !== null).map(({ path }) => path);
  const deleted = plan.files.filter(({ wanted }) => wanted === null).map(({ path }) => path);
  const conflicts = plan.conflicts.map(({ path }) => path);
  const event = {
    type: "session_before_files",
    targetId: to,
    root: plan.root,
    written,
    deleted,
    conflicts,
    cancel,
  } as const;
  const answers = await hooks.emit<"session_before_files">(event, { signal });
  return !cancellation(answers, called).cancelled;
}
