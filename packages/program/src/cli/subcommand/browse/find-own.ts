/** Finds Bough's own sessions for a list: of a folder, of all folders, or of the archive. */
import type { SessionError } from "@bough/session/entry/index.js";
import { listAllSessions, listSessions, type OnListProgress, sessionFolder } from "@bough/session/session/index.js";
import { archivedSessions } from "@bough/workbench/find/index.js";
import type { SubcommandCall } from "../subcommand.js";
import type { ListedSession } from "./listed-session.js";

export interface FoundSessions {
  readonly sessions: readonly ListedSession[];
  readonly total: number;
  /** Other ids that a prefix must be distinguished from. */
  readonly otherIds?: readonly string[];
  /** Folders that could not be read, as `read-failed`; their sessions are missing from the list. */
  readonly closed?: readonly SessionError[];
}

interface OwnListOptions {
  readonly folders: "this" | "all";
  /** Stops reading early: files come most recently written first. */
  readonly most?: number | undefined;
}

export async function findOwn(
  { places, signal }: Pick<SubcommandCall, "places" | "signal">,
  { folders, most }: OwnListOptions,
): Promise<FoundSessions> {
  const everywhere = folders === "all";
  const sessions: ListedSession[] = [];
  let total = 0;
  const enough = new AbortController();
  const closed: SessionError[] = [];
  const onUnreadable = (error: SessionError) => void closed.push(error);
  const options = { signal: AbortSignal.any([signal, enough.signal]), onUnreadable };
  const take: OnListProgress = (_done, files, info) => {
    total = files;
    if (info !== undefined && !enough.signal.aborted) sessions.push({ info });
    if (sessions.length === most) enough.abort();
  };
  try {
    if (everywhere) await listAllSessions(take, options);
    else await listSessions(places.dir ?? sessionFolder(places.cwd), take, options);
  } catch (error) {
    if (!enough.signal.aborted || signal.aborted) throw error;
  }
  return { sessions, total: enough.signal.aborted ? total : sessions.length, closed };
}

export async function findArchived(): Promise<FoundSessions> {
  const closed: SessionError[] = [];
  const sessions: ListedSession[] = await archivedSessions({ onUnreadable: (error) => closed.push(error) });
  return { sessions, total: sessions.length, closed };
}
