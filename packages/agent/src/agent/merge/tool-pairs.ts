import { callsIn, type EntryId, resultIn, roleIn, type SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";

type PairedSession = Pick<SessionManager, "getEntry" | "getChildren">;

/**
 * The entry with what belongs to it: the answer with its tool calls and all of their results, in the order of the calls.
 *
 *     answer(call 1, call 2) ─ result 2 ─ result 1       any of the three gives: answer, result 1, result 2
 *
 * Any other entry is alone. A call that never got a result has none here, and a result without its call is alone:
 * the context is repaired when it is built.
 */
export function wholePair(session: PairedSession, entry: SessionEntry): SessionEntry[] {
  const result = resultIn(entry);
  const answer = result === undefined ? entry : (callerOf(session, entry) ?? entry);
  const calls = callsIn(answer);
  if (calls.length === 0) return [entry];
  const results = resultsBelow(session, answer);
  // If a turn was forked in the middle, use the named result.
  if (result !== undefined) results.set(result.toolCallId, entry);
  const whole = [answer];
  for (const call of calls) {
    const found = results.get(call.id);
    if (found !== undefined && !whole.includes(found)) whole.push(found);
  }
  return whole;
}

function callerOf(session: PairedSession, entry: SessionEntry): SessionEntry | undefined {
  const id = resultIn(entry)?.toolCallId;
  for (const above of upwards(session, entry.parentId)) {
    if (callsIn(above).some((call) => call.id === id)) return above;
    if (roleIn(above) === "user") return undefined;
  }
  return undefined;
}

/** The first result of each call below an answer, skipping only bookkeeping and other results. */
function resultsBelow(session: PairedSession, answer: SessionEntry): Map<string, SessionEntry> {
  const results = new Map<string, SessionEntry>();
  const wanted = new Set(callsIn(answer).map((call) => call.id));
  const queue: EntryId[] = [answer.id];
  for (let i = 0; i < queue.length; i++) {
    for (const child of session.getChildren(queue[i] as EntryId)) {
      const result = resultIn(child);
      if (result !== undefined && wanted.has(result.toolCallId) && !results.has(result.toolCallId)) {
        results.set(result.toolCallId, child);
      }
      const role = roleIn(child);
      if (role !== "user" && role !== "assistant") queue.push(child.id);
    }
  }
  return results;
}
