/** Whether what was read of a folder still holds: names in it come and go only together with its time of change. */
import { lstatSync } from "node:fs";
import { attempt } from "@bough/session/text/index.js";

export interface ReadFolder {
  readonly changed: number;
  readonly readAt: number;
}

/** A folder that changed this shortly before it was read may change again without a new time. */
const CLOCK_STEP_MS = 50;

/** Undefined if there is nothing at this path. */
export function changeOf(folder: string): number | undefined {
  return attempt(() => lstatSync(folder).ctimeMs);
}

export function isUnchanged(before: ReadFolder, changed: number): boolean {
  return before.changed === changed && changed < before.readAt - CLOCK_STEP_MS;
}
