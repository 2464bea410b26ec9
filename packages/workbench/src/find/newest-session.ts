/** The most recently used session of a folder, for when the user names none. */
import { resolve } from "node:path";
import { SessionError } from "@bough/session/entry/index.js";
import { findMostRecentSession, sessionFolder } from "@bough/session/session/index.js";
import { isOwnSessionFile, type SessionPlaces } from "@bough/session/session/internal.js";
import type { FoundSession } from "./find-session.js";
import { foreignInFile } from "./foreign-session.js";

/** The result may be foreign: the folder may belong to another program, or contain a link to another program's file. */
export async function newestSession({ cwd, dir }: SessionPlaces, how = ""): Promise<FoundSession> {
  const folder = dir ?? sessionFolder(cwd);
  const file = findMostRecentSession(folder);
  if (file !== null) {
    const foreign = isOwnSessionFile(file) ? undefined : await foreignInFile(file);
    return foreign === undefined ? { file } : { file, foreign };
  }
  throw new SessionError("session-not-found", `No sessions in ${resolve(cwd)} yet`, {
    data: { folder },
    hint: `Give a session's path, ID, start of ID, or name. ${how}`.trimEnd(),
  });
}
