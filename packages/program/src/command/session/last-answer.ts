import { entryText, Kind, Role, type SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";

/** The nearest answer with words, from the leaf up. */
export function lastAnswer(session: Pick<SessionManager, "getSource">): SessionEntry | undefined {
  const source = session.getSource();
  const { tree } = source;
  for (let at = source.leaf; at >= 0; at = tree.parentOf(at)) {
    if (tree.kindOf(at) !== Kind.message || tree.roleOf(at) !== Role.assistant) continue;
    const entry = source.entryAt(at);
    if (entryText(entry).trim() !== "") return entry;
  }
  return undefined;
}
