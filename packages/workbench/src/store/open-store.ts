/** Opens a store by its address. Drivers are loaded on first use. */
import { boughHome } from "@bough/session/session/index.js";
import { FolderStore } from "./folder/folder-store.js";
import { PlainStore } from "./plain-store.js";
import { ownReplica } from "./replica.js";
import { SealedStore } from "./sealed-store.js";
import { searchMirror } from "./search-mirror.js";
import type { Replica, Store, StoreHit, StoreSearch } from "./store.js";
import { checkAddress, folderOf, remoteOf } from "./store-address.js";

export interface OpenStoreOptions {
  /** Default: `$BOUGH_HOME`. */
  readonly home?: string;
  /** Default: the replica of the home folder. */
  readonly replica?: Replica;
  /** Opens an encrypted store, or encrypts what is pushed to a new one. */
  readonly passphrase?: string | undefined;
}

/** Rejects with a `StoreError` if the address has no store or cannot be reached. */
export async function openStore(address: string, options: OpenStoreOptions = {}): Promise<Store> {
  const { home = boughHome() } = options;
  const replica = options.replica ?? ownReplica(home);
  const search = (store: Store, query: StoreSearch) => searchMirror(store, query, home);
  const store = await openDriver(address, { home, replica, search });
  const { passphrase } = options;
  return passphrase === undefined ? new PlainStore(store) : new SealedStore(store, { passphrase, search });
}

interface DriverOptions {
  readonly home: string;
  readonly replica: Replica;
  readonly search: (store: Store, query: StoreSearch) => Promise<readonly StoreHit[]>;
}

/** Without encryption. */
export async function openDriver(address: string, { home, replica, search }: DriverOptions): Promise<Store> {
  switch (checkAddress(address)) {
    case "postgres": {
      const { PostgresStore } = await import("./postgres/postgres-store.js");
      return PostgresStore.open({ url: address, replica, search });
    }
    case "git": {
      const { GitStore } = await import("./git/git-store.js");
      return GitStore.open({ remote: remoteOf(address), replica, home, search });
    }
    case "folder":
      return FolderStore.open({ folder: folderOf(address), replica, home, search });
  }
}

/** For databases only. */
export interface InitStoreOptions {
  /** Every database user sees only their own sessions. */
  readonly rowSecurity?: boolean;
  /** What can be searched in the database; default: keep it, `parts` in a new one. */
  readonly search?: "none" | "words" | "parts" | undefined;
}

/** Creates what the address needs: a database's tables, or the file that marks a folder. A git remote needs nothing. */
export async function initStore(address: string, options: InitStoreOptions = {}): Promise<void> {
  const kind = checkAddress(address);
  if (kind === "folder") FolderStore.init(folderOf(address));
  if (kind !== "postgres") return;
  const { PostgresStore } = await import("./postgres/postgres-store.js");
  await PostgresStore.init(address, options);
}
