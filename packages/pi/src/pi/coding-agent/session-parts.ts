/** Functions over session entries. */
import { buildSessionContext, entryMessage, getLatestCompactionEntry } from "@bough/session/context/index.js";
import type { AgentMessage, FileEntry, SessionEntry } from "@bough/session/entry/index.js";

/** The path to the leaf as the model sees it: the last compaction, the entries it kept, and those after it. */
export function buildContextEntries(entries: readonly SessionEntry[], leafId?: string | null): readonly SessionEntry[] {
  const whole = pathOf(entries, leafId);
  const path = whole.slice(whole.findLastIndex(({ type }) => type === "reset_boundary") + 1);
  const compaction = getLatestCompactionEntry(path);
  if (compaction === null) return path;
  const at = path.indexOf(compaction);
  const first = path.findIndex(({ id }) => id === compaction.firstKeptEntryId);
  const kept = first < 0 || first > at ? [] : path.slice(first, at);
  return [compaction, ...kept, ...path.slice(at + 1)];
}

export function sessionEntryToContextMessages(entry: SessionEntry): readonly AgentMessage[] {
  const message = entryMessage(entry);
  return message === null ? [] : [message];
}

/** The context, with the source entry of each message. */
export function buildSessionProjection(entries: readonly SessionEntry[], leafId?: string | null) {
  const context = buildSessionContext(entries, leafId);
  return {
    ...context,
    entries: buildContextEntries(entries, leafId).map((sourceEntry) => ({
      sourceEntry,
      messages: sessionEntryToContextMessages(sourceEntry),
    })),
  };
}

function pathOf(entries: readonly FileEntry[], leafId?: string | null): readonly SessionEntry[] {
  if (leafId === null) return [];
  const byId = new Map((entries as readonly SessionEntry[]).map((entry) => [entry.id, entry]));
  const path: SessionEntry[] = [];
  const last = (entries as readonly SessionEntry[]).at(-1)?.id;
  for (let entry = byId.get(leafId ?? last ?? ""); entry !== undefined; entry = byId.get(entry.parentId ?? "")) {
    if (path.includes(entry)) break;
    path.push(entry);
  }
  return path.reverse();
}
