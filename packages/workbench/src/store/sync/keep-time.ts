/**
 * Keeps file times at the last work on a session, not the arrival of its entries: lists and `bough -c` sort by them.
 */
import { statSync, utimesSync } from "node:fs";
import { attempt } from "@bough/session/text/index.js";
import type { NewLine } from "./unite.js";

/** When a file was last written to, in milliseconds; 0 if it does not exist. */
export function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Sets a file's time to that of the newest added line, or back to what it was before if that is later. Limited to now,
 * so that another machine's fast clock does not keep the session at the top.
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
  // On a file system that cannot set times, only the order of lists suffers.
  attempt(() => utimesSync(file, seconds, seconds));
}
