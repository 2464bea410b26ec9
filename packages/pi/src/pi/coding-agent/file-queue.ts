/** One change of a file at a time, so that two tools never write over each other's work. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { attempt } from "@bough/session/text/index.js";

const waiting = new Map<string, Promise<unknown>>();

/** Runs after every earlier call for the same file has ended. Calls for different files run at once. */
export async function withFileMutationQueue<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const file = resolve(path);
  // Links to one file are that file; one that is not there yet is its path.
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
