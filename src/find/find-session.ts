/** From what a user typed to a session: its path, its id, the start of its id, or its name, each with `#entry`. */

import { resolve } from "node:path";
import { SessionError } from "../entry/index.js";
import type { ForeignPlace } from "../interop/index.js";
import { type OnUnreadable, type SessionInfo, sessionFolder, sessionsRoot } from "../session/index.js";
import { isOwnSessionFile, type ResolveOptions, resolveSession, type SessionPlaces } from "../session/internal.js";
import { withoutControls } from "../text/index.js";
import { CliError } from "../cli/cli-error.js";
import { findForeignPlace, foreignInFile, importFirst, isFile, opensAsItIs, withEntry } from "./foreign-session.js";

export interface FoundSession {
  readonly file: string;
  /** What followed `#`: an entry's id, the start of it, a label, `@`, or the number of a branch. */
  readonly entry?: string;
  /** Set where the session is another agent's; `file` is then what it was found in. */
  readonly foreign?: ForeignPlace;
}

const MOST_CANDIDATES = 10;

/** A session of Bough's own. Another agent's is refused with the way to import it; otherwise as `findAnySession`. */
export async function findSession(reference: string, places: SessionPlaces): Promise<FoundSession> {
  const found = await findAnySession(reference, places);
  if (found.foreign !== undefined) throw importFirst(found.foreign);
  return found;
}

/**
 * An exact id is tried before anything else, then what is in this folder, then what is elsewhere, then what other agents
 * have. Throws `session-not-found`, or `ambiguous-session` with the candidates.
 */
export async function findAnySession(
  reference: string,
  places: SessionPlaces,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<FoundSession> {
  const older = /^(.+)##(\d+)$/s.exec(reference);
  if (older !== null) {
    const found = await findAnySession(older[1] as string, places, signal === undefined ? {} : { signal });
    return { ...found, entry: `#${older[2]}` };
  }
  const closed = new Map<string, SessionError>();
  const onUnreadable: OnUnreadable = (error, folder) => closed.set(folder, error);
  const own = await withEntry(reference, (session) => findOwn(session, places, { signal, onUnreadable }));
  if (own !== undefined && opensAsItIs(own.file) && isOwnSessionFile(own.file)) return own;
  // A path leads to this file and nowhere else, whatever is in it.
  const foreign = await (own === undefined ? findForeignPlace(reference, { signal }) : foreignFile(reference, own));
  if (foreign !== undefined) {
    const { entry } = foreign;
    return { file: foreign.foreign.path, foreign, ...(entry === undefined ? {} : { entry }) };
  }
  if (own !== undefined) return own;
  const [unread] = closed;
  if (unread !== undefined) throw perhapsIn(reference, places, unread);
  throw new SessionError("session-not-found", `Session not found: ${reference}`, {
    data: { reference },
    hint: "Give its path, ID, start of ID, or name. --continue resumes the last session in this folder.",
  });
}

/** It may be in a folder that cannot be read. */
function perhapsIn(
  reference: string,
  { cwd, dir }: SessionPlaces,
  [folder, error]: readonly [folder: string, error: SessionError],
): SessionError {
  if (folder === (dir ?? sessionFolder(cwd)) || folder === sessionsRoot()) return error;
  return new SessionError("session-not-found", `Session not found: ${reference}`, {
    data: { reference },
    hint: `It may be in a folder that cannot be read: ls -ld ${folder}`,
    cause: error,
  });
}

/** A file can be named by its path, or by its id in a list that holds a link to another program's file. */
async function foreignFile(reference: string, { file, entry }: FoundSession): Promise<ForeignPlace | undefined> {
  const named = await foreignInFile(reference);
  if (named !== undefined) return named;
  const found = await foreignInFile(file);
  return found === undefined || entry === undefined ? found : { ...found, entry };
}

async function findOwn(
  reference: string,
  { cwd, dir }: SessionPlaces,
  options: ResolveOptions,
): Promise<FoundSession | undefined> {
  // Every id starts with nothing.
  if (reference === "") return undefined;
  const path = resolve(reference);
  if (isFile(path)) return { file: path };
  if (/[/\\]|\.jsonl$/.test(reference)) return undefined;
  return theOnly(reference, await resolveSession(reference, { cwd, dir }, options));
}

function theOnly(reference: string, found: readonly SessionInfo[]): FoundSession | undefined {
  const [first] = found;
  if (first === undefined || found.length === 1) return first && { file: first.path };
  const shown = found.slice(0, MOST_CANDIDATES);
  const lines = shown.map(({ id, name, firstMessage }) => `  ${id}  ${name ?? firstMessage.slice(0, 60)}`);
  const more = found.length > shown.length ? [`  and ${found.length - shown.length} more`] : [];
  throw new CliError("ambiguous-session", `Several sessions match ${reference}`, {
    data: { reference, candidates: shown.map(({ id, path, name }) => ({ id, path, name })) },
    hint: withoutControls(["Give more of the ID:", ...lines, ...more].join("\n")),
  });
}
