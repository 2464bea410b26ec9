/** The file that lists the user's stores. Separate from the code that reads it, so that checking for it loads nothing else. */
import { existsSync } from "node:fs";
import { join } from "node:path";

export function storesFile(home: string): string {
  return join(home, "stores.json");
}

/** Whether a store was ever added. */
export function hasStores(home: string): boolean {
  return existsSync(storesFile(home));
}
