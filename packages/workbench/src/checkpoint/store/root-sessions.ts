/** Session files that may speak of the files of a root. */
import { basename, dirname } from "node:path";
import { everySessionFile, sessionFolderStart } from "@bough/session/session/internal.js";
import { sessionsOf } from "./store-sessions.js";

export interface RootSessions {
  readonly files: readonly string[];
  /** Files that are registered and whose folder is not there now: a disk that is not mounted. */
  readonly away: readonly string[];
}

interface RootSessionsOptions {
  /** Undefined if it is not known: then every session may. */
  readonly root: string | undefined;
  /** The folder of the store. */
  readonly store: string;
  /** `$BOUGH_HOME`. */
  readonly home: string;
}

/**
 * Those that recorded into the store, and those of the folders that are named after the root or what is below it,
 * archived ones included: a copy of a session has recorded nothing yet.
 */
export function rootSessions({ root, store, home }: RootSessionsOptions): RootSessions {
  const { there, away } = sessionsOf(store);
  const start = root === undefined ? "" : sessionFolderStart(root);
  const near = everySessionFile({ home, archived: "include" }).filter((file) =>
    basename(dirname(file)).startsWith(start),
  );
  return { files: [...new Set([...there, ...near])].sort(), away };
}
