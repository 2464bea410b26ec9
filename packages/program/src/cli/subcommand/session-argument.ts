/** Resolves an argument to a session and an entry in it: `session`, `session#entry`, `session#4`, `#entry`, `#4`. */

import { SessionError } from "@bough/session/entry/index.js";
import type { SessionPlaces } from "@bough/session/session/internal.js";
import { findSession, importFirst, newestSession } from "@bough/workbench/find/index.js";
import type { ForeignPlace } from "@bough/workbench/interop/index.js";
import { usageError } from "../cli-error.js";
import { StatusLine } from "./status-line.js";

export interface SessionArgument {
  /** The session's file; what another agent's session was found in. */
  readonly file: string;
  /** What followed `#`: an id, the start of one, a label, `@` for the leaf, `4` (or `#4`) for the end of branch 4. */
  readonly place?: string;
  /** Set if the session is another agent's. */
  readonly foreign?: ForeignPlace;
}

interface ArgumentOptions {
  /** What starts with `#` is in this session, and otherwise in the one used last. */
  readonly nearby?: SessionArgument;
  /** `here`: it is about a file of this machine, so nothing is fetched from the store. */
  readonly where?: "here";
  readonly signal?: AbortSignal;
}

const HOW = "bough ls lists the sessions in this folder; --all includes every folder, --all-agents other agents too.";

/** Without a reference: the session of this folder that was used last. */
export async function sessionArgument(
  reference: string | undefined,
  places: SessionPlaces,
  { nearby, signal, where }: ArgumentOptions = {},
): Promise<SessionArgument> {
  if (reference === undefined) return newestSession(places, HOW);
  if (reference.trim() === "") {
    // Most likely a variable of a script that was never set: the newest session is not what is meant.
    throw usageError("The session name is empty", "Omit it for the last session, or name one: bough ls");
  }
  // Only what starts with `#` is split here: a name may hold one, and `findSession` knows about that.
  const place = /^#(.+)$/s.exec(reference)?.[1];
  if (place !== undefined) return { ...(nearby ?? (await newestSession(places, HOW))), place };
  try {
    const { file, entry, foreign } = await (where === "here"
      ? findSession(reference, { places, signal })
      : findWithStore(reference, places, signal));
    return { file, place: entry, foreign };
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "session-not-found") throw error;
    // The store could not be asked, or a folder not be read: the hint says so.
    if (error.cause !== undefined) throw error;
    throw new SessionError("session-not-found", error.message, {
      data: { reference },
      hint: `Give its path, ID, start of ID, or name. ${HOW}`,
    });
  }
}

/** What was fetched is said on standard error: the session is on this machine from now on. */
async function findWithStore(reference: string, places: SessionPlaces, signal: AbortSignal | undefined) {
  const waiting = new StatusLine();
  try {
    return await findSession(reference, {
      places,
      signal,
      stores: {
        onAsk: () => waiting.say("Asking the store"),
        onFetched: (store) => {
          waiting.clear();
          process.stderr.write(`bough: Fetched from ${store}, and kept on this machine.\n`);
        },
      },
    });
  } finally {
    waiting.clear();
  }
}

/** The same for a command that writes: another agent's session is refused with the way to import it. */
export async function ownSessionArgument(
  reference: string | undefined,
  places: SessionPlaces,
  options: Pick<ArgumentOptions, "where"> = {},
): Promise<SessionArgument> {
  const found = await sessionArgument(reference, places, options);
  if (found.foreign !== undefined) throw importFirst(found.foreign);
  return found;
}
