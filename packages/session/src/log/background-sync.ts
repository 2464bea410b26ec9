/**
 * Syncs to disk off the event loop. Only a few at a time, because the waiting threads are shared with all other file
 * work and with name lookups. A descriptor is never closed while its sync is running.
 */
import { closeSync, fdatasync } from "node:fs";

const AT_ONCE = 2;

let running = 0;
const queued: (() => void)[] = [];
/** Descriptors with pending syncs and their number, and those to close afterwards. */
const waitedFor = new Map<number, number>();
const closing = new Set<number>();

/** Resolves when everything written to the descriptor so far is on the medium. */
export function syncInBackground(fd: number): Promise<void> {
  waitedFor.set(fd, (waitedFor.get(fd) ?? 0) + 1);
  return new Promise((resolve, reject) => {
    queued.push(() =>
      fdatasync(fd, (error) => {
        running -= 1;
        leave(fd);
        if (error === null) resolve();
        else reject(error);
        startNext();
      }),
    );
    startNext();
  });
}

/** Closes a descriptor, immediately or once its pending syncs are done. */
export function closeWhenSynced(fd: number): void {
  if (waitedFor.has(fd)) closing.add(fd);
  else closeSync(fd);
}

function startNext(): void {
  if (running >= AT_ONCE) return;
  const next = queued.shift();
  if (next === undefined) return;
  running += 1;
  next();
}

function leave(fd: number): void {
  const left = (waitedFor.get(fd) ?? 1) - 1;
  if (left > 0) {
    waitedFor.set(fd, left);
    return;
  }
  waitedFor.delete(fd);
  if (closing.delete(fd)) closeSync(fd);
}
