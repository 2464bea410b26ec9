/** Lists sessions from the head and the tail of each file: a long session costs no more than a short one. */

import { setImmediate } from "node:timers/promises";
import { SessionError } from "../entry/index.js";
import { sessionsRoot } from "./locations.js";
import { type SessionFileStat, sessionFilesIn } from "./most-recent.js";
import { type SessionInfo, sessionInfo } from "./session-info.js";
import { type OnUnreadable, projectFolders } from "./sessions-folder.js";

export type { SessionInfo } from "./session-info.js";

/** Called after each file with the number done, the total, and the session, if the file holds one. */
export type OnListProgress = (done: number, total: number, info: SessionInfo | undefined) => void;

export interface ListOptions {
  readonly signal?: AbortSignal;
  /**
   * Called for each file or (when listing all folders) project folder that cannot be read; the others are still listed.
   * Without it, an unreadable folder fails the list and an unreadable file is skipped.
   */
  readonly onUnreadable?: OnUnreadable;
}

/** Yield to other work after this many files. */
const FILES_PER_TURN = 32;

/**
 * The sessions of one folder, newest first; empty if the folder does not exist. Rejects with `read-failed` if it exists
 * but cannot be read.
 */
export async function listSessions(
  dir: string,
  onProgress?: OnListProgress,
  options?: ListOptions,
): Promise<SessionInfo[]> {
  return readAll(sessionFilesIn(dir), onProgress, options);
}

/**
 * The sessions of all folders under `$BOUGH_HOME/sessions`, newest first. Rejects with `read-failed` like
 * `listSessions`.
 */
export async function listAllSessions(onProgress?: OnListProgress, options?: ListOptions): Promise<SessionInfo[]> {
  const files: SessionFileStat[] = [];
  for (const { folder, names } of projectFolders(sessionsRoot(), options?.onUnreadable)) {
    for (const file of sessionFilesIn(folder, names)) files.push(file);
  }
  files.sort((a, b) => b.modifiedMs - a.modifiedMs);
  return readAll(files, onProgress, options);
}

async function readAll(
  files: readonly SessionFileStat[],
  onProgress: OnListProgress | undefined,
  options: ListOptions = {},
): Promise<SessionInfo[]> {
  const found: SessionInfo[] = [];
  for (const [i, file] of files.entries()) {
    if (i % FILES_PER_TURN === 0) await setImmediate();
    if (options.signal?.aborted) throw new SessionError("aborted", "Listing was stopped");
    const info = sessionInfo(file, options.onUnreadable);
    if (info !== undefined) found.push(info);
    onProgress?.(i + 1, files.length, info);
  }
  return found.sort((a, b) => b.modified.getTime() - a.modified.getTime());
}
