/** When a call of another process may have changed files. */
import { isGroupAlive } from "@bough/session/log/index.js";
import type { JournalCall } from "./calls-in.js";
import { SIGN_MS, type WorkFolder } from "./work-folder.js";

export interface Span {
  /** Milliseconds; the end is infinite while the call is running. */
  readonly from: number;
  readonly to: number;
  /** False if the clock was changed meanwhile, or files are dated by another clock: any time is then possible. */
  readonly isCertain: boolean;
}

/**
 * A command that outlives its killed process ends with its process group. If that has ended too, the end is unknown,
 * and the last sign of life counts.
 */
export function spanOf(call: JournalCall, { isAtWork, seenAt }: Pick<WorkFolder, "isAtWork" | "seenAt">): Span {
  const { from, to, groups, isJumped } = call;
  const isRunning = groups.some(isGroupAlive);
  const last = isRunning || (to === undefined && isAtWork) ? Number.POSITIVE_INFINITY : seenAt + SIGN_MS;
  const isOver = to !== undefined && !isRunning;
  return { from: from.at, to: isOver ? to.at : last, isCertain: !isJumped };
}
