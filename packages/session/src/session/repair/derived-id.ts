import { hash } from "node:crypto";
import type { EntryId } from "../../entry/index.js";

/** A new entry ID derived from `seed`, so that repairing the same file twice gives the same bytes. */
export function derivedId(seed: string | Uint8Array, isTaken: (id: EntryId) => boolean): EntryId {
  const first = hash("sha256", seed, "hex");
  for (let digest = first; ; digest = hash("sha256", digest, "hex")) {
    const id = digest.slice(0, 12);
    if (!isTaken(id)) return id;
  }
}
