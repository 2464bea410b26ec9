/**
 * Resolves what a user typed to one session, for the shell, slash commands and RPC alike.
 *
 *     1  the path of a file       one of Bough's sessions, or another agent's transcript; a path means nothing else
 *     2  an ID                    in this folder, then in any folder
 *     3  in this folder           a name, then the first prompt of a session without one, then the start of an ID
 *     4  in any folder            the same
 *     5  another agent's          `agent:id`, an ID, a title, then the start of an ID (four or more characters)
 *     6  only in the store        an ID, a title, then the start of an ID (four or more); it is fetched
 *
 * The first step that matches wins; if it matches several sessions, the error lists them. `#entry` may follow; since
 * names and folders can contain a `#`, the whole reference is tried first. With a session folder (`--session-dir`),
 * steps 2 and 3 look only there, and steps 4 and 6 are skipped.
 */
import { resolve } from "node:path";
import { SessionError } from "@bough/session/entry/index.js";
import {
  boughHome,
  type OnUnreadable,
  type SessionInfo,
  sessionFolder,
  sessionsRoot,
} from "@bough/session/session/index.js";
import {
  isOwnSessionFile,
  type ResolveOptions,
  resolveSession,
  type SessionPlaces,
} from "@bough/session/session/internal.js";
import { defined } from "@bough/session/text/index.js";
import type { ForeignPlace } from "../interop/index.js";
import { findForeignPlace, foreignInFile, importFirst, isFile, opensAsItIs, withEntry } from "./foreign-session.js";
import { severalSessions } from "./several-sessions.js";

export interface FoundSession {
  readonly file: string;
  /** The text after `#`: an entry ID, the start of one, a label, `@`, or a branch number. */
  readonly entry?: string;
  /** Set if the session is another agent's; `file` is then the file it was found in. */
  readonly foreign?: ForeignPlace;
}

export interface FindSessionOptions {
  readonly places: SessionPlaces;
  /** Whether and how to look in the store. Default: not at all. */
  readonly stores?: AskStore | undefined;
  /** `refuse`, for callers that write: another agent's session throws `read-only`. Default `take`. */
  readonly agents?: "take" | "refuse" | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface AskStore {
  /**
   * `later`: fetch only what is needed to open the session, unless an entry is named; `SessionSync` fetches the rest.
   * Default `now`.
   */
  readonly rest?: "now" | "later" | undefined;
  /** Called before the store is queried. */
  readonly onAsk?: (() => void) | undefined;
  /** Called with the name of the store that the session came from. */
  readonly onFetched?: ((store: string) => void) | undefined;
}

/**
 * Throws `session-not-found`, `ambiguous-session` with the candidates, `read-only` for refused sessions, and
 * `read-failed` if this folder cannot be read. An unreachable store is only mentioned in the hint of
 * `session-not-found`, since the usual cause is a mistyped name.
 */
export async function findSession(reference: string, options: FindSessionOptions): Promise<FoundSession> {
  const { places, stores, agents, signal } = options;
  const found = await onThisMachine(reference, places, signal).catch(async (error: unknown) => {
    if (stores === undefined || !isNotFound(error) || !(await mayBeStored(reference, places))) throw error;
    return fetched(reference, { ...options, stores, error });
  });
  if (found.foreign !== undefined && agents === "refuse") throw importFirst(found.foreign);
  return found;
}

async function onThisMachine(
  reference: string,
  places: SessionPlaces,
  signal: AbortSignal | undefined,
): Promise<FoundSession> {
  const older = /^(.+)##(\d+)$/s.exec(reference);
  if (older !== null) {
    const found = await onThisMachine(older[1] as string, places, signal);
    return { ...found, entry: `#${older[2]}` };
  }
  const closed = new Map<string, SessionError>();
  const onUnreadable: OnUnreadable = (error, folder) => closed.set(folder, error);
  const own = await withEntry(reference, (session) => findOwn(session, places, { signal, onUnreadable }));
  if (own !== undefined && opensAsItIs(own.file) && isOwnSessionFile(own.file)) return own;
  // A path can only mean the file it names, whatever that file contains.
  const foreign = await (own === undefined ? findForeignPlace(reference, { signal }) : foreignFile(reference, own));
  if (foreign !== undefined) return { file: foreign.foreign.path, foreign, ...defined({ entry: foreign.entry }) };
  if (own !== undefined) return own;
  const [unread] = closed;
  if (unread !== undefined) throw unreadableFolder(reference, places, unread);
  throw new SessionError("session-not-found", `Session not found: ${reference}`, {
    data: { reference },
    hint: "Give its path, ID, start of ID, or name. --continue resumes the last session in this folder.",
  });
}

/** The error for a session that may be in an unreadable folder. */
function unreadableFolder(
  reference: string,
  { cwd, dir }: SessionPlaces,
  [folder, error]: readonly [folder: string, error: SessionError],
): SessionError {
  if (folder === (dir ?? sessionFolder(cwd)) || folder === sessionsRoot()) return error;
  return new SessionError("session-not-found", `Session not found: ${reference}`, {
    data: { reference },
    hint: `It may be in ${folder}, which cannot be read.`,
    cause: error,
  });
}

/** A file is named either by its path, or by the ID of a listed link to another program's file. */
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
  // The empty string is a prefix of every ID.
  if (reference === "") return undefined;
  const path = resolve(reference);
  if (isFile(path)) return { file: path };
  if (isPath(reference)) return undefined;
  return onlySession(reference, await resolveSession(reference, { cwd, dir }, options));
}

