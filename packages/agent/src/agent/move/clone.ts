/** A new session with the whole path to the leaf. */
import type { EntryId } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import type { ForkResult } from "../../extension/index.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { leaveBy } from "../session-bounds.js";
import { askBeforeFork, reportFork } from "./ask-before-fork.js";

export interface ClonePlan {
  readonly leafId: EntryId;
}

/** What a clone would copy: the path to the leaf. Throws `no-content` before the first entry. */
export function planClone(session: Pick<SessionManager, "getLeafId">): ClonePlan {
  const leafId = session.getLeafId();
  if (leafId === null) {
    throw new AgentError("no-content", "There is nothing on this path to copy", {
      hint: "Start a new session instead.",
    });
  }
  return { leafId };
}

/** Creates the new session and switches to it. The old file is unchanged; extensions are asked as before a fork. */
async function applyClone(parts: AgentParts, plan: ClonePlan, options: OperationOptions): Promise<ForkResult> {
  const entryId = plan.leafId;
  const asked = await askBeforeFork(parts, { entryId, position: "at", ...options });
  if (asked.cancelled) {
    return {
      kind: asked.by === undefined ? "aborted" : "cancelled",
      selectedText: "",
      cancelled: true,
      inPlace: false,
      ...defined({ cancelledBy: asked.by }),
    };
  }
  const previousSessionFile = parts.session.getSessionFile();
  const leave = (go: () => unknown) => leaveBy(parts, { reason: "fork" }, go);
  const newSessionFile = await parts.session.createBranchedSessionInSlices(entryId, leave);
  await reportFork(parts, { entryId, previousSessionFile });
  return {
    kind: "done",
    selectedText: "",
    cancelled: false,
    inPlace: false,
    ...defined({ newSessionFile }),
  };
}

/** Plans and applies. */
export async function clone(parts: AgentParts, options: OperationOptions): Promise<ForkResult> {
  return applyClone(parts, planClone(parts.session), options);
}
