/**
 * Asks the disk off the event loop. A few at a time, because the threads that wait are shared with all other work on
 * files and with name look-ups; and no descriptor is closed while the disk is asked about it.
 */
import { closeSync, fdatasync } from "node:fs";

const AT_ONCE = 2;

let running = 0;
const queued: (() => void)[] = [];
/** Descriptors that are waited for, by how many, and those of them that are to be closed then. */
const waitedFor = new Map<number, number>();
const closing = new Set<number>();

/** Answers when everything written to the descriptor so far is on the medium. */
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

/** Closes a descriptor, at once or when nothing waits for it any more. */
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
