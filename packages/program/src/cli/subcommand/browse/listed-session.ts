/** A session in a list, no matter whose. */

import type { SessionInfo } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import { OWN } from "./agents.js";

export interface ListedSession {
  readonly info: SessionInfo;
  /** Set if it is another agent's. */
  readonly source?: ForeignSession;
  /** Several sessions are in its file, so that the size of the file says nothing about this one. */
  readonly sharesFile?: boolean;
  readonly archivedAt?: string | undefined;
}

export function agentOf({ source }: ListedSession): string {
  return source?.agent ?? OWN;
}

/** The same for people: an imported session says where it came from. */
export function agentWords(session: ListedSession): string {
  const from = session.info.importedFrom;
  return from === undefined ? agentOf(session) : `${OWN} (${from.agent})`;
}

/** Bytes of the session; undefined if its share of the file is unknown. */
export function sizeOf({ info, sharesFile }: ListedSession): number | undefined {
  return sharesFile === true ? undefined : info.size;
}

/** What `--json` prints of it. What was not counted is null. */
export function sessionJson(session: ListedSession): Readonly<Record<string, unknown>> {
  const { info, archivedAt } = session;
  return {
    id: info.id,
    agent: agentOf(session),
    path: info.path,
    name: info.name ?? null,
    firstMessage: info.firstMessage,
    cwd: info.cwd,
    created: info.created.toISOString(),
    modified: info.modified.toISOString(),
    bytes: sizeOf(session) ?? null,
    turns: info.turnCount ?? null,
    messages: info.messageCount ?? null,
    branches: info.branchCount ?? null,
    cost: info.cost ?? null,
    exact: info.exact,
    parentSession: info.parentSession ?? null,
    importedFrom: info.importedFrom ?? null,
    ...defined({ archivedAt, problem: session.source?.problem }),
  };
}
