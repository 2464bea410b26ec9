/** Session files that may name the files of a root. */
import { basename, dirname } from "node:path";
import { everySessionFile, sessionFolderStart } from "@bough/session/session/internal.js";
import { sessionsOf } from "./store-sessions.js";

export interface RootSessions {
  readonly files: readonly string[];
  /** Registered files whose folder is missing, for example because a disk is not mounted. */
  readonly away: readonly string[];
}

interface RootSessionsOptions {
  /** If it is unknown, every session may. */
  readonly root: string | undefined;
  /** The folder of the store. */
  readonly store: string;
  /** `$BOUGH_HOME`. */
  readonly home: string;
}

/**
 * The sessions registered in the store, and all sessions in folders named after the root or a folder below it,
 * including archived ones: a copied session is not registered until it records something.
 */
export function rootSessions({ root, store, home }: RootSessionsOptions): RootSessions {
  const { there, away } = sessionsOf(store);
  const start = root === undefined ? "" : sessionFolderStart(root);
  const near = everySessionFile({ home, archived: "include" }).filter((file) =>
    basename(dirname(file)).startsWith(start),
  );
  return { files: [...new Set([...there, ...near])].sort(), away };
}
