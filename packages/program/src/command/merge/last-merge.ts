/** Remembers the last merge: /undo reports it before undoing an older move. */
import type { AgentSession } from "@bough/agent/agent/index.js";
import type { EntryId } from "@bough/session/entry/index.js";

interface Brought {
  /** "a summary of #2 lexer". */
  readonly what: string;
  /** Where the leaf was before, and right after. */
  readonly before: EntryId | null;
  readonly after: EntryId | null;
}

const LAST = new WeakMap<AgentSession, Brought>();

export function rememberBrought(agent: AgentSession, brought: Omit<Brought, "after">): void {
  LAST.set(agent, { ...brought, after: agent.session.getLeafId() });
}

/** Once, and only if nothing else happened since. */
export function takeLastMerge(agent: AgentSession): Brought | undefined {
  const last = LAST.get(agent);
  LAST.delete(agent);
  return last !== undefined && last.after === agent.session.getLeafId() ? last : undefined;
}
