/**
 * One restore at a time in a root, over all processes.
 *
 * The lock is a row of numbered files: the highest says who holds it, or that it is free. Whoever takes it makes the next
 * one, which only one can; so a lock that a killed process left behind is never taken by two.
 */
import { createHash, randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { hasNoLinks, isLeftBehind, makeFolder, namesIn, ownerMark, writeWhole } from "../../log/index.js";
import { attempt } from "../../text/index.js";
import { CheckpointError } from "../checkpoint-error.js";

const FREE = "free";
const POLL_MS = 20;
/** Longer than a restore of very many files takes. */
const PATIENCE_MS = 60_000;

export interface LockOptions {
  /** The folder of the store. */
  readonly store: string;
  readonly root: string;
  readonly signal?: AbortSignal;
  /** Default: a minute. */
  readonly patience?: number;
}

/** Runs `work` while nobody else restores in this root. Throws `restore-busy` if it takes too long to get there. */
export async function withRestoreLock<Result>(
  { store, root, signal, patience = PATIENCE_MS }: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const folder = join(store, "locks");
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  makeFolder(folder);
  const until = performance.now() + patience;
  let lock = tryLock(folder, name);
  while (lock === undefined) {
    if (performance.now() > until) {
      throw new CheckpointError("restore-busy", `Another session is restoring files in ${root}`, {
        data: { root },
        hint: "Nothing was changed. Try again when it is done.",
      });
    }
    await setTimeout(POLL_MS, undefined, signal === undefined ? {} : { signal });
    lock = tryLock(folder, name);
  }
  try {
    return await work();
  } finally {
    release(lock);
  }
}

function release(lock: string): void {
  try {
    writeWhole(lock, FREE, { existing: "replace", durable: false });
  } catch {
    // On a full disk: without a file it is free too.
    rmSync(lock, { force: true });
  }
}

/** The path of the lock, or undefined if someone else has it. */
function tryLock(folder: string, name: string): string | undefined {
  const numbers = namesIn(folder).flatMap((one) => numberIn(one, name));
  const last = Math.max(0, ...numbers);
  if (last > 0) {
    const holder = attempt(() => readFileSync(join(folder, `${name}.${last}`), "utf8"));
    if (holder !== undefined && holder !== FREE && !isLeftBehind(holder)) return undefined;
  }
  const path = join(folder, `${name}.${last + 1}`);
  if (!takeName(path)) return undefined;
  for (const number of numbers) rmSync(join(folder, `${name}.${number}`), { force: true });
  return path;
}

function numberIn(file: string, name: string): readonly number[] {
  const [first, number = ""] = file.split(".");
  return first === name && /^\d+$/.test(number) && file === `${name}.${number}` ? [Number(number)] : [];
}

/** Complete from the start, or not there. */
function takeName(path: string): boolean {
  const temporary = `${path}.${randomUUID().slice(0, 8)}.${ownerMark()}.new`;
  try {
    writeFileSync(temporary, ownerMark(), { flag: "wx", mode: 0o600 });
    try {
      linkSync(temporary, path);
    } catch (error) {
      if (!hasNoLinks(error)) throw error;
      writeFileSync(path, ownerMark(), { flag: "wx", mode: 0o600 });
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
