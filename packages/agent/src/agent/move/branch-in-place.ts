import type { BranchSummaryEntry } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import type { AgentParts } from "../agent-parts.js";
import { moveWithFiles } from "../files/move-files.js";
import type { Position } from "./move-history.js";
import { moveLeaf, ROOT_ID } from "./move-leaf.js";

interface BranchInPlaceRequest {
  readonly signal?: AbortSignal;
  /** The next entry becomes its child; `null` starts another root. */
  readonly parentId: Position;
  /** Written at the new position, attributed to an extension. */
  readonly summary?: string | undefined;
}

/**
 * A move made by an extension: exact, with its own summary, and without asking extensions first. They are notified
 * afterwards. Throws `Entry <id> not found`.
 */
export async function branchInPlace(
  parts: AgentParts,
  request: BranchInPlaceRequest,
): Promise<BranchSummaryEntry | undefined> {
  const { parentId, signal = new AbortController().signal } = request;
  const { session } = parts;
  if (parentId !== null && session.getEntry(parentId) === undefined) throw entryNotFound(parentId);
  const text = request.summary?.trim() ?? "";
  const oldLeafId = session.getLeafId();
  const summary = text === "" ? undefined : { text, fromHook: true };
  let summaryEntry: BranchSummaryEntry | undefined;
  await moveWithFiles(parts, { to: parentId, signal }, () => {
    summaryEntry = moveLeaf(parts, { newLeafId: parentId, summary, cause: "extension" });
  });
  await parts.hooks.emit<"session_tree">({
    type: "session_tree",
    newLeafId: session.getLeafId(),
    oldLeafId,
    targetId: parentId ?? ROOT_ID,
    summaryEntry,
    fromHook: summaryEntry !== undefined,
    fromExtension: summaryEntry !== undefined,
    cancelled: false,
    aborted: false,
  });
  return summaryEntry;
}
