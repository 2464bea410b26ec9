/** Keeps sessions that Bough wrote from being those that the user's own `--continue` or `--last` finds. */
import { statSync, utimesSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { namesIn } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";

const MINUTE_MS = 60_000;
/** Claude Code deletes transcripts that were not changed for 30 days. */
const MOST_MS = 20 * 24 * 60 * MINUTE_MS;

/**
 * Gives a transcript an earlier time than the newest other one in its folder: agents continue the one that was changed
 * last. Never throws.
 */
export function ageTranscript(path: string): void {
  const folder = dirname(path);
  const now = Date.now();
  const times = namesIn(folder).flatMap((name) => {
    const other = join(folder, name);
    const stats = other === path || extname(name) !== extname(path) ? undefined : attempt(() => statSync(other));
    return stats?.isFile() === true ? [stats.mtimeMs] : [];
  });
  if (times.length === 0) return;
  const newest = times.reduce((latest, time) => Math.max(latest, time));
  const aged = new Date(Math.max(Math.min(newest, now) - MINUTE_MS, now - MOST_MS));
  attempt(() => utimesSync(path, aged, aged));
}
