/** From an argument to a session, and to a place in it: `session`, `session#entry`, `session#4`, `#entry`, `#4`. */

import { resolve } from "node:path";
import { type EntryId, SessionError } from "../../entry/index.js";
import type { ForeignPlace } from "../../interop/index.js";
import { findMostRecentSession, type SessionManager, sessionFolder } from "../../session/index.js";
import { isOwnSessionFile, LEAST_PREFIX, type SessionPlaces } from "../../session/internal.js";
import { defined } from "../../text/index.js";
import { branchIndexOf } from "../../tree/index.js";
import { usageError } from "../cli-error.js";
import { foreignInFile, importFirst } from "../../find/foreign-session.js";
import { findOrFetch } from "../../find/find-or-fetch.js";
import { findAnySession } from "../../find/find-session.js";
import { StatusLine } from "./status-line.js";

export interface SessionArgument {
  /** The session's file; what another agent's session was found in. */
  readonly file: string;
  /** What followed `#`: an id, the start of one, a label, `@` for the leaf, `4` (or `#4`) for the end of branch 4. */
  readonly place?: string;
  /** Set where the session is another agent's. */
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
  if (reference === undefined) return newestSession(places);
  if (reference.trim() === "") {
    // Most likely a variable of a script that was never set: the newest session is not what is meant.
    throw usageError("The session name is empty", "Omit it for the last session, or name one: bough ls");
  }
  // Only what starts with `#` is split here: a name may hold one, and `findAnySession` knows about that.
  const place = /^#(.+)$/s.exec(reference)?.[1];
  if (place !== undefined) return { ...(nearby ?? (await newestSession(places))), place };
  try {
    const { file, entry, foreign } = await (where === "here"
      ? findAnySession(reference, places, defined({ signal }))
      : findWithStore(reference, places, signal));
    return { file, ...defined({ place: entry, foreign }) };
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
    return await findOrFetch(reference, places, {
      signal,
      onAsk: () => waiting.say("Asking the store"),
      onFetched: (store) => {
        waiting.clear();
        process.stderr.write(`bough: Fetched from ${store}, and kept on this machine.\n`);
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

/** The folder may be one that another program keeps its sessions in, or hold a link to one. */
async function newestSession({ cwd, dir }: SessionPlaces): Promise<SessionArgument> {
  const folder = dir ?? sessionFolder(cwd);
  const file = findMostRecentSession(folder);
  if (file !== null) {
    const foreign = isOwnSessionFile(file) ? undefined : await foreignInFile(file);
    return foreign === undefined ? { file } : { file, foreign };
  }
  throw new SessionError("session-not-found", `No sessions in ${resolve(cwd)} yet`, {
    data: { folder },
    hint: `Give a session's path, ID, start of ID, or name. ${HOW}`,
  });
}

/** The entry that is meant by what came after `#`. Throws if there is none or several. */
export function placeIn(session: SessionManager, place: string): EntryId {
  const { tree, leaf } = session.getSource();
  const branches = branchIndexOf(tree);
  if (place === "@") {
    // A label or a name that was written last is nothing anyone said.
    const said = branches.conversationAt(leaf);
    if (said >= 0 || leaf >= 0) return tree.ids.textOf(said >= 0 ? said : leaf);
    throw new SessionError("entry-not-found", "The session is positioned before its first entry", {
      hint: "Name an entry after #: bough tree --json lists them.",
    });
  }
  const number = Number(/^#?(\d{1,9})$/.exec(place)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return entryNamed(session, place);
  const end = number < 1 || number > branches.count ? undefined : tree.ids.textOf(branches.tipOf(number));
  // Digits can be the whole name of an entry, too.
  const named = place.startsWith("#") ? undefined : namedExactly(session, place);
  if (end !== undefined && named !== undefined && named !== end) throw eitherOne(place, end, named);
  if (end !== undefined || named !== undefined) return end ?? (named as EntryId);
  if (!place.startsWith("#") && place.length >= LEAST_PREFIX) return entryNamed(session, place);
  throw new SessionError("entry-not-found", `Unknown branch #${number}`, {
    hint: `Branches are numbered from #1 to #${branches.count}.`,
  });
}

/** The entry that has this exact id or label. */
function namedExactly(session: SessionManager, name: string): EntryId | undefined {
  if (session.getEntry(name) !== undefined) return name;
  const isLabel = [...(session.getSource().labelTargets?.() ?? [])].some((id) => session.getLabel(id) === name);
  return isLabel ? session.resolveEntry(name) : undefined;
}

function eitherOne(place: string, end: EntryId, named: EntryId): SessionError {
  return new SessionError("ambiguous-entry", `#${place} is both a branch and an entry`, {
    data: { reference: place, candidates: [end, named] },
    hint: `##${place} is the end of branch ${place} (${end}); the entry is ${named}.`,
  });
}

function entryNamed(session: SessionManager, place: string): EntryId {
  try {
    return session.resolveEntry(place);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "entry-not-found") throw error;
    const short = error.hint === undefined ? "" : `${error.hint} `;
    throw new SessionError("entry-not-found", error.message, {
      data: error.data,
      hint:
        short !== ""
          ? `${short}bough tree lists them.`
          : "Give an ID, the start of an ID, a label, @ for the current position, or 4 for branch #4. bough tree lists them.",
      cause: error,
    });
  }
}
