import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";

/** The tip a merge brought as a summary; undefined for any other entry, summaries of plain moves included. */
export function mergedBy(entry: SessionEntry): EntryId | undefined {
  if (entry.type !== "branch_summary" || !isRecord(entry.details)) return undefined;
  const { mergedTipId } = entry.details;
  return typeof mergedTipId === "string" ? mergedTipId : undefined;
}
