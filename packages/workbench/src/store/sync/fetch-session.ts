/** Fetches a session that is not on this machine: first what is needed to open it, then the rest. */
import { join } from "node:path";
import { sessionFolder } from "@bough/session/session/index.js";
import { sessionFileName } from "@bough/session/session/internal.js";
import { defined } from "@bough/session/text/index.js";
import type { PulledLines, Store, StoredLine, StoredSession } from "../store.js";
import { StoreError } from "../store-error.js";
import { type SyncedSession, type SyncSessionOptions, syncSession } from "./sync-session.js";
import { PATH_ONLY } from "./sync-state.js";

export interface FetchSessionOptions extends Omit<SyncSessionOptions, "file" | "about"> {
  /** The session's working folder on this machine. */
  readonly cwd: string;
  /** Where to start; default: where the session was left. */
  readonly entryId?: string;
}

export interface FetchedSession {
  /** Ready to be opened and written to. */
  readonly file: string;
  /** How many entries it has so far. */
  readonly entries: number;
  /** Fetches the rest, even while the session is open and written to. Any later sync does the same. */
  rest(options?: Partial<SyncSessionOptions>): Promise<SyncedSession>;
}

/**
 * Resolves when the file has the path to where the session was left, which is enough to continue it. If the store can
 * only return everything, the file has everything. Rejects with `session-not-stored`.
 */
export async function fetchSession(options: FetchSessionOptions): Promise<FetchedSession> {
  const { store, sessionId, cwd, entryId, ...more } = options;
  const stored = await store.head(sessionId);
  if (stored === undefined || stored.removed === true)
    throw new StoreError("session-not-stored", `${store.address} has no session ${sessionId}`);
  const file = newFileFor(stored, cwd);
  const request = { ...more, sessionId, cwd, file };
  const first = store.path === undefined ? store : new PathOf(store, entryId);
  const { pulled } = await syncSession({ ...request, store: first as Store });
  return { file, entries: pulled, rest: (others) => syncSession({ ...request, store, ...defined(others) }) };
}

/** The file for a session that comes from a store. */
export function newFileFor({ id, updated }: Pick<StoredSession, "id" | "updated">, cwd: string): string {
  return join(sessionFolder(cwd), sessionFileName((updated ?? new Date(0)).toISOString(), id));
}

/** Makes a store look as if it had only one path of each session, as far as the sync of a new file needs. */
class PathOf implements Pick<Store, "address" | "replica" | "pull"> {
  readonly #store: Store;
  readonly #entryId: string | undefined;

  constructor(store: Store, entryId: string | undefined) {
    this.#store = store;
    this.#entryId = entryId;
  }

  get address(): string {
    return this.#store.address;
  }

  get replica(): Store["replica"] {
    return this.#store.replica;
  }

  async *pull(sessionId: string): AsyncGenerator<PulledLines> {
    const path: AsyncIterable<readonly StoredLine[]> = this.#store.path?.(sessionId, this.#entryId) ?? none();
    for await (const lines of path) yield { lines, cursor: PATH_ONLY };
  }
}

async function* none(): AsyncGenerator<readonly StoredLine[]> {}
