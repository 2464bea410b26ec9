/** Recovers answers that were cut off because their process was killed. */
import { type AssistantMessage, type EntryId, Kind, kindOf } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { claimDrafts, type LeftDraft } from "@bough/session/session/internal.js";
import type { AgentParts } from "../agent-parts.js";

const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/**
 * Recovers what dead processes left next to the session: an aborted answer below its entry, which becomes the leaf only
 * if the leaf is still there. Reports it. A draft whose answer did get into the session is removed.
 */
export function takeInDrafts({ session, emit }: Pick<AgentParts, "session" | "emit">): void {
  const file = session.getSessionFile();
  if (file === undefined || session.getReadOnlyReason() !== undefined) return;
  for (const draft of claimDrafts(file)) {
    if (draft.sessionId !== session.getSessionId()) continue;
    const parentId = placeFor(session, draft.parentId);
    if (parentId === undefined) continue;
    if (draft.blocks.length > 0 && !isAnswered(session, draft)) {
      emit({ type: "entries", ids: [appendBelow(session, parentId, messageOf(draft))] });
      emit({
        type: "notice",
        level: "warning",
        message: "The last run was killed in the middle of an answer; the partial answer was kept",
        hint: 'Say "continue", or go back and ask again.',
      });
    }
    draft.remove();
  }
}

function messageOf({ blocks, api, provider, model, timestamp }: LeftDraft): AssistantMessage {
  return {
    role: "assistant",
    content: [...blocks],
    api,
    provider,
    model,
    usage: NO_USAGE,
    stopReason: "aborted",
    timestamp,
  };
}

/** Labels and names added in the meantime do not change the position. Undefined: it no longer exists. */
function placeFor(session: SessionManager, parentId: EntryId | null): EntryId | null | undefined {
  if (parentId !== null && session.getEntry(parentId) === undefined) return undefined;
  const leafId = session.getLeafId();
  for (let at = leafId; at !== null; ) {
    if (at === parentId) return leafId;
    const entry = session.getEntry(at);
    if (entry === undefined || kindOf(entry) < Kind.custom) break;
    at = entry.parentId;
  }
  return parentId;
}

/** Whether the whole answer is there: the process died between writing it and removing the draft. */
function isAnswered(session: SessionManager, { parentId, blocks, timestamp }: LeftDraft): boolean {
  const begun = textOf(blocks);
  const waiting = session.getChildren(parentId);
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    if (entry.type === "message" && entry.message.role === "assistant") {
      if (entry.message.timestamp >= timestamp && textOf(entry.message.content).startsWith(begun)) return true;
    } else if (kindOf(entry) >= Kind.custom) for (const child of session.getChildren(entry.id)) waiting.push(child);
  }
  return false;
}

function textOf(blocks: AssistantMessage["content"]): string {
  return blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
}

function appendBelow(session: SessionManager, parentId: EntryId | null, message: AssistantMessage): EntryId {
  const leafId = session.getLeafId();
  session.branch(parentId);
  const id = session.appendMessage(message);
  if (leafId === parentId) return id;
  session.branch(leafId);
  session.recordPosition();
  return id;
}
