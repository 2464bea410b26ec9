/** How many tokens a context has: the provider's count, plus an estimate of what came after. */
import { buildSessionContext, entryMessage } from "@bough/session/context/index.js";
import {
  type AgentMessage,
  type CompactionEntry,
  type EntryId,
  Kind,
  kindOf,
  type SessionEntry,
  type Usage,
} from "@bough/session/entry/index.js";
import { inOneGo, inSlices, type Steps, WorkTurns } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { isRecord } from "@bough/session/text/index.js";
import { estimateTextTokens } from "../../model/internal.js";

/** An image of the size agents usually see. */
const IMAGE_TOKENS = 1_500;
/** Role and separators. */
const MESSAGE_TOKENS = 4;

export function estimateMessageTokens(message: AgentMessage): number {
  const { summary, content, command, output } = message as unknown as Readonly<Record<string, unknown>>;
  let tokens = MESSAGE_TOKENS;
  for (const text of [summary, command, output]) if (typeof text === "string") tokens += estimateTextTokens(text);
  return tokens + contentTokens(content);
}

/** What an entry adds to a context; 0 for state, labels and the like. */
export function estimateEntryTokens(entry: SessionEntry): number {
  const message = entryMessage(entry);
  return message === null ? 0 : estimateMessageTokens(message);
}

interface ContextTokens {
  readonly tokens: number;
  /** The part that a provider counted. */
  readonly counted: number;
}

/**
 * Tokens of the context at the leaf: the last count of a provider, plus an estimate of what follows it. A count from
 * before a compaction or a context edit says nothing about the context after it.
 */
export function contextTokens(
  session: Pick<SessionManager, "getEntry" | "getLeafId" | "buildSessionContext">,
): ContextTokens {
  return inOneGo(countedAbove(session)) ?? estimated(inOneGo(messagesTokens(session.buildSessionContext().messages)));
}

/** The same in slices, so that a long path does not block. */
export async function contextTokensInSlices(session: SessionManager): Promise<ContextTokens> {
  const turns = new WorkTurns();
  const counted = await inSlices(countedAbove(session), turns);
  if (counted !== undefined) return counted;
  const { messages } = await session.buildSessionContextInSlices();
  return estimated(await inSlices(messagesTokens(messages), turns));
}

function estimated(tokens: number): ContextTokens {
  return { tokens, counted: 0 };
}

/** From the leaf up to the last count of a provider; undefined if no count is valid. */
function* countedAbove(session: Pick<SessionManager, "getEntry" | "getLeafId">): Steps<ContextTokens | undefined> {
  let after = 0;
  for (const entry of upwards(session, session.getLeafId())) {
    if (kindOf(entry) === Kind.compaction || entry.type === "context_edit") return undefined;
    const counted = countedTokens(entry);
    if (counted > 0) return { tokens: counted + after, counted };
    after += estimateEntryTokens(entry);
    yield;
  }
  return undefined;
}

/** Tokens of the context that a compaction at the leaf would leave: its summary and all that it keeps. */
export function tokensAfterCompaction(
  session: Pick<SessionManager, "getBranch" | "getLeafId">,
  compaction: Pick<CompactionEntry, "summary" | "firstKeptEntryId">,
): number {
  const parentId = session.getLeafId();
  const id: EntryId = `${parentId}:compaction`;
  const entry: CompactionEntry = { ...compaction, type: "compaction", id, parentId, timestamp: "", tokensBefore: 0 };
  return inOneGo(messagesTokens(buildSessionContext(session.getBranch().concat(entry), id).messages));
}

function* messagesTokens(messages: readonly AgentMessage[]): Steps<number> {
  let tokens = 0;
  for (const message of messages) {
    tokens += estimateMessageTokens(message);
    yield;
  }
  return tokens;
}

/** All tokens of one call, input and output. 0 if unknown. */
export function usageTokens(usage: unknown): number {
  if (!isRecord(usage)) return 0;
  const { input, output, cacheRead, cacheWrite, totalTokens } = usage as Partial<Usage>;
  const sum = count(input) + count(output) + count(cacheRead) + count(cacheWrite);
  return count(totalTokens) > 0 ? count(totalTokens) : sum;
}

/** How much of a request came from the provider's cache. */
export interface CachedPrompt {
  readonly cached: number;
  /** Tokens that were not cached before, whether or not they were written to the cache. */
  readonly fresh: number;
  /** From 0 to 1. */
  readonly share: number;
}

/** For the request of this answer; undefined if its provider does not count cached tokens. */
export function cachedPrompt(entry: SessionEntry): CachedPrompt | undefined {
  if (countedTokens(entry) === 0) return undefined;
  const { usage } = (entry as { readonly message: { readonly usage: Partial<Usage> } }).message;
  const cached = count(usage.cacheRead);
  const written = count(usage.cacheWrite);
  if (cached + written === 0) return undefined;
  const fresh = count(usage.input) + written;
  return { cached, fresh, share: cached / (cached + fresh) };
}

/** A truncated answer has no reliable count. */
function countedTokens(entry: SessionEntry): number {
  if (entry.type !== "message") return 0;
  const message: unknown = entry.message;
  if (!isRecord(message) || message.role !== "assistant") return 0;
  if (message.stopReason === "error" || message.stopReason === "aborted") return 0;
  return usageTokens(message.usage);
}

function contentTokens(content: unknown): number {
  if (typeof content === "string") return estimateTextTokens(content);
  if (!Array.isArray(content)) return 0;
  let tokens = 0;
  for (const block of content as readonly unknown[]) if (isRecord(block)) tokens += blockTokens(block);
  return tokens;
}

function blockTokens(block: Readonly<Record<string, unknown>>): number {
  switch (block.type) {
    case "text":
      return estimateTextTokens(typeof block.text === "string" ? block.text : "");
    case "thinking":
      return estimateTextTokens(typeof block.thinking === "string" ? block.thinking : "");
    case "image":
      return IMAGE_TOKENS;
    case "toolCall":
      return estimateTextTokens(`${String(block.name)}${JSON.stringify(block.arguments) ?? ""}`);
    default:
      return 0;
  }
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
