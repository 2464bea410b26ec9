/** Tells when a file changes, vanishes, comes back or is replaced, by watching its folder or by looking regularly. */
import { type BigIntStats, existsSync, type FSWatcher, realpathSync, statSync, watch } from "node:fs";
import { dirname, resolve } from "node:path";

export interface FileChange {
  /** `replaced`: another file now has the name. `changed`: the same file has other bytes, usually more. */
  readonly kind: "changed" | "vanished" | "appeared" | "replaced";
  /** Bytes in the file now; 0 when it vanished. */
  readonly size: number;
}

export interface Watch {
  /** How changes are noticed now. `watch` turns into `poll` when the system stops reporting. */
  readonly mode: "watch" | "poll";
  /** Stops for good. Nothing is reported afterwards. */
  close(): void;
}

export interface WatchFileOptions {
  readonly signal?: AbortSignal;
  /** Time between two looks when polling. */
  readonly pollMs?: number;
  /** `auto` watches where the system can and polls elsewhere. */
  readonly mode?: "auto" | "poll";
}

/** A burst of events within this time costs one look. */
const BURST_MS = 20;
/** Network and overlay file systems lose events, so a watch is checked now and then as well. */
const SAFETY_MS = 5_000;

/**
 * Calls `onChange` after the file changed, compared with how it was when this function returned or was last
 * reported. Several quick changes may arrive as one report that tells the difference between before and after. The
 * file need not exist. Nothing here keeps the process alive, and an aborted signal closes the watch.
 *
 * A caller that reads the file should read once more after this returns: what was written before is not reported.
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
    // A watch stays with the folder it was opened on. When that one is gone, its successor is only seen by polling.
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

  // The folder is watched before the first look, so that no change falls between the two.
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
 * The folder and not the file, because a watch on a file stays with the old bytes after a rename over it. Undefined
 * where the system refuses: no such folder, no watches left, a file system that cannot.
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

/** What is at the path; undefined when nothing is. A path that cannot be asked right now is taken to be as it was. */
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
  // A deleted file's number is often given to the next one; the time of birth tells them apart. Where the system
  // knows no time of birth it may repeat the time of the last change, which says nothing.
  const hasBirth = before.birthtimeNs !== before.ctimeNs || after.birthtimeNs !== after.ctimeNs;
  return !hasBirth || before.birthtimeNs === after.birthtimeNs;
}
