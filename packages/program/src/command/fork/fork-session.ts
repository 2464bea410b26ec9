/** Going to another session file: a fork, a clone, a new one, one from disk. The file that is left stays as it is. */

import type { SwitchResult } from "@bough/agent/agent/index.js";
import type { ForkPlan } from "@bough/agent/agent/plan.js";
import { planFork } from "@bough/agent/agent/plan.js";
import type { ForkResult } from "@bough/agent/extension/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { asNotice, defined, joinNotices, type Notice, titleOf } from "@bough/session/text/index.js";
import { continueAfter } from "@bough/workbench/store/internal.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { titleOfEntry } from "../entry-title.js";
import { decideFiles } from "../files/decide-files.js";
import { movedFilesNotice } from "../files/file-sentences.js";
import { restoreHere } from "../files/restore-here.js";
import { asOutcome, unchanged } from "../outcome.js";
import { SENTENCES, stoppedByExtension } from "../sentences.js";

/** A new session from the path before a prompt; its text goes to the editor. */
export function forkFrom(context: CommandContext, entryId: EntryId): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const { agent } = context;
    const plan: ForkPlan = planFork(agent.session, entryId);
    const title = titleOfEntry(agent.session, entryId);
    const decided = await decideFiles(context, { to: plan.leafId, target: title, before: plan.position === "before" });
    if (decided.kind === "stay") return unchanged(SENTENCES.stayed);
    if (decided.kind === "files") return restoreHere(context, { to: plan.leafId, ...decided.files });
    const result = await agent.fork(entryId, decided.files);
    return forked(result, SENTENCES.forked(title), plan.selectedText);
  });
}

/** A new session with the whole path. */
export function cloneSession({ agent }: CommandContext): Promise<CommandOutcome> {
  return asOutcome(async () => {
    if (agent.session.getLeafId() === null) return unchanged(SENTENCES.nothingHere);
    return forked(await agent.clone(), SENTENCES.cloned(), "");
  });
}

export function startNewSession({ agent }: CommandContext): Promise<CommandOutcome> {
  return asOutcome(async () => switched(await agent.newSession(), SENTENCES.newSession));
}

/** Does not throw if the file is missing or not a session: the agent stays, and the outcome says why. */
export function openSessionFile({ agent, home }: CommandContext, file: string): Promise<CommandOutcome> {
  return asOutcome(async () => {
    let continued: Notice | undefined;
    const result = await agent.openSession(file, (session) => {
      continued = continueAfter(session, home);
    });
    const { session } = agent;
    const opened = SENTENCES.opened(titleOf(session.getSessionName() ?? session.getSessionId()));
    return switched(result, continued === undefined ? opened : joinNotices(opened, continued));
  });
}

function forked(result: ForkResult, said: Notice, editorText: string): CommandOutcome {
  if (result.cancelled) return unchanged(stoppedByExtension("Fork", result.cancelledBy), "stopped-by-extension");
  const { files } = result;
  return {
    kind: "done",
    ...joinNotices(said, movedFilesNotice(files)),
    data: { file: result.newSessionFile ?? null, ...defined({ files }) },
    ...defined({ editorText: editorText || undefined }),
  };
}

function switched(result: SwitchResult, said: string | Notice): CommandOutcome {
  if (result.kind === "aborted") return unchanged(SENTENCES.stayed);
  if (result.kind === "cancelled") {
    return unchanged(stoppedByExtension("Change of session", titleOf(result.by)), "stopped-by-extension");
  }
  return { kind: "done", ...asNotice(said), data: { file: result.file ?? null } };
}
