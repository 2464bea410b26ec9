/** `session/list`: branches with their titles, a page at a time. */
import type { SessionInfo as ListedSession, ListSessionsResponse } from "@agentclientprotocol/sdk/unstable";
import { type SessionInfo, SessionManager } from "@bough/session/session/index.js";
import { attempt, isRecord, parsedJson, withoutControls } from "@bough/session/text/index.js";
import { AcpError } from "./acp-error.js";
import { branchTitle } from "./branch/branch-title.js";
import { type ArchiveFilter, listBranches } from "./branch/list-branches.js";
import { MAIN, sessionIdOf } from "./branch/session-id.js";

/** Session files per page; each is read to list its branches. */
const PAGE = 50;

interface Wanted {
  readonly cwd: string | undefined;
  readonly archived: ArchiveFilter;
  readonly cursor: string | undefined;
  /** Folders that the client added to a session. */
  readonly foldersOf?: (sessionId: string) => readonly string[];
}

/** Newest session first, with the branches of a session together. An unreadable file is listed as one branch. */
export async function listPage(
  files: readonly SessionInfo[],
  { cwd, cursor, archived, foldersOf }: Wanted,
): Promise<ListSessionsResponse> {
  const chosen = cwd === undefined ? files : files.filter((info) => info.cwd === cwd);
  const from = cursor === undefined ? 0 : offsetIn(cursor);
  const sessions: ListedSession[] = [];
  for (const info of chosen.slice(from, from + PAGE)) sessions.push(...(await branchesIn(info, archived)));
  const next = from + PAGE < chosen.length ? { nextCursor: cursorAt(from + PAGE) } : {};
  const withFolders = sessions.map((session) => {
    const folders = foldersOf?.(session.sessionId) ?? [];
    return folders.length === 0 ? session : { ...session, additionalDirectories: [...folders] };
  });
  return { sessions: withFolders, ...next };
}

async function branchesIn(info: SessionInfo, filter: ArchiveFilter): Promise<readonly ListedSession[]> {
  const session = await SessionManager.openInSlices(info.path, undefined, { readOnly: true }).catch(() => undefined);
  if (session === undefined) {
    return filter === "only" ? [] : [listed(info, { id: info.id, title: info.name ?? info.firstMessage })];
  }
  try {
    const source = session.getSource();
    return listBranches(source, filter).map((branch) => {
      const { key, end, archived } = branch;
      const entry = end < 0 ? undefined : source.entryAt(end);
      const isMain = key === MAIN;
      return listed(info, {
        id: sessionIdOf(info.id, key),
        title: branchTitle(source, branch),
        archived,
        meta: { sessionFile: info.path, ...(entry === undefined ? {} : { entryId: entry.id }) },
        ...(isMain || entry === undefined ? {} : { updatedAt: entry.timestamp }),
      });
    });
  } finally {
    session.close();
  }
}

interface Branch {
  readonly id: string;
  readonly title: string;
  readonly archived?: boolean;
  readonly updatedAt?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

function listed(info: SessionInfo, { id, title, updatedAt, archived = false, meta = {} }: Branch): ListedSession {
  return {
    sessionId: id,
    cwd: info.cwd,
    title: withoutControls(title),
    archived,
    updatedAt: attempt(() => new Date(updatedAt ?? info.modified).toISOString()) ?? info.modified.toISOString(),
    _meta: { bough: meta },
  };
}

function cursorAt(offset: number): string {
  return Buffer.from(JSON.stringify({ offset })).toString("base64url");
}

function offsetIn(cursor: string): number {
  const value = parsedJson(Buffer.from(cursor, "base64url").toString("utf8"));
  const offset = isRecord(value) ? value.offset : undefined;
  if (typeof offset !== "number" || !Number.isInteger(offset) || offset < 0) {
    throw new AcpError("invalidParams", "Invalid cursor");
  }
  return offset;
}
