/** Sessions in the user's store: list them, and fetch one that is not on this machine. */
import { basename } from "node:path";
import { listAllSessions, listArchived } from "@bough/session/session/index.js";
import { matchByIdOrName } from "@bough/session/session/internal.js";
import { isTranscript } from "./agent-sdk/agent-sdk-line.js";
import { type NamedStore, namedStore, namedStores } from "./named-stores.js";
import type { Store, StoredSession } from "./store.js";
import { storeSettings } from "./store-settings.js";
import { hasStores } from "./stores-file.js";

export interface StorePlaces {
  /** `$BOUGH_HOME`. */
  readonly home: string;
  readonly cwd: string;
}

const LEAST_START = 4;

/** The store with a name, or else the one in the settings, or else the first. Throws `store-unknown`. */
export function chosenStore(home: string, name?: string): NamedStore {
  return namedStore(home, name === undefined || name === "" ? storeSettings(home).store : name);
}

/** Rejects with a `StoreError` if the store cannot be reached. */
export async function withStore<Result>(
  { address, passphrase }: NamedStore,
  { home, use }: { readonly home: string; readonly use: (store: Store) => Promise<Result> },
): Promise<Result> {
  const { openStore } = await import("./open-store.js");
  const store = await openStore(address, { home, passphrase });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Bough's sessions in a store, newest first. Without a project, those of all projects. */
export async function storedSessions(store: Store, project?: string): Promise<StoredSession[]> {
  const all = await store.list(project === undefined ? {} : { project });
  const sessions = all.filter(({ id, removed }) => removed !== true && !isTranscript(id));
  return sessions.sort((a, b) => (b.updated?.getTime() ?? 0) - (a.updated?.getTime() ?? 0));
}

/** A session in a store, as JSON and RPC describe it. `here`: the IDs of the sessions on this machine. */
export function storedFacts(
  { id, title, project, cwd, updated, replicas }: StoredSession,
  here: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  return {
    ...{ id, title: title ?? null, project: project ?? null, cwd: cwd ?? null },
    ...{ updated: updated?.toISOString() ?? null, replicas, here: here.has(id) },
  };
}

/** Sessions that match a reference by ID, else by title, else by the start of their ID. */
export function matchStored(sessions: readonly StoredSession[], reference: string): readonly StoredSession[] {
  return matchByIdOrName(sessions, reference, { nameOf: ({ title }) => title, leastStart: LEAST_START });
}

/** Whether lists look into a store automatically: one is set up, and syncing is not off. */
export function looksInStore(home: string): boolean {
  return hasStores(home) && storeSettings(home).sync !== "off";
}

export interface SessionsNotHere {
  readonly store: string;
  readonly sessions: readonly StoredSession[];
}

/**
 * Sessions of the default store that were never on this machine, of this folder's project or of all projects. A session
 * that was archived or deleted here does not come back by itself.
 */
export async function sessionsNotHere(places: StorePlaces, scope: "project" | "all"): Promise<SessionsNotHere> {
  const named = chosenStore(places.home);
  const { projectOf } = await import("./project-of.js");
  const { SyncStates } = await import("./sync/sync-state.js");
  const project = scope === "all" ? undefined : await projectOf(places.cwd);
  // A folder that belongs to no project has no sessions in the store.
  if (scope === "project" && project === undefined) return { store: named.name, sessions: [] };
  const sessions = await withStore(named, { home: places.home, use: (store) => storedSessions(store, project) });
  const here = new Set((await listAllSessions()).map(({ id }) => id));
  const archived = new Set(listArchived({ home: places.home }).map(({ path }) => idInName(path)));
  const states = new SyncStates(places.home, named.address);
  const isNew = ({ id }: StoredSession) => !here.has(id) && !archived.has(id) && states.get(id) === undefined;
  return { store: named.name, sessions: sessions.filter(isNew) };
}

function idInName(path: string): string {
  return basename(path, ".jsonl").split("_").at(-1) as string;
}

interface FetchRequest extends StorePlaces {
  /** The ID, the start of it, or the title. */
  readonly reference: string;
  /**
   * `later` fetches only what is needed to open the session, if the store supports that; `SessionSync` fetches the rest
   * once the session is open.
   */
  readonly rest: "now" | "later";
  readonly signal?: AbortSignal | undefined;
}

export type FetchOutcome =
  /** No store is set up, or it has no such session. */
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly sessions: readonly StoredSession[] }
  | { readonly kind: "fetched"; readonly session: StoredSession; readonly file: string; readonly store: string };

/**
 * Fetches a session of the default store into this folder's sessions. Rejects with a `StoreError` if it is unreachable.
 */
export async function fetchStored(request: FetchRequest): Promise<FetchOutcome> {
  const { home, cwd, reference, rest, signal } = request;
  if (!hasStores(home)) return { kind: "none" };
  const { fetchSession } = await import("./sync/fetch-session.js");
  const { SyncStates } = await import("./sync/sync-state.js");
  if (namedStores(home).length === 0) return { kind: "none" };
  const named = chosenStore(home);
  const use = async (store: Store): Promise<FetchOutcome> => {
    const found = matchStored(await storedSessions(store), reference);
    const [session] = found;
    if (session === undefined) return { kind: "none" };
    if (found.length > 1) return { kind: "several", sessions: found };
    // It may be here under another title, or have arrived in the meantime.
    const here = (await listAllSessions()).find(({ id }) => id === session.id);
    if (here !== undefined) return { kind: "fetched", session, file: here.path, store: named.name };
    const states = new SyncStates(home, named.address);
    // It may have been deleted here: opening it by name brings it back.
    states.delete(session.id);
    const fetched = await fetchSession({ store, states, sessionId: session.id, cwd, signal });
    if (rest === "now") await fetched.rest();
    return { kind: "fetched", session, file: fetched.file, store: named.name };
  };
  return withStore(named, { home, use });
}
