/** Sub-agents whose process was killed: says so below them, and to the agent that started them. */
import { type CustomEntry, callsIn, type EntryId, Role } from "@bough/session/entry/index.js";
import { SUBAGENT_END_TYPE } from "@bough/session/entry/internal.js";
import { boughHome, type SessionManager } from "@bough/session/session/index.js";
import { arrivedEntries, upwards } from "@bough/session/session/internal.js";
import { counted, isRecord } from "@bough/session/text/index.js";
import { SPAWN_TOOL } from "../../tool/index.js";
import type { AgentState } from "../agent-state.js";
import { appendCustomMessage } from "../turn/append-message.js";
import { endMessage } from "./end-message.js";
import { lastTextBelow } from "./last-text.js";
import { isLiveAgent } from "./live-agents.js";

/** One that has no record of its end. */
interface LeftAgent {
  readonly id: EntryId;
  readonly toolCallId: string;
  readonly callEntryId: string;
  readonly description: string;
  readonly background: boolean;
}

/**
 * Adds the record of the end to each sub-agent that has none, and gives its call a result: an error with what it had
 * written, if the call waits at the leaf; a message, if it worked in the background and the leaf is below the call.
 * Nothing if another process has the session open, because it may run them.
 */
export function settleLeftAgents(state: AgentState): void {
  const { session, emit } = state;
  if (state.isSubAgent || session.getReadOnlyReason() !== undefined) return;
  const left = leftAgents(session);
  if (left.length === 0 || session.getOthers().length > 0) return;
  const arrived = arrivedEntries(state.options.files?.home ?? boughHome(), session.getSessionId());
  const ours = left.filter(({ id }) => !arrived.has(id));
  const ids: EntryId[] = [];
  for (const { id } of ours) {
    const leaf = session.getLeafId();
    session.branch(id);
    ids.push(session.appendCustomEntry(SUBAGENT_END_TYPE, { outcome: "interrupted" }));
    session.branch(leaf);
  }
  const waiting = waitingCalls(session);
  const path = new Set([...upwards(session, session.getLeafId())].map(({ id }) => id));
  const textOf = ({ id, description }: LeftAgent) => {
    const had = lastTextBelow(session, id);
    const words = had === "" ? "It had written nothing." : `Its last words:\n${had}`;
    return `Bough was stopped while the sub-agent worked, so it was interrupted: ${description}\n${words}`;
  };
  for (const one of ours) {
    const { id, toolCallId } = one;
    if (one.background || !waiting.has(toolCallId)) continue;
    const timestamp = state.now().getTime();
    const content = [{ type: "text", text: textOf(one) } as const];
    const details = { subagent: id, outcome: "interrupted" };
    const call = { role: "toolResult", toolCallId, toolName: SPAWN_TOOL } as const;
    ids.push(session.appendMessage({ ...call, content, details, isError: true, timestamp }));
  }
  // After the results: nothing may come between a call and its result.
  for (const one of ours) {
    if (!one.background || !path.has(one.callEntryId as EntryId)) continue;
    ids.push(appendCustomMessage(state, endMessage({ ...one, text: textOf(one) })));
  }
  if (ids.length === 0) return;
  emit({ type: "entries", ids });
  emit({
    type: "notice",
    level: "warning",
    message: `${counted(ours.length, "sub-agent")} ${ours.length === 1 ? "was" : "were"} interrupted when Bough was stopped`,
    hint: "What they had is kept on their branches.",
  });
}

function leftAgents(session: SessionManager): readonly LeftAgent[] {
  const { tree, entryAt } = session.getSource();
  const found: LeftAgent[] = [];
  for (let n = 0; n < tree.count; n++) {
    if (tree.roleOf(n) !== Role.subagent) continue;
    const { id, data } = entryAt(n) as CustomEntry;
    if (!isRecord(data) || data.agent !== "bough" || isLiveAgent(session, id)) continue;
    const { toolCallId, callEntryId, meta } = data;
    if (typeof toolCallId !== "string" || typeof callEntryId !== "string" || hasEnd(session, id)) continue;
    const about = isRecord(meta) ? meta : {};
    const description = typeof about.description === "string" ? about.description : "";
    found.push({ id, toolCallId, callEntryId, description, background: about.background === true });
  }
  return found;
}

function hasEnd(session: SessionManager, id: EntryId): boolean {
  return session.getChildren(id).some((entry) => entry.type === "custom" && entry.customType === SUBAGENT_END_TYPE);
}

/** Calls of the last answer that have no result yet. */
function waitingCalls(session: SessionManager): ReadonlySet<string> {
  const answered = new Set<string>();
  for (const entry of upwards(session, session.getLeafId())) {
    if (entry.type !== "message") continue;
    if (entry.message.role === "toolResult") answered.add(entry.message.toolCallId);
    else return new Set(callsIn(entry).flatMap(({ id }) => (answered.has(id) ? [] : [id])));
  }
  return new Set();
}
