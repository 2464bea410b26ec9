import { type TodoItem, todoIn } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";

/** How many entries back to search for a list. */
const FAR = 20_000;

/** The todo list at this position: the last one written on the path. Empty if there is none. */
export function todoOnPath(session: SessionManager): readonly TodoItem[] {
  let steps = 0;
  for (const entry of upwards(session, session.getLeafId())) {
    const items = todoIn(entry);
    if (items !== undefined) return items;
    steps += 1;
    if (steps > FAR) break;
  }
  return [];
}
