/** Signals to a whole process group. */
import { setTimeout as pause } from "node:timers/promises";
import { systemCode } from "../tool-failure.js";

const LOOK_AGAIN_MS = 10;

/** Nothing happens where the group is gone already. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** Also true while ended processes of the group wait for their parent to take notice. */
export function groupIsAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    // macOS answers so for a group of processes that have ended.
    return systemCode(error) === "EPERM" && process.platform !== "darwin";
  }
}

/** Waits until the group is gone, at most so long; false where it is still there. */
export async function groupIsGone(group: number, atMostMs: number): Promise<boolean> {
  for (let waited = 0; groupIsAlive(group); waited += LOOK_AGAIN_MS) {
    if (waited >= atMostMs) return false;
    await pause(LOOK_AGAIN_MS);
  }
  return true;
}
