/** Looks for turns of other agents whose Bough was killed. Every start does, so what settles them is loaded if there are any. */
import { hasLeftTurns } from "../../driver/door.js";
import type { Parts } from "./take-in-turns.js";

/** Settles them. Call it before anything is recorded about files. Returns the calls of those that the leaf follows. */
export async function takeInTurns(state: Parts): Promise<readonly string[]> {
  const { session } = state;
  const file = session.getSessionFile();
  if (file === undefined || session.getReadOnlyReason() !== undefined || !hasLeftTurns(file)) return [];
  const { settleLeftTurns } = await import("./take-in-turns.js");
  return settleLeftTurns(state, file);
}
