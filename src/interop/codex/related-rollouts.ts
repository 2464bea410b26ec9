/** The other files a thread is made of: what it goes on from, and the sub-agents it started. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type { RolloutHead } from "./rollout-head.js";
import type { RolloutIdentity } from "./rollout-record.js";

export interface Neighbours {
  /** Sorted by name, and so by time. */
  readonly files: readonly string[];
  head(path: string): Promise<RolloutHead | undefined>;
}

export async function relatedRollouts(
  path: string,
  identity: RolloutIdentity | undefined,
  { files, head }: Neighbours,
): Promise<string[]> {
  if (identity === undefined) return [];
  const related: string[] = [];
  for (let base = identity.base; base !== undefined; ) {
    const { thread } = base;
    const file = files.find((name) => basename(name).includes(thread) && name !== path && !related.includes(name));
    if (file === undefined) break;
    related.push(file);
    base = (await head(file))?.identity?.base;
  }
  const threads = new Set([identity.id]);
  const until = statSync(path).mtimeMs;
  // A sub-agent may start others. It starts later than they who started it, so one walk meets parents first.
  for (const file of files) {
    if (file === path || related.includes(file) || !mayHaveStarted(file, path, until)) continue;
    const other = (await head(file))?.identity;
    if (other?.isSubagent !== true || other.parentThread === undefined || !threads.has(other.parentThread)) continue;
    threads.add(other.id);
    related.push(file);
  }
  return related;
}

const START = /^rollout-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)/;
/** Names are in local time, whichever that was. */
const ZONES = 26 * 60 * 60 * 1000;

/** Whether one rollout started while another was written: spares opening all files of all days. */
function mayHaveStarted(file: string, parent: string, until: number): boolean {
  const start = startOf(file);
  const begin = startOf(parent);
  if (start === undefined || begin === undefined) return true;
  return start >= begin && start <= until + ZONES;
}

function startOf(path: string): number | undefined {
  const match = START.exec(basename(path));
  return match === null ? undefined : Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`);
}
