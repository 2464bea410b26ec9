/** Adds what agents did in turns whose Bough was killed. */
import { setTimeout as pause } from "node:timers/promises";
import { Kind, kindOf } from "@bough/session/entry/index.js";
import { isGroupAlive } from "@bough/session/log/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { type Grown, readGrown } from "@bough/workbench/interop/internal.js";
import { claimTurns, NativeSessions, NativeTranscripts, settleTurn, type TurnRecord } from "../../driver/internal.js";
import { stopGroup } from "../../tool/internal.js";
import type { RunParts } from "../run-parts.js";
import { settlingParts } from "./settling-parts.js";
import { turnCall } from "./turn-watch.js";

export type Parts = Pick<RunParts, "session" | "files" | "emit" | "hooks" | "onLeftAgent">;

/**
 * Settles turns that dead processes left next to the session, from their journal and the agent's own transcript. The leaf follows only if it is still where the turn began; returns the calls
 * of such turns.
 */
export async function settleLeftTurns(state: Parts, file: string): Promise<readonly string[]> {
  const { session } = state;
  const calls: string[] = [];
  for (const { record, remove } of claimTurns(file, (name) => tellOther(state, name))) {
    if (record.head.sessionId !== session.getSessionId()) continue;
    await whenGone(state, record);
    const follows = isThere(state, record.head);
    await settleTurn({ ...settlingParts(state), leaf: follows ? "moves" : "stays" }, record, await grownOf(record));
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

/** How long an agent may take to notice that its Bough is gone. */
const LEAVE_MS = 1000;
const POLL_MS = 50;

/** Its transcript is read once it writes no more: it ends by itself, or the user is asked whether to stop it. */
async function whenGone({ onLeftAgent, emit }: Parts, { head }: TurnRecord): Promise<void> {
  const { process: left, driver } = head;
  if (left === undefined) return;
  for (let waited = 0; waited < LEAVE_MS && isGroupAlive(left); waited += POLL_MS) await pause(POLL_MS);
  if (!isGroupAlive(left)) return;
  if ((await onLeftAgent?.({ agent: driver, group: left.pid })) !== "wait") return stopGroup(left.pid);
  const hint = `Stop it with: kill -- -${left.pid}`;
  emit({ type: "notice", level: "info", message: `Waiting for ${driver} to end its turn`, hint });
  while (isGroupAlive(left)) await pause(POLL_MS);
}

/** Said once on this machine: it can only be settled by the version that wrote it. */
function tellOther({ session, files, emit }: Parts, name: string): void {
  const home = files?.options.home ?? boughHome();
  const table = new NativeSessions(home, { id: session.getSessionId(), isPersisted: session.isPersisted() });
  if (!table.isNewJournal(name)) return;
  emit({
    type: "notice",
    level: "warning",
    message: `A turn of another agent was recorded by another version of Bough, and is not in the session: ${name}`,
    hint: "The file next to the session is kept. Open the session once with that version to add it.",
  });
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
