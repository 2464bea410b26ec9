/** Adds what agents did in turns whose Bough was killed. */
import { Kind, kindOf } from "@bough/session/entry/index.js";
import { isGroupAlive } from "@bough/session/log/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { type Grown, readGrown } from "@bough/workbench/interop/internal.js";
import { claimTurns, NativeTranscripts, settleTurn, type TurnRecord } from "../../driver/internal.js";
import { stopGroup } from "../../tool/internal.js";
import type { RunParts } from "../run-parts.js";
import { settlingParts } from "./driven-turn.js";
import { turnCall } from "./turn-watch.js";

export type Parts = Pick<RunParts, "session" | "files" | "emit">;

/**
 * Settles turns that dead processes left next to the session, from their journal and the agent's own transcript. The leaf follows only if it is still where the turn began; returns the calls
 * of such turns.
 */
export async function settleLeftTurns(state: Parts, file: string): Promise<readonly string[]> {
  const { session } = state;
  const calls: string[] = [];
  for (const { record, remove } of claimTurns(file)) {
    if (record.head.sessionId !== session.getSessionId()) continue;
    await stopAgent(record);
    const follows = isThere(state, record.head);
    await settleTurn({ ...settlingParts(state), leafStays: !follows }, record, await grownOf(record));
    if (follows) calls.push(turnCall(record.head), ...record.calls.keys());
    else session.recordPosition();
    remove();
    state.emit({
      type: "notice",
      level: "warning",
      message: `Bough was stopped during a turn of ${record.head.driver}; what it did was added`,
      hint: 'Say "continue", or go back and ask again.',
    });
  }
  return calls;
}

/** Its transcript is read once it writes no more. */
async function stopAgent({ head }: TurnRecord): Promise<void> {
  if (head.process !== undefined && isGroupAlive(head.process)) await stopGroup(head.process.pid);
}

/** Whether nothing was said since, except what an earlier start added of this turn before it was killed. */
function isThere({ session }: Parts, { leaf, nativeId }: TurnRecord["head"]): boolean {
  for (const entry of upwards(session, session.getLeafId())) {
    if (entry.id === leaf) return true;
    const isOwn = (entry as { readonly native?: string }).native?.startsWith(`${nativeId}/`) === true;
    if (!isOwn && kindOf(entry) < Kind.custom) return false;
  }
  return leaf === null;
}

async function grownOf({ head, cuts }: TurnRecord): Promise<Grown | undefined> {
  const { transcripts, nativeId, home, mark } = head;
  if (transcripts === undefined) return undefined;
  try {
    const env = home === undefined ? process.env : { ...process.env, HOME: home };
    const source = await new NativeTranscripts(env).find(transcripts, nativeId);
    return source === undefined ? undefined : await readGrown(source, { since: mark, cuts });
  } catch {
    // Gone, or damaged: what the protocol had counts.
    return undefined;
  }
}
