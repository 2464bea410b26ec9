import { CURRENT_SESSION_VERSION } from "../entry.js";
import type { RawRecord } from "../parse-entries.js";
import { type FieldChange, replaceFields } from "./replace-fields.js";

/** Stands in where neither the entry nor its header has a time: plainly not a real one, and older than everything. */
export const UNKNOWN_TIME = "1970-01-01T00:00:00.000Z";

const HEADER_KEYS: readonly string[] = ["type", "version", "id", "timestamp", "cwd"];

/**
 * A header of version 1 or 2 as one of version 3: `branchedFrom` becomes `parentSession`, and the links that made the
 * header the root of the tree go.
 *
 * The model and thinking level of version 1 stay in the header as they are. As entries they would need ids of their
 * own and shift every index that a compaction holds.
 */
export function upgradeHeader(text: string, record: RawRecord): string {
  const changes = new Map<string, FieldChange | "drop">([
    ["version", { value: String(CURRENT_SESSION_VERSION) }],
    ["uuid", "drop"],
    ["parentUuid", "drop"],
  ]);
  if (record.parentSession === undefined && typeof record.branchedFrom === "string") {
    changes.set("branchedFrom", { key: "parentSession" });
  }
  if (record.timestamp === undefined) changes.set("timestamp", { value: JSON.stringify(UNKNOWN_TIME) });
  return replaceFields(text, { first: HEADER_KEYS, changes });
}
