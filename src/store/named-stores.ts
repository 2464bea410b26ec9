/** The stores a person has set up, by name, in `$BOUGH_HOME/stores.json`. Addresses may hold passwords: the file is private. */
import { join } from "node:path";
import { changeFile, readTextFile } from "../log/index.js";
import { isRecord, jsonObject } from "../text/index.js";
import { StoreError } from "./store-error.js";

export interface NamedStore {
  readonly name: string;
  readonly address: string;
  /** Seals everything that leaves. */
  readonly passphrase?: string;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/;

/** In the order they were added: the first is the default. */
export function namedStores(home: string): readonly NamedStore[] {
  const file = join(home, "stores.json");
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

/** Without a name: the default. */
export function namedStore(home: string, name: string | undefined): NamedStore {
  const stores = namedStores(home);
  const found = name === undefined ? stores[0] : stores.find((one) => one.name === name);
  if (found !== undefined) return found;
  if (name === undefined) {
    throw new StoreError("store-unknown", "No store is set up", {
      hint: "Add one with: bough store add <name> <folder, git remote or postgres URL>",
    });
  }
  const names = stores.map((one) => one.name).join(", ");
  throw new StoreError("store-unknown", `No store is called ${name}`, {
    hint: names === "" ? "Add it with: bough store add <name> <address>" : `Stores: ${names}`,
  });
}

/** Remembers a store. Throws `store-exists` if its name is taken. */
export function addStore(home: string, store: NamedStore): void {
  if (!NAME.test(store.name)) {
    throw new StoreError("store-unknown", `Not a name for a store: ${store.name}`, {
      hint: "Use letters, digits, dots, dashes and underscores.",
    });
  }
  change(home, (stores) => {
    if (stores.some(({ name }) => name === store.name)) {
      throw new StoreError("store-exists", `A store called ${store.name} is already set up`, {
        hint: `Remove it first: bough store remove ${store.name}`,
      });
    }
    return [...stores, store];
  });
}

/** What is in the store stays there. */
export function forgetStore(home: string, name: string): void {
  namedStore(home, name);
  change(home, (stores) => stores.filter((one) => one.name !== name));
}

function change(home: string, edit: (stores: readonly NamedStore[]) => readonly NamedStore[]): void {
  const file = join(home, "stores.json");
  changeFile(
    file,
    () => `${JSON.stringify({ stores: edit(namedStores(home)) }, undefined, 2)}\n`,
    (reason) => unreadable(file, reason),
  );
}

function unreadable(file: string, reason: string): StoreError {
  return new StoreError("store-damaged", `Cannot use ${file}: ${reason}`, { hint: "Check the file, or delete it." });
}
