/** Calls with their results right behind them, as the programs and their providers want to find them. */
import { INTERRUPTED_RESULT } from "../../context/index.js";
import type { EntryId, MessageEntry, SessionEntry, ToolCallBlock } from "../../entry/index.js";
import { isConversationEntry } from "../foreign-entry.js";

/** A step of the path to be written. */
export interface PathStep {
  readonly entry: SessionEntry;
  /** `made`: a result for a call that never got one. `repeated`: a second result. `alone`: one whose call is not above. */
  readonly kind: "given" | "made" | "repeated" | "alone";
}

/**
 * The steps of a path, each call with one result, and nothing said between the two.
 *
 *     call(1,2)  user  result(2)   ->   call(1,2)  made(1)  result(2)  user
 *
 * A result belongs to the nearest call of its id above it. A result whose `isFixed` holds stays where it is.
 */
export function pairedSteps(
  entries: readonly SessionEntry[],
  isFixed: (entry: SessionEntry) => boolean = () => false,
): PathStep[] {
  const matches = matchResults(entries, isFixed);
  const steps: PathStep[] = [];
  for (const entry of entries) {
    if (matches.moved.has(entry)) continue;
    steps.push({ entry, kind: matches.odd.get(entry) ?? "given" });
    if (!isAnswer(entry)) continue;
    const results = matches.results.get(entry.id) ?? NO_RESULTS;
    for (const call of distinctCalls(entry)) {
      if (!results.has(call.id)) steps.push({ entry: madeResult(entry, call), kind: "made" });
    }
    for (const result of results.values()) {
      if (matches.moved.has(result)) steps.push({ entry: result, kind: "given" });
    }
  }
  return steps;
}

interface Matches {
  /** By the entry with the calls: the result of each call, in the order of the path. */
  readonly results: ReadonlyMap<EntryId, ReadonlyMap<string, SessionEntry>>;
  /** Results that something was said before: they are written behind their answer and not where they stand. */
  readonly moved: ReadonlySet<SessionEntry>;
  readonly odd: ReadonlyMap<SessionEntry, "repeated" | "alone">;
}

const NO_RESULTS: ReadonlyMap<string, SessionEntry> = new Map();

function matchResults(entries: readonly SessionEntry[], isFixed: (entry: SessionEntry) => boolean): Matches {
  const results = new Map<EntryId, Map<string, SessionEntry>>();
  const moved = new Set<SessionEntry>();
  const odd = new Map<SessionEntry, "repeated" | "alone">();
  const nearest = new Map<string, MessageEntry>();
  /** The answer that nothing was said behind yet. */
  let latest: SessionEntry | undefined;
  for (const entry of entries) {
    if (isAnswer(entry)) for (const { id } of distinctCalls(entry)) nearest.set(id, entry);
    if (entry.type !== "message" || entry.message.role !== "toolResult") {
      if (isConversationEntry(entry)) latest = entry;
      continue;
    }
    const { toolCallId } = entry.message;
    const answer = nearest.get(toolCallId);
    if (answer === undefined) {
      if (!isFixed(entry)) odd.set(entry, "alone");
      continue;
    }
    const own = results.get(answer.id) ?? new Map<string, SessionEntry>();
    results.set(answer.id, own);
    if (own.has(toolCallId)) {
      if (!isFixed(entry)) odd.set(entry, "repeated");
      continue;
    }
    own.set(toolCallId, entry);
    if (latest !== answer && !isFixed(entry)) moved.add(entry);
  }
  return { results, moved, odd };
}

function isAnswer(entry: SessionEntry): entry is MessageEntry {
  return entry.type === "message" && entry.message.role === "assistant" && Array.isArray(entry.message.content);
}

function distinctCalls({ message }: MessageEntry): Iterable<ToolCallBlock> {
  const calls = message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [];
  return new Map(calls.map((call) => [call.id, call])).values();
}

/** It has the id of the answer: to a compaction that keeps the answer it is a part of it. */
function madeResult({ id, parentId, timestamp }: MessageEntry, call: ToolCallBlock): MessageEntry {
  const content = [{ type: "text" as const, text: INTERRUPTED_RESULT }];
  const made = { role: "toolResult" as const, toolCallId: call.id, toolName: call.name, content, isError: true };
  return { type: "message", id, parentId, timestamp, message: { ...made, timestamp: Date.parse(timestamp) || 0 } };
}
