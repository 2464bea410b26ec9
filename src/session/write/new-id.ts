import { randomFillSync } from "node:crypto";
import type { EntryId } from "../../entry/index.js";

/** Asking the system costs the same for one id and for a thousand. */
const POOL = Buffer.alloc(6 * 1024);
let used = POOL.length;

/** A new id: 12 lower-case hex characters that `isTaken` does not know. */
export function newEntryId(isTaken: (id: EntryId) => boolean): EntryId {
  for (;;) {
    if (used === POOL.length) {
      randomFillSync(POOL);
      used = 0;
    }
    const id = POOL.toString("hex", used, used + 6);
    used += 6;
    if (!isTaken(id)) return id;
  }
}
