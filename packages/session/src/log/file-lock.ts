/**
 * A lock across all processes.
 *
 * The lock is a sequence of numbered files: the highest says who holds it, or that it is free. Taking the lock creates
 * the next file, which only one process can do, so a lock that a killed process left behind is never taken by two.
 */
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { attempt } from "../text/index.js";
import { makeFolder } from "./make-folder.js";
import { namesIn } from "./names-in.js";
import { isLeftBehind, isOwnerCheckable, ownerMark } from "./owner-mark.js";
import { hasNoLinks, writeWhole } from "./write-whole.js";

const FREE = "free";
const POLL_MS = 20;

export interface FileLockOptions {
  /** The folder of the lock's files; created if it does not exist. */
  readonly folder: string;
  /** Without dots. */
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for others. */
  readonly patience: number;
  /**
   * Milliseconds after which a holder that cannot be checked from here must have ended, such as a process of a
   * container that is gone. Default: wait for it.
   */
  readonly heldAtMost?: number;
  /** The error if others take longer. */
  readonly busy: () => Error;
}

/** Runs `work` while no one else holds the lock. */
export async function withFileLock<Result>(
  options: FileLockOptions,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  const { folder, signal, patience, busy } = options;
  makeFolder(folder);
  const until = performance.now() + patience;
  let lock = tryLock(options);
  while (lock === undefined) {
    if (performance.now() > until) throw busy();
    await setTimeout(POLL_MS, undefined, signal === undefined ? {} : { signal });
    lock = tryLock(options);
  }
  try {
    return await work();
  } finally {
    release(lock);
  }
}

/**
 * Like `withFileLock`, for synchronous work: the whole process waits. Leaves no lock files behind, so the lock can be
 * in a folder that is not ours.
 */
export function withFileLockSync<Result>(options: Omit<FileLockOptions, "signal">, work: () => Result): Result {
  const { folder, name, patience, busy } = options;
  makeFolder(folder);
  const until = performance.now() + patience;
  for (;;) {
    const lock = tryLock(options);
    try {
      // When lock files are removed, a number can occur again: the holder of a higher one was first.
      if (lock !== undefined && lock === join(folder, `${name}.${lastNumber(folder, name)}`)) return work();
    } finally {
      if (lock !== undefined) rmSync(lock, { force: true });
    }
    if (performance.now() > until) throw busy();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS / 4);
  }
}

function release(lock: string): void {
  try {
    writeWhole(lock, FREE, { existing: "replace", durable: false });
  } catch {
    // On a full disk: the lock is also free without a file.
    rmSync(lock, { force: true });
  }
}

/** The path of the lock, or undefined if someone else holds it. */
function tryLock({ folder, name, heldAtMost = Number.POSITIVE_INFINITY }: FileLockOptions): string | undefined {
  const numbers = namesIn(folder).flatMap((one) => numberIn(one, name));
  const last = Math.max(0, ...numbers);
  if (last > 0) {
    const file = join(folder, `${name}.${last}`);
    const holder = attempt(() => readFileSync(file, "utf8"));
    const isHeld = holder !== undefined && holder !== FREE && !isLeftBehind(holder);
    if (isHeld && (isOwnerCheckable(holder) || ageOf(file) <= heldAtMost)) return undefined;
  }
  const path = join(folder, `${name}.${last + 1}`);
  if (!createLockFile(path)) return undefined;
  for (const number of numbers) rmSync(join(folder, `${name}.${number}`), { force: true });
  return path;
}

function lastNumber(folder: string, name: string): number {
  return Math.max(0, ...namesIn(folder).flatMap((one) => numberIn(one, name)));
}

function ageOf(file: string): number {
  const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return since === undefined ? 0 : Date.now() - since;
}

function numberIn(file: string, name: string): readonly number[] {
  const [first, number = ""] = file.split(".");
  return first === name && /^\d+$/.test(number) && file === `${name}.${number}` ? [Number(number)] : [];
}

/** Creates the file with its content atomically; false if it exists. */
function createLockFile(path: string): boolean {
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
