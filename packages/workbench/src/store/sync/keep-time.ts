/** Lists and `bough -c` go by when a session was worked on, not by when its entries arrived here. */
import { statSync, utimesSync } from "node:fs";
import { attempt } from "@bough/session/text/index.js";
import type { NewLine } from "./unite.js";

/** When a file was last written to, in milliseconds; 0 if it is not there. */
export function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Gives a file the time it had before lines were added, or that of the newest of them. A clock that is ahead elsewhere
 * does not keep a session at the top.
 */
export function keepTime(file: string, before: number, lines: readonly Pick<NewLine, "facts">[]): void {
  let newest = before;
  for (const { facts } of lines) {
    const { timestamp } = facts.record;
    const at = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
    if (at > newest) newest = at;
  }
  if (newest === 0) return;
  const seconds = Math.min(newest, Date.now()) / 1_000;
  // A file system that keeps no times costs an order, nothing else.
  attempt(() => utimesSync(file, seconds, seconds));
}
