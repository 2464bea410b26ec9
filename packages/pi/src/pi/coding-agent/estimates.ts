/** Estimates the length of a conversation, and finds where it can be cut. */

import { estimateEntryTokens, estimateMessageTokens, usageTokens } from "@bough/agent/agent/internal.js";
import { entryMessage } from "@bough/session/context/index.js";
import type { AgentMessage, SessionEntry, Usage } from "@bough/session/entry/index.js";

export const DEFAULT_COMPACTION_SETTINGS = { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000 } as const;

interface CompactionSettings {
  readonly enabled: boolean;
  readonly reserveTokens: number;
  readonly keepRecentTokens: number;
}

export function estimateTokens(message: AgentMessage): number {
  return estimateMessageTokens(message);
}

export function calculateContextTokens(usage: Usage): number {
  return usageTokens(usage);
}

export function shouldCompact(contextTokens: number, contextWindow: number, settings: CompactionSettings): boolean {
  return settings.enabled && contextTokens > contextWindow - settings.reserveTokens;
}

/** The usage of the last answer that was not aborted and did not fail. */
export function getLastAssistantUsage(entries: readonly SessionEntry[]): Usage | undefined {
  for (const entry of entries.toReversed()) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const { stopReason, usage } = entry.message;
    if (stopReason !== "aborted" && stopReason !== "error" && usageTokens(usage) > 0) return usage;
  }
  return undefined;
}

function roleOf(entry: SessionEntry | undefined): string | undefined {
  return entry === undefined ? undefined : entryMessage(entry)?.role;
}

const STARTS: ReadonlySet<string | undefined> = new Set(["user", "custom", "bashExecution", "branchSummary"]);

/** The entry that starts the turn of this entry; -1 if it starts before `startIndex`. */
export function findTurnStartIndex(entries: readonly SessionEntry[], entryIndex: number, startIndex: number): number {
  for (let at = entryIndex; at >= startIndex; at--) if (STARTS.has(roleOf(entries[at]))) return at;
  return -1;
}

interface CutPointResult {
  readonly firstKeptEntryIndex: number;
  readonly turnStartIndex: number;
  readonly isSplitTurn: boolean;
}

/** The latest cut that keeps at least this many tokens. Never between a call and its result. */
export function findCutPoint(
  entries: readonly SessionEntry[],
  startIndex: number,
  endIndex: number,
  keepRecentTokens: number,
): CutPointResult {
  let kept = 0;
  let cut = startIndex;
  for (let at = endIndex - 1; at >= startIndex; at--) {
    const role = roleOf(entries[at]);
    kept += estimateEntryTokens(entries[at] as SessionEntry);
    if (role === undefined || role === "toolResult") continue;
    cut = at;
    if (kept >= keepRecentTokens) break;
  }
  const isStart = STARTS.has(roleOf(entries[cut]));
  const turnStartIndex = isStart ? -1 : findTurnStartIndex(entries, cut, startIndex);
  return { firstKeptEntryIndex: cut, turnStartIndex, isSplitTurn: !isStart && turnStartIndex !== -1 };
}
