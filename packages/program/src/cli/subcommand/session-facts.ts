/** Facts about a session for JSON and headings. */

import type { SessionManager } from "@bough/session/session/index.js";
import { defined, firstWords } from "@bough/session/text/index.js";
import type { AgentName, ForeignSession } from "@bough/workbench/interop/index.js";

export interface SessionFacts {
  readonly id: string;
  readonly path: string | null;
  readonly name: string | null;
  readonly leafId: string | null;
  /** Set if the session belongs to another agent: then id and path are that agent's. */
  readonly agent?: AgentName;
}

export function sessionFacts(session: SessionManager, foreign?: ForeignSession): SessionFacts {
  return {
    id: foreign?.id ?? session.getSessionId(),
    path: foreign?.path ?? session.getSessionFile() ?? null,
    name: session.getSessionName() ?? null,
    leafId: session.getLeafId(),
    ...defined({ agent: foreign?.agent }),
  };
}

/** The name a user sees. */
export function sessionTitle(session: SessionManager, foreign?: ForeignSession): string {
  const id = foreign?.id ?? session.getSessionId();
  return firstWords(session.getSessionName() ?? foreign?.title ?? "", 80) || `session ${id.slice(0, 8)}`;
}
