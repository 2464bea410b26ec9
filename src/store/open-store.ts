/** Opens a store by its address. Drivers are loaded when they are used. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { boughHome } from "../session/index.js";
import { FolderStore } from "./folder/folder-store.js";
import { withoutPassword } from "./postgres/address.js";
import { plainAddress } from "./project-of.js";
import { ownReplica } from "./replica.js";
import { SealedStore } from "./sealed-store.js";
import { searchMirror } from "./search-mirror.js";
import type { Replica, Store, StoreHit, StoreSearch } from "./store.js";

export interface OpenStoreOptions {
  /** Default: `$BOUGH_HOME`. */
  readonly home?: string;
  /** Default: the one of the home folder. */
  readonly replica?: Replica;
  /** Opens a store whose sessions are encrypted, or encrypts those that go there. */
  readonly passphrase?: string | undefined;
}

export type StoreKind = "folder" | "git" | "postgres";

/**
 * What an address is one of: `postgres://…` a database; `git@…`, `git+…`, `ssh://…` and what ends in `.git` a git remote;
 * anything else a folder.
 */
export function storeKind(address: string): StoreKind {
  if (/^postgres(?:ql)?:\/\//.test(address)) return "postgres";
  if (/^(?:git\+|git:\/\/|ssh:\/\/)/.test(address) || /^[^/\\]+@[^/\\:]+:/.test(address)) return "git";
  return /\.git\/?$/.test(address) ? "git" : "folder";
}

/** Rejects with a `StoreError` if there is no store at the address, or it cannot be reached. */
export async function openStore(address: string, options: OpenStoreOptions = {}): Promise<Store> {
  const { home = boughHome() } = options;
  const replica = options.replica ?? ownReplica(home);
  const search = (store: Store, query: StoreSearch) => searchMirror(store, query, home);
  const store = await openDriver(address, { home, replica, search });
  return options.passphrase === undefined ? store : new SealedStore(store, { passphrase: options.passphrase, search });
}

interface DriverOptions {
  readonly home: string;
  readonly replica: Replica;
  readonly search: (store: Store, query: StoreSearch) => Promise<readonly StoreHit[]>;
}

async function openDriver(address: string, { home, replica, search }: DriverOptions): Promise<Store> {
  switch (storeKind(address)) {
    case "postgres": {
      const { PostgresStore } = await import("./postgres/postgres-store.js");
      return PostgresStore.open({ url: address, replica });
    }
    case "git": {
      const { GitStore } = await import("./git/git-store.js");
      return GitStore.open({ remote: address.replace(/^git\+/, ""), replica, home, search });
    }
    case "folder":
      return FolderStore.open({ folder: folderOf(address), replica, search });
  }
}

/** Creates what an address needs: the tables of a database, the file that marks a folder. A git remote needs nothing. */
export async function initStore(address: string, options: { readonly rowSecurity?: boolean } = {}): Promise<void> {
  const kind = storeKind(address);
  if (kind === "folder") FolderStore.init(folderOf(address));
  if (kind !== "postgres") return;
  const { PostgresStore } = await import("./postgres/postgres-store.js");
  await PostgresStore.init(address, options);
}

function folderOf(address: string): string {
  return address.startsWith("file:") ? fileURLToPath(address) : resolve(address);
}

/** An address as it may be shown: without user names and passwords. */
export function shownAddress(address: string): string {
  const kind = storeKind(address);
  if (kind === "postgres") return withoutPassword(address);
  return kind === "git" ? plainAddress(address.replace(/^git\+/, "")) : folderOf(address);
}
