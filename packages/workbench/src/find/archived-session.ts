/** From what a user typed to a session in the archive. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SessionError } from "@bough/session/entry/index.js";
import {
  type ListArchivedOptions,
  listArchived,
  listSessions,
  type SessionInfo,
} from "@bough/session/session/index.js";
import { firstWords } from "@bough/session/text/index.js";
import { severalSessions } from "./several-sessions.js";

type Archived = Pick<SessionInfo, "id" | "path" | "name" | "firstMessage">;

export interface ArchivedSession {
  readonly info: SessionInfo;
  /** Undefined if its record is gone. */
  readonly archivedAt: string | undefined;
}

/** Finds the archived session that a reference names. Throws `session-not-found` or `ambiguous-session`. */
export async function findArchivedSession(reference: string): Promise<Archived> {
  const closed: SessionError[] = [];
  const archived = await archivedSessions({ onUnreadable: (error) => closed.push(error) });
  return archivedSession(reference, archived, closed);
}

/**
 * Every archived session with a readable header. Rejects with `read-failed` if a folder cannot be read, unless
 * `onUnreadable` is given.
 */
export async function archivedSessions(
  options: Pick<ListArchivedOptions, "onUnreadable"> = {},
): Promise<ArchivedSession[]> {
  const times = new Map(listArchived(options).map(({ path, archivedAt }) => [path, archivedAt]));
  const found: ArchivedSession[] = [];
  for (const folder of new Set([...times.keys()].map((path) => dirname(path)))) {
    for (const info of await listSessions(folder, undefined, options))
      found.push({ info, archivedAt: times.get(info.path) });
  }
  return found;
}

/** Matches by path, ID, name, or unique ID prefix. `closed`: errors from archive folders that could not be read. */
export function archivedSession(
  reference: string,
  archived: readonly ArchivedSession[],
  closed: readonly SessionError[],
): Archived {
  const path = resolve(reference);
  const all = archived.map(({ info }) => info);
  const exact = all.filter((one) => one.path === path || one.id === reference);
  const named = all.filter(({ name }) => name?.toLowerCase() === reference.toLowerCase());
  const found = [exact, named, all.filter(({ id }) => id.startsWith(reference))].find((some) => some.length > 0) ?? [];
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (found.length > 1) {
    throw severalSessions(found, {
      reference,
      what: "archived sessions",
      line: ({ id, name, firstMessage }) => `${id}  ${firstWords(name ?? firstMessage, 60)}`,
      facts: ({ id, path, name }) => ({ id, path, name }),
    });
  }
  // A file with an unreadable header has no ID or name, but it can still be named by its path.
  if (existsSync(path) && listArchived({ onUnreadable: () => {} }).some((one) => one.path === path)) {
    return { id: reference, path, name: undefined, firstMessage: "" };
  }
  // The session may be in the folder that could not be read.
  if (closed[0] !== undefined) throw closed[0];
  throw new SessionError("session-not-found", `Session not found in the archive: ${reference}`, {
    data: { reference },
    hint: "To list archived sessions: bough ls --archived",
  });
}
