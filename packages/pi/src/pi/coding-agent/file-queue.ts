/** Serializes changes to a file, so that two tools never overwrite each other's work. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { attempt } from "@bough/session/text/index.js";

const waiting = new Map<string, Promise<unknown>>();

/** Runs after all earlier calls for the same file have ended. Calls for different files run concurrently. */
export async function withFileMutationQueue<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const file = resolve(path);
  // All links to a file share its key; a file that does not exist yet is identified by its path.
  const key = attempt(() => realpathSync(file)) ?? file;
  const before = waiting.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  const settled = mine.then(
    () => {},
    () => {},
  );
  waiting.set(key, settled);
  try {
    return await mine;
  } finally {
    if (waiting.get(key) === settled) waiting.delete(key);
  }
}
