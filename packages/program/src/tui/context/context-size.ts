/** The size of the context, reading only a few entries; and which entries it consists of. */
import { type CachedPrompt, cachedPrompt, estimateEntryTokens, usageTokens } from "@bough/agent/agent/internal.js";
import { Kind, Role, type SessionEntry } from "@bough/session/entry/index.js";
import { isConversation, type TreeSource } from "@bough/session/tree/index.js";

/** A provider's count is near the end or does not exist, because models that count do so with every answer. */
const LOOKED_AT = 200;

/**
 * The provider's count with the last answer, plus an estimate of what follows. Undefined if no count is near; a count
 * from before a compaction or an edit says nothing about the context after it.
 */
export function countedContext({
  tree,
  leaf,
  entryAt,
}: TreeSource):
  | { readonly tokens: number; readonly counted: number; readonly cached?: CachedPrompt | undefined }
  | undefined {
  let after = 0;
  let looked = 0;
  for (let n = leaf; n >= 0 && looked < LOOKED_AT; n = tree.parentOf(n)) {
    const kind = tree.kindOf(n);
    if (kind === Kind.compaction || kind === Kind.contextEdit) return undefined;
    if (!isConversation(kind)) continue;
    looked += 1;
    const entry = entryAt(n);
    const counted = tree.roleOf(n) === Role.assistant ? countIn(entry) : 0;
    if (counted > 0) return { tokens: counted + after, counted, cached: cachedPrompt(entry) };
    after += estimateEntryTokens(entry);
  }
  return undefined;
}

/**
 * Numbers of what can show: all of the path, or the latest compaction, what it keeps and what follows.
 *
 *     root - a - b - c - compaction(keeps from b) - d*    ->    compaction b c d
 */
export function shownNumbers({ tree, leaf, entryAt }: TreeSource): number[] {
  const after: number[] = [];
  let compaction = -1;
  for (let n = leaf; n >= 0; n = tree.parentOf(n)) {
    if (tree.kindOf(n) === Kind.compaction && entryAt(n).type !== "unreadable") {
      compaction = n;
      break;
    }
    after.push(n);
  }
  if (compaction < 0) return after.reverse();
  const { firstKeptEntryId } = entryAt(compaction) as { readonly firstKeptEntryId?: unknown };
  const anchor = typeof firstKeptEntryId === "string" ? tree.ids.findText(firstKeptEntryId) : -1;
  const kept: number[] = [];
  let found = false;
  for (let n = anchor < 0 ? -1 : tree.parentOf(compaction); n >= 0 && !found; n = tree.parentOf(n)) {
    // Older compactions among them are not shown, because the latest one covers them.
    if (tree.kindOf(n) !== Kind.compaction) kept.push(n);
    found = n === anchor;
  }
  return [compaction, ...(found ? kept.reverse() : []), ...after.reverse()];
}

/** The provider's count of the whole context with an answer. The count of a truncated answer is not reliable. */
export function countIn(entry: SessionEntry): number {
  const message = entry.type === "message" ? (entry.message as unknown) : undefined;
  const { stopReason, usage } = (message ?? {}) as Readonly<Record<string, unknown>>;
  return stopReason === "error" || stopReason === "aborted" ? 0 : usageTokens(usage);
}
