/** The flag that a hint needs to refer to the same store. */

import { attempt } from "@bough/session/text/index.js";
import { chosenStore } from "@bough/workbench/store/internal.js";

/** " --store pg", or "" if that is the default store. */
export function storeFlag(home: string, name: string): string {
  // The settings may name a store that no longer exists: then there is no default.
  return attempt(() => chosenStore(home))?.name === name ? "" : ` --store ${name}`;
}
