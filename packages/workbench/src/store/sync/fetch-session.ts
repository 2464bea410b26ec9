/** Gets a session that is in a store and not on this machine: what is needed to open it first, the rest afterwards. */
import { join } from "node:path";
import { sessionFolder } from "@bough/session/session/index.js";
import { sessionFileName } from "@bough/session/session/internal.js";
import type { PulledLines, Store, StoredLine, StoredSession } from "../store.js";
import { StoreError } from "../store-error.js";
import { type SyncedSession, type SyncSessionOptions, syncSession } from "./sync-session.js";
import { PATH_ONLY } from "./sync-state.js";

export interface FetchSessionOptions extends Omit<SyncSessionOptions, "file" | "about"> {
  /** The working folder of this machine. */
  readonly cwd: string;
  /** Where to begin; default: where the session was left. */
  readonly entryId?: string;
}

export interface FetchedSession {
  /** Can be opened and written to. */
  readonly file: string;
  /** How many entries it has now. */
  readonly entries: number;
  /** Fetches everything else, also while the session is open and written to. Any later sync does the same. */
  rest(options?: Partial<SyncSessionOptions>): Promise<SyncedSession>;
}

/**
 * Resolves when the file has the path to where the session was left, so that its conversation can be continued. A store
 * that can only give everything gives everything. Rejects with `session-not-stored`.
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
  return { file, entries: pulled, rest: (others = {}) => syncSession({ ...request, store, ...others }) };
}

/** Where a session that comes from a store is kept. */
export function newFileFor({ id, updated }: Pick<StoredSession, "id" | "updated">, cwd: string): string {
  return join(sessionFolder(cwd), sessionFileName((updated ?? new Date(0)).toISOString(), id));
}

/** A store that has nothing but one path of each session, as far as a sync of a new file asks. */
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
