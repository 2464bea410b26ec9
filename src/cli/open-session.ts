import type { EntryId } from "../entry/index.js";
import { listSessions, SessionManager, sessionFolder } from "../session/index.js";
import type { SessionWish } from "./cli-options.js";
import { findSession } from "./find-session.js";

export interface SessionPlace {
  readonly cwd: string;
  readonly dir?: string | undefined;
}

/**
 * The session that is wanted, with the leaf where it is wanted. A new one has no file until something is said in it; one
 * that is opened or copied must exist.
 */
export async function openSession(wish: SessionWish, { cwd, dir }: SessionPlace): Promise<SessionManager> {
  switch (wish.kind) {
    case "memory":
      return SessionManager.inMemory(cwd);
    case "new":
      return SessionManager.create(cwd, dir);
    case "continue":
      return SessionManager.continueRecent(cwd, dir);
    case "id": {
      const known = (await listSessions(dir ?? sessionFolder(cwd))).find(({ id }) => id === wish.id);
      if (known !== undefined) return SessionManager.open(known.path, dir);
      const session = SessionManager.create(cwd, dir);
      session.newSession({ id: wish.id });
      return session;
    }
    case "open": {
      const { file, entry } = await findSession(wish.reference, { cwd, dir });
      return standingAt(SessionManager.open(file, dir), entry);
    }
    case "fork": {
      const { file, entry } = await findSession(wish.reference, { cwd, dir });
      if (entry === undefined) return SessionManager.forkFrom(file, cwd, dir);
      // Before the copy is made: a copy of the wrong place would stay behind.
      const id = entryIn(file, entry);
      return standingAt(SessionManager.forkFrom(file, cwd, dir), id);
    }
  }
}

/** The entry of a session that a person means, found without going there. Throws where there is none or several. */
export function entryIn(file: string, reference: string): EntryId {
  const session = SessionManager.open(file, undefined, { readOnly: true });
  try {
    return session.resolveEntry(reference);
  } finally {
    session.close();
  }
}

function standingAt(session: SessionManager, entry: string | undefined): SessionManager {
  if (entry === undefined) return session;
  try {
    session.branch(session.resolveEntry(entry));
    return session;
  } catch (error) {
    session.close();
    throw error;
  }
}
