/** Whether the times of files say when they changed, compared with the clock of this process. */
import { statSync } from "node:fs";
import { attempt } from "@bough/session/text/index.js";
import { hasTimedFolders } from "../scan/folder-keys.js";

/** A moment on the clock that files are dated with, and on one that no one can set. In milliseconds. */
export interface Moment {
  readonly at: number;
  readonly up: number;
}

export function thisMoment(): Moment {
  return { at: Date.now(), up: performance.now() };
}

/** How far two clocks drift apart without one of them having been set. */
const DRIFT_MS = 500;

/** Whether the clock was set, or the machine asleep, between two moments of the same process. */
export function isJump(a: Moment, b: Moment): boolean {
  return Math.abs(b.at - a.at - (b.up - a.up)) > DRIFT_MS;
}

/** File systems count time in steps, and may be behind the clock by one. */
export const TICK_MS = 50;

/**
 * Whether files below the root are dated by the clock of this machine. A file server has its own. `written` is a file
 * that was written just now, at `at`.
 */
export function isDatedHere(root: string, { written, at }: { readonly written: string; readonly at: number }): boolean {
  if (hasTimedFolders(root)) return true;
  const own = attempt(() => statSync(written));
  const device = attempt(() => statSync(root).dev);
  return own !== undefined && own.dev === device && Math.abs(own.ctimeMs - at) <= TICK_MS;
}
