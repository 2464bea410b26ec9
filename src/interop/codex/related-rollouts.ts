/** The other files a thread is made of: what it continues from, and the sub-agents it started. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type { RolloutHead } from "./rollout-head.js";
import type { RolloutIdentity } from "./rollout-record.js";

interface Neighbours {
  /** Sorted by name, and so by time. */
  readonly files: readonly string[];
  head(path: string): Promise<RolloutHead | undefined>;
  /** The rollouts of sub-agents, by the thread that started them, for callers that have opened all files anyway. */
  readonly subagents?: ReadonlyMap<string, readonly string[]>;
}

export async function relatedRollouts(
  path: string,
  identity: RolloutIdentity | undefined,
  neighbours: Neighbours,
): Promise<string[]> {
  if (identity === undefined) return [];
  const before = await historyBefore(path, identity, neighbours);
  const isOther = (file: string): boolean => file !== path && !before.includes(file);
  const started = await startedBy(path, identity, neighbours);
  return [...before, ...started.filter(isOther)];
}

async function historyBefore(path: string, identity: RolloutIdentity, { files, head }: Neighbours): Promise<string[]> {
  const related: string[] = [];
  for (let base = identity.base; base !== undefined; ) {
    const { thread } = base;
    const file = files.find((name) => basename(name).includes(thread) && name !== path && !related.includes(name));
    if (file === undefined) break;
    related.push(file);
    base = (await head(file))?.identity?.base;
  }
  return related;
}

/** A sub-agent may start others. It starts later than they who started it, so one walk meets parents first. */
async function startedBy(path: string, identity: RolloutIdentity, neighbours: Neighbours): Promise<string[]> {
  const { subagents, head } = neighbours;
  const until = statSync(path).mtimeMs;
  const threads = new Set([identity.id]);
  const started: string[] = [];
  const take = async (file: string): Promise<void> => {
    if (file === path || started.includes(file) || !mayHaveStarted(file, path, until)) return;
    const other = (await head(file))?.identity;
    if (other?.isSubagent !== true || other.parentThread === undefined || !threads.has(other.parentThread)) return;
    threads.add(other.id);
    started.push(file);
  };
  if (subagents === undefined) for (const file of neighbours.files) await take(file);
  // The set grows while it is walked.
  else for (const thread of threads) for (const file of subagents.get(thread) ?? []) await take(file);
  return started.sort();
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
