/** Reports when a file changes, vanishes, reappears or is replaced, by watching its folder or by polling. */
import { type BigIntStats, existsSync, type FSWatcher, realpathSync, statSync, watch } from "node:fs";
import { dirname, resolve } from "node:path";

export interface FileChange {
  /** `replaced`: another file now has the name. `changed`: the same file has different bytes, usually more. */
  readonly kind: "changed" | "vanished" | "appeared" | "replaced";
  /** The file's current size in bytes; 0 if it vanished. */
  readonly size: number;
}

export interface Watch {
  /** How changes are currently detected. `watch` becomes `poll` when the system stops reporting. */
  readonly mode: "watch" | "poll";
  /** Stops for good. Nothing is reported afterwards. */
  close(): void;
}

export interface WatchFileOptions {
  readonly signal?: AbortSignal;
  /** Time between two checks when polling. */
  readonly pollMs?: number;
  /** `auto` watches if the system can, otherwise polls. */
  readonly mode?: "auto" | "poll";
}

/** A burst of events within this time costs one check. */
const BURST_MS = 20;
/** Network and overlay file systems lose events, so a watched file is also polled now and then. */
const SAFETY_MS = 5_000;

/**
 * Calls `onChange` after the file changed, compared with its state when this function returned or when it was last
 * reported. Several quick changes may arrive as a single report of the difference between before and after. The file
 * need not exist. Nothing here keeps the process alive, and an aborted signal closes the watch.
 *
 * A caller that reads the file should read once more after this returns: earlier writes are not reported.
 */
export function watchFile(file: string, onChange: (change: FileChange) => void, options: WatchFileOptions = {}): Watch {
  const { signal, pollMs = 1_000 } = options;
  const path = resolve(file);
  let closed = false;
  let folder: WatchedFolder | undefined;
  let burst: NodeJS.Timeout | undefined;

  function look(): void {
    clearTimeout(burst);
    burst = undefined;
    if (closed) return;
    const now = stateOf(path, { otherwise: last });
    const kind = differenceBetween(last, now);
    last = now;
    // A watch stays with the folder it was opened on. If that folder is gone, only polling sees its successor.
    if (kind !== "changed" && folder !== undefined && !isSameFolder(folder)) startPolling();
    if (kind !== undefined) onChange({ kind, size: Number(now?.size ?? 0n) });
  }

  function lookSoon(): void {
    if (!closed) burst ??= setTimeout(look, BURST_MS).unref();
  }

  function startPolling(): void {
    folder?.watcher.close();
    folder = undefined;
    clearInterval(timer);
    timer = setInterval(look, pollMs).unref();
  }

  function close(): void {
    closed = true;
    folder?.watcher.close();
    clearInterval(timer);
    clearTimeout(burst);
    signal?.removeEventListener("abort", close);
  }

  // The folder is watched before the first check, so that no change is missed in between.
  folder = options.mode === "poll" ? undefined : watchFolderOf(path, lookSoon);
  folder?.watcher.on("error", () => {
    if (closed) return;
    startPolling();
    lookSoon();
  });
  let last = stateOf(path, { otherwise: undefined });
  let timer = setInterval(look, folder === undefined ? pollMs : SAFETY_MS).unref();
  if (signal?.aborted) close();
  else signal?.addEventListener("abort", close, { once: true });

  return {
    get mode() {
      return folder === undefined ? "poll" : "watch";
    },
    close,
  };
}

interface WatchedFolder {
  readonly path: string;
  readonly watcher: FSWatcher;
  readonly state: BigIntStats | undefined;
}

/**
 * Watches the folder rather than the file, because a watch on a file stays with the old bytes after a rename over it.
 * Undefined if the system refuses: no such folder, no watches left, an unsupported file system.
 */
function watchFolderOf(path: string, onEvent: () => void): WatchedFolder | undefined {
  try {
    const folder = dirname(existsSync(path) ? realpathSync(path) : path);
    const watcher = watch(folder, { persistent: false }, onEvent);
    return { path: folder, watcher, state: stateOf(folder, { otherwise: undefined }) };
  } catch {
    return undefined;
  }
}

function isSameFolder({ path, state }: WatchedFolder): boolean {
  const now = stateOf(path, { otherwise: state });
  return now === state || (now !== undefined && state !== undefined && isSameFile(state, now));
}

/** The stats of the path; undefined if nothing is there. If it cannot be checked right now, it is assumed unchanged. */
function stateOf(path: string, { otherwise }: { otherwise: BigIntStats | undefined }): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return otherwise;
  }
}

function differenceBetween(
  before: BigIntStats | undefined,
  after: BigIntStats | undefined,
): FileChange["kind"] | undefined {
  if (before === undefined || after === undefined) {
    if (before === after) return undefined;
    return after === undefined ? "vanished" : "appeared";
  }
  if (!isSameFile(before, after)) return "replaced";
  return before.size === after.size && before.mtimeNs === after.mtimeNs ? undefined : "changed";
}

function isSameFile(before: BigIntStats, after: BigIntStats): boolean {
  if (before.ino !== after.ino || before.dev !== after.dev) return false;
  // A deleted file's inode is often given to the next file; the birth time distinguishes them. A system without birth
  // times may repeat the change time, which says nothing.
  const hasBirth = before.birthtimeNs !== before.ctimeNs || after.birthtimeNs !== after.ctimeNs;
  return !hasBirth || before.birthtimeNs === after.birthtimeNs;
}
