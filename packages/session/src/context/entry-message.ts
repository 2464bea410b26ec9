import type { AgentMessage, SessionEntry, UserContent } from "../entry/index.js";
import { isFilledString, type JsonRecord } from "./json-value.js";
import { soundMessage } from "./sound-message.js";

/**
 * The message that one entry contributes to the conversation, or `null` if none: labels, names, extension state, usage,
 * types this version does not know, unreadable entries, and entries whose content cannot be shown.
 *
 * Depends only on the entry, so the same entry gives the same bytes in every session that contains it. Never throws.
 */
export function entryMessage(entry: SessionEntry): AgentMessage | null {
  switch (entry.type) {
    case "message":
      return soundMessage(entry.message);
    case "branch_summary":
      if (!isFilledString(entry.summary)) return null;
      return {
        role: "branchSummary",
        summary: entry.summary,
        fromId: stringOr(entry.fromId, ""),
        timestamp: milliseconds(entry.timestamp),
      };
    case "compaction":
      return {
        role: "compactionSummary",
        summary: stringOr(entry.summary, ""),
        tokensBefore: typeof entry.tokensBefore === "number" ? entry.tokensBefore : 0,
        ...(typeof entry.tokensAfter === "number" ? { tokensAfter: entry.tokensAfter } : {}),
        timestamp: milliseconds(entry.timestamp),
      };
    case "custom_message":
      return soundMessage({
        role: "custom",
        customType: stringOr(entry.customType, ""),
        content: entry.content as UserContent | undefined,
        display: (entry as unknown as JsonRecord).display !== false,
        ...(entry.details === undefined ? {} : { details: entry.details }),
        timestamp: milliseconds(entry.timestamp),
      });
    default:
      return null;
  }
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * An entry's time in milliseconds; 0 if it cannot be parsed.
 *
 * Only full ISO times count, and one without a zone is taken as UTC: `Date.parse` reads other forms in the machine's
 * time zone, but the same path must give the same bytes everywhere.
 */
function milliseconds(time: unknown): number {
  if (typeof time === "number") return Number.isFinite(time) ? time : 0;
  const match = typeof time === "string" ? ISO_TIME.exec(time) : null;
  if (match === null) return 0;
  const parsed = Date.parse(match[1] === undefined ? `${match[0]}Z` : match[0]);
  return Number.isNaN(parsed) ? 0 : parsed;
}

function stringOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
