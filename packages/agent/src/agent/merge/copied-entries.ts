/**
 * Copies of entries under the leaf, and the record of where they came from.
 *
 * Each group of copies follows a `custom` entry that names its sources, in order. The record comes first, so that an
 * interruption leaves a record without copies, which is ignored, and never copies without a record.
 */

import { BRANCH_SUMMARY_PREAMBLE } from "@bough/session/context/index.js";
import {
  type AssistantMessage,
  type EntryId,
  entryText,
  roleIn,
  type SessionEntry,
} from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";

/** The `customType` of the records; `via` in their data tells the operation. */
const ORIGIN_TYPE = "bough.cherry-pick";

interface Origin {
  readonly via: "cherry-pick" | "merge";
  readonly sourceIds: readonly EntryId[];
  /** The tip of the merged branch. */
  readonly tipId?: EntryId;
  /** Brought by the same operation as the copies above. */
  readonly continues?: true;
}

/** Whether an entry has content that can be copied elsewhere. */
export function isCopyable(entry: SessionEntry): boolean {
  if (entry.type === "message") return roleIn(entry) !== undefined;
  return entry.type === "custom_message" || entry.type === "branch_summary";
}

/** Sources whose copies are on a path, oldest entry first. */
export function copiedOn(path: readonly SessionEntry[], session: Pick<SessionManager, "getEntry">): Set<EntryId> {
  const copied = new Set<EntryId>();
  for (const [index, entry] of path.entries()) {
    const origin = originIn(entry);
    if (origin === undefined) continue;
    let at = index;
    for (const sourceId of origin.sourceIds) {
      at += 1;
      const source = session.getEntry(sourceId);
      const copy = path[at];
      if (source === undefined || copy === undefined || !isCopyOf(copy, source)) break;
      copied.add(sourceId);
    }
  }
  return copied;
}

/** Where the entries right below a record came from; undefined for any other entry. */
export function originIn(entry: SessionEntry): Origin | undefined {
  if (entry.type !== "custom" || entry.customType !== ORIGIN_TYPE || !isRecord(entry.data)) return undefined;
  const { via, sourceIds, tipId, continues } = entry.data;
  if (!Array.isArray(sourceIds) || !sourceIds.every((id) => typeof id === "string")) return undefined;
  return {
    via: via === "merge" ? "merge" : "cherry-pick",
    sourceIds,
    ...(typeof tipId === "string" ? { tipId } : {}),
    ...(continues === true ? { continues } : {}),
  };
}

/**
 * Writes the record and the copies under the leaf. Returns the ids of the copies. Without sources, the record says that
 * only files were brought.
 */
export function appendCopies(
  session: SessionManager,
  sources: readonly SessionEntry[],
  origin: Omit<Origin, "sourceIds">,
): EntryId[] {
  session.appendCustomEntry(ORIGIN_TYPE, { ...origin, sourceIds: sources.map(({ id }) => id) });
  return sources.map((source) => appendCopy(session, source));
}

function appendCopy(session: SessionManager, source: SessionEntry): EntryId {
  if (source.type === "custom_message") {
    return session.appendCustomMessageEntry(source.customType, source.content, source.display, source.details);
  }
  if (source.type === "branch_summary") {
    // A branch summary names the leaf that was left for this position, which is wrong for a copy.
    const text = `${BRANCH_SUMMARY_PREAMBLE}\n\n<summary>\n${source.summary}\n</summary>`;
    return session.appendCustomMessageEntry(COPIED_SUMMARY_TYPE, text, true, source.details);
  }
  if (source.type !== "message") throw new Error(`bug: entry ${source.id} of type ${source.type} cannot be copied`);
  const { message } = source;
  return session.appendMessage(roleIn(source) === "assistant" ? unpaid(message as AssistantMessage) : message);
}

const COPIED_SUMMARY_TYPE = "bough.copied-summary";

/** A copy costs nothing, and the token count of the original belongs to another context. */
function unpaid(message: AssistantMessage): AssistantMessage {
  return { ...message, usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 } };
}

function isCopyOf(copy: SessionEntry, source: SessionEntry): boolean {
  if (source.type === "branch_summary") {
    return (
      copy.type === "custom_message" &&
      copy.customType === COPIED_SUMMARY_TYPE &&
      entryText(copy).includes(source.summary)
    );
  }
  if (copy.type !== source.type || roleIn(copy) !== roleIn(source)) return false;
  return JSON.stringify(contentOf(copy)) === JSON.stringify(contentOf(source));
}

function contentOf(entry: SessionEntry): unknown {
  if (entry.type === "custom_message") return entry.content;
  if (entry.type !== "message") return undefined;
  const { content, command, output } = entry.message as unknown as Readonly<Record<string, unknown>>;
  return [content, command, output];
}
