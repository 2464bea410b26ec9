/** Merges and cherry-picks for tests of other rooms: the real operations, on nothing but a session. */
import type { EntryId } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { AgentParts } from "../agent-parts.js";
import { cherryPick } from "./cherry-pick.js";
import { mergeBranch, planMerge } from "./merge-branch.js";

const { signal } = new AbortController();

/** Brings the turns of another branch. Nothing happens if the tip is on this path. */
export async function mergeTurns(session: SessionManager, tipId: EntryId): Promise<void> {
  if (session.getCommonAncestorId(session.getLeafId(), tipId) === tipId) return;
  if (planMerge(session, tipId).kind === "unchanged") return;
  await mergeBranch(partsOf(session), { tipId, summarize: false, signal });
}

export async function pickEntry(session: SessionManager, id: EntryId): Promise<void> {
  await cherryPick(partsOf(session), { ids: [id], signal });
}

/** Copies need neither a model nor settings. */
function partsOf(session: SessionManager): AgentParts {
  return { session, emit: () => {} } as unknown as AgentParts;
}
