/** What JSON and headings say about a session. */
import type { SessionManager } from "../../session/index.js";
import { firstWords } from "../../view/index.js";

export interface SessionFacts {
  readonly id: string;
  readonly path: string | null;
  readonly name: string | null;
  readonly leafId: string | null;
}

export function sessionFacts(session: SessionManager): SessionFacts {
  return {
    id: session.getSessionId(),
    path: session.getSessionFile() ?? null,
    name: session.getSessionName() ?? null,
    leafId: session.getLeafId(),
  };
}

/** What a person calls it. */
export function sessionTitle(session: SessionManager): string {
  return firstWords(session.getSessionName() ?? "", 80) || `session ${session.getSessionId().slice(0, 8)}`;
}
