/** Puts results directly after their calls, as other programs and providers require. */
import { INTERRUPTED_RESULT } from "@bough/session/context/index.js";
import type { MessageEntry, SessionEntry, ToolCallBlock } from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";
import { isConversationEntry } from "../foreign-entry.js";
import { PathSteps, type StepFacts } from "./path-steps.js";

/**
 * The steps of a path, with exactly one result per call and no other message between the two.
 *
 *     call(1,2)  user  result(2)   ->   call(1,2)  made(1)  result(2)  user
 *
 * A result belongs to the nearest call above it with its ID. Results for which `isFixed` is true are not moved. Reads
 * the path once, and each entry again when its step is requested.
 */
export function pairedSteps(path: EntryPath, isFixed: (entry: SessionEntry) => boolean = () => false): PathSteps {
  const { seen, unanswered, moved, odd } = matchResults(path, isFixed);
  const movedPlaces = new Set([...moved.values()].flat());
  const facts: StepFacts[] = [];
  for (const [place, own] of seen.entries()) {
    if (movedPlaces.has(place)) continue;
    const { id } = own;
    facts.push({ place, ...own, kind: odd.get(place) ?? "given" });
    for (const callId of unanswered.get(place) ?? []) {
      facts.push({ place, id, type: "message", kind: "made", callId });
    }
    for (const result of moved.get(place) ?? []) {
      facts.push({ place: result, ...(seen[result] as Seen), kind: "given" });
    }
  }
  return new PathSteps(path, { facts, made: madeResult });
}

/** All keys are places on the path. */
interface Matches {
  readonly seen: readonly Seen[];
  /** For each answer, its calls that never got a result. */
  readonly unanswered: ReadonlyMap<number, ReadonlySet<string>>;
  /** For each answer, results that are separated from it by other messages; these are moved to directly after it. */
  readonly moved: ReadonlyMap<number, readonly number[]>;
  readonly odd: ReadonlyMap<number, "repeated" | "alone">;
}

type Seen = Pick<StepFacts, "id" | "type" | "callId">;

function matchResults(path: EntryPath, isFixed: (entry: SessionEntry) => boolean): Matches {
  const seen: Seen[] = [];
  const unanswered = new Map<number, Set<string>>();
  const moved = new Map<number, number[]>();
  const odd = new Map<number, "repeated" | "alone">();
  /** For each call ID, the nearest answer that contains it. */
  const nearest = new Map<string, number>();
  /** The last answer, if no other message has followed it. */
  let latest = -1;
  for (const entry of path) {
    const place = seen.length;
    seen.push({ id: entry.id, type: entry.type, ...answeredIn(entry) });
    const calls = isAnswer(entry) ? [...distinctCalls(entry)].map(({ id }) => id) : [];
    for (const id of calls) nearest.set(id, place);
    if (calls.length > 0) unanswered.set(place, new Set(calls));
    if (entry.type !== "message" || entry.message.role !== "toolResult") {
      if (isConversationEntry(entry)) latest = place;
      continue;
    }
    const { toolCallId } = entry.message;
    const answer = nearest.get(toolCallId);
    const open = answer === undefined ? undefined : unanswered.get(answer);
    if (answer === undefined || open?.delete(toolCallId) !== true) {
      if (!isFixed(entry)) odd.set(place, answer === undefined ? "alone" : "repeated");
      continue;
    }
    if (open.size === 0) unanswered.delete(answer);
    if (latest === answer || isFixed(entry)) continue;
    const others = moved.get(answer);
    if (others === undefined) moved.set(answer, [place]);
    else others.push(place);
  }
  return { seen, unanswered, moved, odd };
}

function answeredIn(entry: SessionEntry): { readonly callId?: string } {
  if (entry.type !== "message" || entry.message.role !== "toolResult") return {};
  return { callId: entry.message.toolCallId };
}

function isAnswer(entry: SessionEntry): entry is MessageEntry {
  return entry.type === "message" && entry.message.role === "assistant" && Array.isArray(entry.message.content);
}

function distinctCalls({ message }: MessageEntry): Iterable<ToolCallBlock> {
  const calls = message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [];
  return new Map(calls.map((call) => [call.id, call])).values();
}

/** Uses the ID of the answer, so that a compaction that keeps the answer also keeps this result. */
function madeResult(answer: SessionEntry, callId: string): SessionEntry {
  const { id, parentId, timestamp } = answer;
  const call = isAnswer(answer) ? [...distinctCalls(answer)].find((each) => each.id === callId) : undefined;
  const content = [{ type: "text" as const, text: INTERRUPTED_RESULT }];
  const made = { role: "toolResult" as const, toolCallId: callId, toolName: call?.name ?? "", content, isError: true };
  return { type: "message", id, parentId, timestamp, message: { ...made, timestamp: Date.parse(timestamp) || 0 } };
}
