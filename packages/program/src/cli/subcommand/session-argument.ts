/** Resolves an argument to a session and an entry in it: `session`, `session#entry`, `session#4`, `#entry`, `#4`. */

import { SessionError } from "@bough/session/entry/index.js";
import type { SessionPlaces } from "@bough/session/session/internal.js";
import { findSession, importFirst, newestSession } from "@bough/workbench/find/index.js";
import type { ForeignPlace } from "@bough/workbench/interop/index.js";
import { usageError } from "../cli-error.js";
import { StatusLine } from "./status-line.js";

export interface SessionArgument {
  /** The session's file, or the file another agent's session is in. */
  readonly file: string;
  /** The part after `#`: an id, a prefix of one, a label, `@` for the leaf, `4` (or `#4`) for the end of branch 4. */
  readonly place?: string;
  /** Set if the session belongs to another agent. */
  readonly foreign?: ForeignPlace;
}

interface ArgumentOptions {
  /** What starts with `#` refers to this session, or by default to the last used one. */
  readonly nearby?: SessionArgument;
  /** `here`: it is about a file on this machine, so nothing is fetched from the store. */
  readonly where?: "here";
  readonly signal?: AbortSignal;
}

const HOW = "bough ls lists the sessions in this folder; --all includes every folder, --all-agents other agents too.";

/** Without a reference: the last used session of this folder. */
export async function sessionArgument(
  reference: string | undefined,
  places: SessionPlaces,
  { nearby, signal, where }: ArgumentOptions = {},
): Promise<SessionArgument> {
  if (reference === undefined) return newestSession(places, HOW);
  if (reference.trim() === "") {
    // Probably an unset variable in a script, which did not mean the newest session.
    throw usageError("The session name is empty", "Omit it for the last session, or name one: bough ls");
  }
  // Splits only a leading `#`, because names may contain one; `findSession` handles that.
  const place = /^#(.+)$/s.exec(reference)?.[1];
  if (place !== undefined) return { ...(nearby ?? (await newestSession(places, HOW))), place };
  try {
    const { file, entry, foreign } = await (where === "here"
      ? findSession(reference, { places, signal })
      : findWithStore(reference, places, signal));
    return { file, place: entry, foreign };
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "session-not-found") throw error;
    // A store or a folder could not be read; the hint says so.
    if (error.cause !== undefined) throw error;
    throw new SessionError("session-not-found", error.message, {
      data: { reference },
      hint: `Give its path, ID, start of ID, or name. ${HOW}`,
    });
  }
}

/** A fetched session is announced on standard error, because it stays on this machine. */
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

/** The same for a command that writes: another agent's session is refused, with a hint on how to import it. */
export async function ownSessionArgument(
  reference: string | undefined,
  places: SessionPlaces,
  options: Pick<ArgumentOptions, "where"> = {},
): Promise<SessionArgument> {
  const found = await sessionArgument(reference, places, options);
  if (found.foreign !== undefined) throw importFirst(found.foreign);
  return found;
}
