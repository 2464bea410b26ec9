/** Finds rollout files on disk. */
import { basename, dirname, join } from "node:path";
import { itemsIn } from "@bough/session/log/index.js";

const NAME = /\.jsonl(?:\.zst)?$|^rollout-.*\.json$/;

export function isRolloutName(name: string): boolean {
  return NAME.test(name);
}

const DATED = /^rollout-\d{4}-\d\d-\d\d.*\.(?:jsonl|jsonl\.zst|json)$/;

/** Whether only a rollout would have this name. */
export function isDatedName(name: string): boolean {
  return DATED.test(name);
}

/** The `sessions` or `archived_sessions` folder that contains a rollout. */
export function rootAbove(path: string): string | undefined {
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    const name = basename(folder);
    if (name === "sessions" || name === "archived_sessions") return folder;
  }
  return undefined;
}

/** Both folders of a Codex home with rollouts, since a thread may continue one that was archived. */
function rolloutRoots(home: string): string[] {
  return ["sessions", "archived_sessions"].map((name) => join(home, name));
}

/** All rollouts of its Codex home, or the files next to it if it is elsewhere. Their names sort by time. */
export function rolloutsAround(path: string): string[] {
  const root = rootAbove(path);
  return root === undefined ? rolloutsIn(dirname(path)) : rolloutsOf(dirname(root));
}

/** All rollouts of a Codex home. */
export function rolloutsOf(home: string): string[] {
  return rolloutRoots(home).flatMap(rolloutsBelow).sort(byName);
}

const THREAD_IN_NAME = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_[^.]*)?\.jsonl/;

/** The thread ID in a file name. */
export function threadInName(path: string): string | undefined {
  return THREAD_IN_NAME.exec(basename(path))?.[1];
}

function rolloutsBelow(root: string): string[] {
  const files: string[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const item of itemsIn(folder)) if (item.isDirectory()) folders.push(join(folder, item.name));
    for (const file of rolloutsIn(folder)) files.push(file);
  }
  return files.sort(byName);
}

function byName(a: string, b: string): number {
  return basename(a) < basename(b) ? -1 : 1;
}

function rolloutsIn(folder: string): string[] {
  const items = itemsIn(folder).filter((item) => item.isFile() && isRolloutName(item.name));
  return items.map((item) => join(folder, item.name)).sort();
}
