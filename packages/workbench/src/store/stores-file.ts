/** Where the user's stores are listed. Apart from what reads the list: without it nothing else of this room is needed. */
import { existsSync } from "node:fs";
import { join } from "node:path";

export function storesFile(home: string): string {
  return join(home, "stores.json");
}

/** Whether a store was ever added. */
export function hasStores(home: string): boolean {
  return existsSync(storesFile(home));
}
