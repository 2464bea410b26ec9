/** Adds a store after opening it once, so that a mistake is noticed now and not at the first sync. */
import { addStore, type NamedStore } from "./named-stores.js";
import type { Store } from "./store.js";
import { absoluteAddress } from "./store-address.js";
import { StoreError } from "./store-error.js";

export interface AddStoreRequest {
  readonly home: string;
  readonly name: string;
  /** As typed; a folder is relative to `cwd`. */
  readonly address: string;
  readonly cwd: string;
  /** Encrypt with the passphrase in `BOUGH_STORE_PASSPHRASE`. */
  readonly encrypt: boolean;
  readonly rowSecurity: boolean;
  /** What a database can search; default: keep it. */
  readonly search?: "none" | "words" | "parts" | undefined;
}

export interface AddedStore {
  readonly store: NamedStore;
  readonly sessions: number;
}

/** Creates whatever the store lacks. Rejects with a hint if the address, password or passphrase is wrong. */
export async function addCheckedStore(request: AddStoreRequest): Promise<AddedStore> {
  const added = await opened(request).catch((error: unknown) => {
    throw notAdded(error);
  });
  addStore(request.home, added.store);
  return added;
}

async function opened({
  home,
  name,
  address: typed,
  cwd,
  encrypt,
  rowSecurity,
  search,
}: AddStoreRequest): Promise<AddedStore> {
  const address = absoluteAddress(typed, cwd);
  const passphrase = encrypt ? requiredPassphrase() : undefined;
  const store = await openOrCreate(address, { home, passphrase, rowSecurity, search });
  try {
    const sessions = (await store.list()).length;
    // An empty put checks the passphrase, and marks a new store as encrypted.
    if (passphrase !== undefined) await store.blobs.put([]);
    return { store: { name, address, ...(passphrase === undefined ? {} : { passphrase }) }, sessions };
  } finally {
    await store.close();
  }
}

interface Opening {
  readonly home: string;
  readonly passphrase: string | undefined;
  readonly rowSecurity: boolean;
  readonly search: AddStoreRequest["search"];
}

/** Creates tables only if they are missing: a user of the database may not be allowed to create any. */
async function openOrCreate(address: string, { home, passphrase, rowSecurity, search }: Opening): Promise<Store> {
  const { initStore, openStore } = await import("./open-store.js");
  if (rowSecurity || search !== undefined) await initStore(address, { rowSecurity, search });
  try {
    return await openStore(address, { home, passphrase });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "store-not-set-up") throw error;
    await initStore(address);
    return openStore(address, { home, passphrase });
  }
}

function requiredPassphrase(): string {
  const passphrase = process.env.BOUGH_STORE_PASSPHRASE;
  if (passphrase !== undefined && passphrase !== "") return passphrase;
  throw new StoreError("passphrase-missing", "No passphrase was given", {
    hint: "Set BOUGH_STORE_PASSPHRASE for this command. It is kept in a private file; everyone who syncs needs the same one.",
  });
}

function notAdded(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  const hint = hintFor(error);
  return new StoreError(error.code, error.message, {
    hint: hint === undefined ? "The store was not added." : `The store was not added. ${hint}`,
    data: error.data,
    cause: error,
  });
}

const CHECK_ADDRESS = "Check the address, and that you are online.";

function hintFor({ code, data, hint }: StoreError): string | undefined {
  if (code === "store-unreachable") return CHECK_ADDRESS;
  if (code === "wrong-passphrase") return "Set BOUGH_STORE_PASSPHRASE to the one that your other machines use.";
  if (data.isEncrypted === false) return "Leave out --encrypt.";
  if (data.isEncrypted === true) return "Set BOUGH_STORE_PASSPHRASE and pass --encrypt.";
  return hint;
}

/** Replaces the hint of an unreachable store, which promises a retry by the next sync, if no sync will follow. */
export function withoutNextSync(error: unknown): unknown {
  if (!(error instanceof StoreError) || error.code !== "store-unreachable") return error;
  return new StoreError(error.code, error.message, { hint: CHECK_ADDRESS, data: error.data, cause: error });
}
