import { entryMessage } from "@bough/session/context/index.js";
import { callsIn, resultIn, roleIn, type SessionEntry, startsTurn } from "@bough/session/entry/index.js";
import type { Steps } from "@bough/session/log/index.js";
import { estimateEntryTokens } from "../summary/token-estimate.js";

interface CompactionCut {
  /** Index of the first entry that is kept verbatim. */
  readonly at: number;
  /** The cut is inside a turn. */
  readonly splitTurn: boolean;
}

/**
 * Where to cut what is shown, so that about `keepTokens` stay verbatim; undefined if nothing could be summarized.
 *
 *     user answer | user answer call result answer          at a turn, as many turns as fit
 *     user call result | call result answer                 inside a turn, where one alone is too big
 *
 * Never between a call and its results. Where everything would fit, the last turn is kept.
 */
export function* compactionCut(entries: readonly SessionEntry[], keepTokens: number): Steps<CompactionCut | undefined> {
  const whole = yield* wholePoints(entries);
  const firstSpeaking = entries.findIndex(speaks);
  if (firstSpeaking < 0) return undefined;
  const points = whole.filter((index) => index > firstSpeaking);
  const turns = points.filter((index) => isCutPoint(entries[index] as SessionEntry));
  const fits = yield* firstThatFits(entries, keepTokens);
  const turn = turns.find((index) => index >= fits) ?? undefined;
  if (turn !== undefined) return { at: fits <= firstSpeaking ? (turns.at(-1) as number) : turn, splitTurn: false };
  // The last turn alone exceeds the budget, or it is the only one.
  if (fits <= firstSpeaking) return undefined;
  const inside = points.find((index) => index >= fits) ?? points.at(-1);
  if (inside === undefined) return undefined;
  return { at: inside, splitTurn: !isCutPoint(entries[inside] as SessionEntry) };
}

/** Index from which the rest is at most `keepTokens`. */
function* firstThatFits(entries: readonly SessionEntry[], keepTokens: number): Steps<number> {
  let left = keepTokens;
  for (let i = entries.length - 1; i >= 0; i--) {
    left -= estimateEntryTokens(entries[i] as SessionEntry);
    if (left < 0) return i + 1;
    yield;
  }
  return 0;
}

/** Whether an entry contributes to a context. */
function speaks(entry: SessionEntry): boolean {
  return entryMessage(entry) !== null;
}

/** Shell commands and summaries count like prompts here. */
function isCutPoint(entry: SessionEntry): boolean {
  return startsTurn(entry) || entry.type === "branch_summary" || roleIn(entry) === "bashExecution";
}

/** Indices of entries with content where no call before them waits for a later result. */
function* wholePoints(entries: readonly SessionEntry[]): Steps<number[]> {
  const lastResult = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const result = resultIn(entry);
    if (result !== undefined) lastResult.set(result.toolCallId, index);
    yield;
  }
  const points: number[] = [];
  let openUntil = -1;
  for (const [index, entry] of entries.entries()) {
    if (index > openUntil && resultIn(entry) === undefined && speaks(entry)) points.push(index);
    for (const call of callsIn(entry)) openUntil = Math.max(openUntil, lastResult.get(call.id) ?? -1);
    yield;
  }
  return points;
}
