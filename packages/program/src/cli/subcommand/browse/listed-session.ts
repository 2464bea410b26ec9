/** A session in a list, from any agent. */

import type { SessionInfo } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import { OWN } from "./agents.js";

export interface ListedSession {
  readonly info: SessionInfo;
  /** Set if it belongs to another agent. */
  readonly source?: ForeignSession;
  /** Its file contains several sessions, so the file's size says nothing about this one. */
  readonly sharesFile?: boolean;
  readonly archivedAt?: string | undefined;
}

export function agentOf({ source }: ListedSession): string {
  return source?.agent ?? OWN;
}

/** The same for people: an imported session shows its source. */
export function agentWords(session: ListedSession): string {
  const from = session.info.importedFrom;
  return from === undefined ? agentOf(session) : `${OWN} (${from.agent})`;
}

/** Bytes of the session; undefined if its share of the file is unknown. */
export function sizeOf({ info, sharesFile }: ListedSession): number | undefined {
  return sharesFile === true ? undefined : info.size;
}

/** Its `--json` output. Anything not counted is null. */
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
