/** Whether file times can be compared with the clock of this process. */
import { statSync } from "node:fs";
import { attempt } from "@bough/session/text/index.js";
import { hasTimedFolders } from "../scan/folder-keys.js";

/** A moment on the system clock, which files are dated with, and on a monotonic clock. In milliseconds. */
export interface Moment {
  readonly at: number;
  readonly up: number;
}

export function thisMoment(): Moment {
  return { at: Date.now(), up: performance.now() };
}

/** How far two clocks may drift apart without one of them having been changed. */
const DRIFT_MS = 500;

/** Whether the clock was changed, or the machine was asleep, between two moments of the same process. */
export function isJump(a: Moment, b: Moment): boolean {
  return Math.abs(b.at - a.at - (b.up - a.up)) > DRIFT_MS;
}

/** File times have a limited resolution, so they may be this far behind the clock. */
export const TICK_MS = 50;

/**
 * Whether files below the root are dated by this machine's clock, not by that of a file server. `written` is a file
 * that was just written, at `at`.
 */
export function isDatedHere(root: string, { written, at }: { readonly written: string; readonly at: number }): boolean {
  if (hasTimedFolders(root)) return true;
  const own = attempt(() => statSync(written));
  const device = attempt(() => statSync(root).dev);
  return own !== undefined && own.dev === device && Math.abs(own.ctimeMs - at) <= TICK_MS;
}