function onlySession(reference: string, found: readonly SessionInfo[]): FoundSession | undefined {
  const [first] = found;
  if (first === undefined || found.length === 1) return first && { file: first.path };
  throw severalSessions(found, {
    reference,
    line: ({ id, name, firstMessage }) => `${id}  ${name ?? firstMessage.slice(0, 60)}`,
    facts: ({ id, path, name }) => ({ id, path, name }),
  });
}

function isPath(reference: string): boolean {
  return /[/\\]|\.jsonl$/.test(reference);
}

/** Nothing is fetched if the user gave a path or a session folder. */
async function mayBeStored(reference: string, { dir }: SessionPlaces): Promise<boolean> {
  if (dir !== undefined || isPath(reference)) return false;
  const { hasStores } = await import("../store/door.js");
  return hasStores(boughHome());
}

function isNotFound(error: unknown): error is SessionError {
  return error instanceof SessionError && error.code === "session-not-found";
}

interface FetchOptions extends FindSessionOptions {
  readonly stores: AskStore;
  /** Thrown if the store does not have the session. */
  readonly error: SessionError;
}

async function fetched(reference: string, options: FetchOptions): Promise<FoundSession> {
  const { stores, error } = options;
  stores.onAsk?.();
  const found = await fromStore(reference, options).catch((cause: unknown) => {
    const { name, message } = cause as { readonly name?: string; readonly message?: string };
    if (name !== "StoreError") throw cause;
    throw new SessionError("session-not-found", error.message, {
      data: error.data,
      hint: `It is not on this machine, and the store could not be asked: ${message}.`,
      cause,
    });
  });
  if (found === undefined) throw error;
  const { store, ...session } = found;
  stores.onFetched?.(store);
  return session;
}

type FromStore = FoundSession & { readonly store: string };

async function fromStore(reference: string, options: FetchOptions): Promise<FromStore | undefined> {
  const [, session = reference, entry] = /^(.+?)#(.+)$/s.exec(reference) ?? [];
  // A named entry can be anywhere in the tree, so the whole session is needed.
  const found = await inStore(session, { ...options, rest: entry === undefined ? options.stores.rest : "now" });
  if (found !== undefined) return { ...found, ...defined({ entry }) };
  return entry === undefined ? undefined : inStore(reference, { ...options, rest: options.stores.rest });
}

async function inStore(
  reference: string,
  { places, signal, rest = "now" }: FetchOptions & Pick<AskStore, "rest">,
): Promise<FromStore | undefined> {
  const { fetchStored } = await import("../store/internal.js");
  const outcome = await fetchStored({ home: boughHome(), cwd: places.cwd, reference, rest, signal });
  if (outcome.kind === "none") return undefined;
  if (outcome.kind === "fetched") return { file: outcome.file, store: outcome.store };
  throw severalSessions(outcome.sessions, {
    reference,
    what: "sessions in the store",
    line: ({ id, title = "" }) => `${id}  ${title}`,
    facts: ({ id, title }) => ({ id, name: title }),
  });
}
