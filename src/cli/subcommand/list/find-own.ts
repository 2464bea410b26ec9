/** Bough's own sessions for a list: of a folder, of all folders, or of the archive. */
import {
  archiveRoot,
  listAllSessions,
  listSessions,
  type OnListProgress,
  sessionFolder,
  sessionsRoot,
} from "../../../session/index.js";
import { archivedSessions } from "../../start/find-archived-session.js";
import { checkFolder } from "../session-argument.js";
import type { SubcommandCall } from "../subcommand.js";
import type { ListedSession } from "./listed-session.js";

export interface FoundSessions {
  readonly sessions: readonly ListedSession[];
  readonly total: number;
  /** Ids that the start of an id has to be told apart from, next to those of the sessions. */
  readonly otherIds?: readonly string[];
}

interface OwnListOptions {
  readonly folders: "this" | "all";
  /** Ends the reading early: files come in the order they were written to, newest first. */
  readonly most?: number | undefined;
}

export async function findOwn(
  { places, signal }: Pick<SubcommandCall, "places" | "signal">,
  { folders, most }: OwnListOptions,
): Promise<FoundSessions> {
  const everywhere = folders === "all";
  const folder = everywhere ? sessionsRoot() : (places.dir ?? sessionFolder(places.cwd));
  checkFolder(folder);
  const sessions: ListedSession[] = [];
  let total = 0;
  const enough = new AbortController();
  const options = { signal: AbortSignal.any([signal, enough.signal]) };
  const take: OnListProgress = (_done, files, info) => {
    total = files;
    if (info !== undefined && !enough.signal.aborted) sessions.push({ info });
    if (sessions.length === most) enough.abort();
  };
  try {
    if (everywhere) await listAllSessions(take, options);
    else await listSessions(folder, take, options);
  } catch (error) {
    if (!enough.signal.aborted || signal.aborted) throw error;
  }
  return { sessions, total: enough.signal.aborted ? total : sessions.length };
}

export async function findArchived(): Promise<FoundSessions> {
  checkFolder(archiveRoot());
  const sessions: ListedSession[] = await archivedSessions();
  return { sessions, total: sessions.length };
}
