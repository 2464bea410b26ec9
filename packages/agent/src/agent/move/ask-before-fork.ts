import type { EntryId } from "@bough/session/entry/index.js";
import { defined } from "@bough/session/text/index.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { type Cancellation, cancellation } from "../cancellation.js";
import { tellArrived } from "../session-bounds.js";

/** Asks extensions before a fork, under both names of the event. Returns whether one of them, or the user, cancelled it. */
export async function askBeforeFork(
  parts: AgentParts,
  request: OperationOptions & { readonly entryId: EntryId; readonly position: "before" | "at" },
): Promise<Cancellation> {
  const { entryId, position, signal } = request;
  for (const type of ["session_before_fork", "session_before_branch"] as const) {
    let said = false;
    const event = {
      entryId,
      position,
      cancel: () => {
        said = true;
      },
    };
    const answers =
      type === "session_before_fork"
        ? await parts.hooks.emit<"session_before_fork">({ type, ...event }, { signal })
        : await parts.hooks.emit<"session_before_branch">({ type, ...event }, { signal });
    const asked = cancellation(answers, said);
    if (asked.cancelled) return asked;
  }
  return signal.aborted ? { cancelled: true, by: undefined } : { cancelled: false };
}

/** Notifies listeners that the agent is in the new session, under both names of the event. */
export async function reportFork(
  parts: AgentParts,
  fork: { readonly entryId: EntryId; readonly previousSessionFile: string | undefined },
): Promise<void> {
  await parts.files?.keepForCopy();
  const newSessionFile = parts.session.getSessionFile();
  parts.emit({ type: "session_changed", reason: "fork", ...defined({ file: newSessionFile }) });
  await parts.hooks.emit<"session_fork">({ type: "session_fork", ...fork, newSessionFile });
  await parts.hooks.emit<"session_branch">({ type: "session_branch", ...fork, newSessionFile });
  await tellArrived(parts, { reason: "fork", previousSessionFile: fork.previousSessionFile });
}
