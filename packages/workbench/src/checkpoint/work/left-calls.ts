/** When a call of another process may have changed files. */
import { isGroupAlive } from "@bough/session/log/index.js";
import type { JournalCall } from "./calls-in.js";
import { SIGN_MS, type WorkFolder } from "./work-folder.js";

export interface Span {
  /** Milliseconds; the end is infinite while it runs. */
  readonly from: number;
  readonly to: number;
  /** False if the clock was set meanwhile, or files are dated by another one: then it may have been any time. */
  readonly isCertain: boolean;
}

/**
 * A command that runs on after its process was killed ends when its process group does. If that has ended as well, no one
 * knows when: it counts up to the last sign of life.
 */
export function spanOf(call: JournalCall, { isAtWork, seenAt }: Pick<WorkFolder, "isAtWork" | "seenAt">): Span {
  const { from, to, groups, isJumped } = call;
  const isRunning = groups.some(isGroupAlive);
  const last = isRunning || (to === undefined && isAtWork) ? Number.POSITIVE_INFINITY : seenAt + SIGN_MS;
  const isOver = to !== undefined && !isRunning;
  return { from: from.at, to: isOver ? to.at : last, isCertain: !isJumped };
}
