import { type TodoItem, todoIn } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";

/** A list further back than this is not looked for. */
const FAR = 20_000;

/** The todo list at this position: the last one that was written on the way here. Empty if there is none. */
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
