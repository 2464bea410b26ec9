/** What stores and syncs read of a line. Lines come from other machines: a damaged one has no facts and is passed over. */
import { createHash } from "node:crypto";
import { POSITION_TYPE } from "../entry/index.js";
import { parseObject, SYNC_CAUSE } from "../entry/internal.js";
import { isRecord } from "../text/index.js";

/** Marks a line that was rewritten because its ID was taken; see `unite`. */
export const SYNCED_FROM = "syncedFrom";

export interface LineFacts {
  readonly kind: "header" | "entry";
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Undefined for a line that is not a header or an entry. */
export function lineFacts(bytes: Uint8Array): LineFacts | undefined {
  const read = parseObject(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  if (read.kind === "bad") return undefined;
  const { record } = read;
  const { type, id, parentId = null } = record;
  if (typeof type !== "string" || typeof id !== "string" || id === "") return undefined;
  if (parentId !== null && typeof parentId !== "string") return undefined;
  return { kind: type === "session" ? "header" : "entry", id, parentId, type, record };
}

/** Whether a line belongs to this copy alone: where a pull left the position, and lines that were rewritten for this copy. */
export function staysHere({ record }: LineFacts): boolean {
  if (SYNCED_FROM in record) return true;
  if (record.type !== "custom" || record.customType !== POSITION_TYPE) return false;
  return isRecord(record.data) && record.data.cause === SYNC_CAUSE;
}

/** The identity of a line: two lines are the same if all their bytes are. */
export function lineHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
