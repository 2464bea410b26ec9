/**
 * The user's stores by name, in `$BOUGH_HOME/stores.json`. The file is private, because addresses may contain
 * passwords.
 */
import { changeFile, readTextFile } from "@bough/session/log/index.js";
import { isRecord, jsonObject } from "@bough/session/text/index.js";
import { looksLikeAddress } from "./shown-address.js";
import { StoreError } from "./store-error.js";
import { storesFile } from "./stores-file.js";

export interface NamedStore {
  readonly name: string;
  readonly address: string;
  /** Encrypts everything that leaves this machine. */
  readonly passphrase?: string;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/;

/** In the order in which they were added; the first is the default. */
export function namedStores(home: string): readonly NamedStore[] {
  const file = storesFile(home);
  const read = readTextFile(file);
  if (read.kind === "unreadable") throw unreadable(file, read.reason);
  if (read.kind !== "text") return [];
  const value = jsonObject(read.text)?.stores;
  if (!Array.isArray(value)) throw unreadable(file, "it is not a list of stores");
  return value.flatMap((one: unknown) => {
    if (!isRecord(one) || typeof one.name !== "string" || typeof one.address !== "string") return [];
    const { name, address, passphrase } = one;
    return [{ name, address, ...(typeof passphrase === "string" ? { passphrase } : {}) }];
  });
}

/** Without a name, the default store. */
export function namedStore(home: string, name: string | undefined): NamedStore {
  const stores = namedStores(home);
  const found = name === undefined ? stores[0] : stores.find((one) => one.name === name);
  if (found !== undefined) return found;
  if (name === undefined) {
    throw new StoreError("store-unknown", "No store is set up", {
      hint: "Add one with: bough store add <name> <folder, git remote or postgres URL>",
    });
  }
  throw unknownStore(name, stores);
}

/** The message does not repeat an address, which may contain a password. */
function unknownStore(name: string, stores: readonly NamedStore[]): StoreError {
  if (looksLikeAddress(name)) {
    const added = stores.find((one) => one.address === name);
    return new StoreError("store-unknown", "This is an address; use the name of a store", {
      hint: added === undefined ? hintFor(stores) : `It was added as ${added.name}.`,
    });
  }
  return new StoreError("store-unknown", `No store is called ${name}`, { hint: hintFor(stores) });
}

function hintFor(stores: readonly NamedStore[]): string {
  const names = stores.map((one) => one.name).join(", ");
  return names === "" ? "Add it with: bough store add <name> <address>" : `Stores: ${names}`;
}

/** Throws `store-unknown` if the name is invalid, and `store-exists` if it is taken. */
export function checkStoreName(home: string, name: string): void {
  checkNew(name, namedStores(home));
}

function checkNew(name: string, stores: readonly NamedStore[]): void {
  if (!NAME.test(name)) {
    const isAddress = looksLikeAddress(name);
    throw new StoreError(
      "store-unknown",
      isAddress ? "Invalid store name: it is an address" : `Invalid store name: "${name}"`,
      {
        hint: isAddress
          ? "The name comes first: bough store add <name> <address>"
          : "Use up to 41 letters, digits, dots, dashes and underscores, starting with a letter or digit.",
      },
    );
  }
  if (stores.some((one) => one.name === name)) {
    throw new StoreError("store-exists", `A store called ${name} is already set up`, {
      hint: `Forget it first: bough store forget ${name}`,
    });
  }
}

/** Adds a store. Throws like `checkStoreName`. */
export function addStore(home: string, store: NamedStore): void {
  change(home, (stores) => {
    checkNew(store.name, stores);
    return [...stores, store];
  });
}

/** Forgets a store; its contents stay. */
export function forgetStore(home: string, name: string): void {
  namedStore(home, name);
  change(home, (stores) => stores.filter((one) => one.name !== name));
}

/** Remembers another passphrase for a store, under every name that it has here. */
export function setStorePassphrase(home: string, name: string, passphrase: string): void {
  const { address } = namedStore(home, name);
  change(home, (stores) => stores.map((one) => (one.address === address ? { ...one, passphrase } : one)));
}

function change(home: string, edit: (stores: readonly NamedStore[]) => readonly NamedStore[]): void {
  const file = storesFile(home);
  changeFile(
    file,
    () => `${JSON.stringify({ stores: edit(namedStores(home)) }, undefined, 2)}\n`,
    (reason) => unreadable(file, reason),
  );
}

function unreadable(file: string, reason: string): StoreError {
  return new StoreError("store-damaged", `Cannot use ${file}: ${reason}`, { hint: "Check the file, or delete it." });
}
