import { contentText, type EntryId } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";

/** Longer answers are cut. */
const MOST_ANSWER = 30_000;

/** The last text that a sub-agent wrote, on the path from `leaf` up to its own entry; "" if there is none. */
export function lastText(session: SessionManager, { leaf, until }: { leaf: EntryId | null; until: EntryId }): string {
  for (const entry of upwards(session, leaf)) {
    if (entry.id === until) break;
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const text = contentText(entry.message.content).trim();
    if (text !== "") return text.length > MOST_ANSWER ? `${text.slice(0, MOST_ANSWER)}\n[cut]` : text;
  }
  return "";
}

/** The same for one that was killed: from the end of its branch. */
export function lastTextBelow(session: SessionManager, id: EntryId): string {
  let leaf = id;
  for (let below = next(session, leaf); below !== undefined; below = next(session, leaf)) leaf = below;
  return lastText(session, { leaf, until: id });
}

/** The last child that is not a record about it. */
function next(session: SessionManager, id: EntryId): EntryId | undefined {
  return session
    .getChildren(id)
    .findLast((entry) => entry.type !== "custom" || session.getChildren(entry.id).length > 0)?.id;
}
