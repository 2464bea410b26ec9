import { type EntryId, isRecord } from "../entry/index.js";
import type { CancelResult } from "../extension/index.js";
import type { AgentParts, OperationOptions } from "./agent-parts.js";
import { cancelledBy } from "./ask-before-tree.js";

/** Asks extensions before a fork, under both names of the event. Says whether one of them called it off. */
export async function askBeforeFork(
  parts: AgentParts,
  request: OperationOptions & { readonly entryId: EntryId },
): Promise<"go" | "cancelled"> {
  const { entryId, signal } = request;
  for (const type of ["session_before_fork", "session_before_branch"] as const) {
    let said = false;
    const event = {
      entryId,
      cancel: () => {
        said = true;
      },
    };
    const answers =
      type === "session_before_fork"
        ? await parts.hooks.emit<"session_before_fork">({ type, ...event }, { signal })
        : await parts.hooks.emit<"session_before_branch">({ type, ...event }, { signal });
    const results = answers.map(({ result }) => result).filter(isRecord) as readonly CancelResult[];
    if (cancelledBy(results, said)) return "cancelled";
  }
  return signal.aborted ? "cancelled" : "go";
}

/** Tells everyone that the agent is in the new session now, under both names of the event. */
export async function reportFork(
  parts: AgentParts,
  fork: { readonly entryId: EntryId; readonly previousSessionFile: string | undefined },
): Promise<void> {
  const newSessionFile = parts.session.getSessionFile();
  parts.emit({ type: "session_changed", reason: "fork", file: newSessionFile });
  await parts.hooks.emit<"session_fork">({ type: "session_fork", ...fork, newSessionFile });
  await parts.hooks.emit<"session_branch">({ type: "session_branch", ...fork, newSessionFile });
}
