/** Session files: list, search, check, repair, archive. */
import { resolve } from "node:path";
import { AGENT_NAMES, type AgentName, SessionError } from "@bough/session/entry/index.js";
import {
  archiveSession,
  findingLevel,
  listAllSessions,
  listSessions,
  type OnUnreadable,
  repairSession,
  restoreSession,
  type SessionInfo,
  searchSessions,
  sessionFolder,
  sessionsRoot,
  verifySession,
} from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import { archivedSessions, findArchivedSession, findSession } from "@bough/workbench/find/index.js";
import { z } from "zod";
import { page, paged, sessionRef } from "../shape/common-shapes.js";
import {
  archiveOutcome,
  finding,
  repairReport,
  restoreOutcome,
  searchHit,
  searchProgress,
  sessionInfo,
  verifyReport,
} from "../shape/session-shapes.js";
import { answerPage } from "./answer-page.js";
import type { Hits } from "./open-searches.js";
import { method, type RpcContext } from "./rpc-method.js";

const orThisOne = sessionRef
  .optional()
  .describe("A session: its path, ID, start of ID, or name. Default: the current one.");

export const FILE_METHODS = {
  listSessions: method({
    summary: "A page of the sessions in this folder, in all folders, or in the archive, newest first.",
    params: z.strictObject({ scope: z.enum(["folder", "all", "archive"]).default("folder"), ...page }),
    result: z.object({
      ...paged,
      sessions: z.array(sessionInfo),
      unreadable: z.array(z.string()).describe("Folders and files that could not be read: their sessions are missing."),
    }),
    async run({ started }, { scope, ...request }) {
      const unreadable: string[] = [];
      const all = await found(started, scope, (_error, folder) => unreadable.push(folder));
      const { items, ...place } = await answerPage(all, (info) => defined(info), request);
      return { ...place, sessions: items, unreadable };
    },
  }),
  search: method({
    summary:
      'Searches sessions for words, a "phrase" in quotes, or re: and a regular expression. If there is a `cursor`, it gets the next page; `abort` ends the search.',
    params: z.strictObject({
      query: z.string().min(1).optional(),
      cursor: z.string().optional().describe("From the previous page, instead of a query."),
      scope: z.enum(["session", "folder", "all"]).default("folder"),
      agents: z.array(z.enum(AGENT_NAMES)).optional().describe("Search these agents' sessions too."),
      roles: z.array(z.string()).optional().describe("Only these roles: user, assistant, toolResult, compaction, …"),
      caseSensitive: z.boolean().default(false),
      limit: page.limit,
    }),
    result: z.object({
      hits: z.array(searchHit),
      cursor: z.string().nullable().describe("For the next page; null if there is none."),
      progress: searchProgress.nullable().describe("What was searched; null while there is more."),
    }),
    run(context, { query, cursor, limit, ...request }) {
      if (cursor !== undefined) return context.searches.next(cursor, limit);
      if (query === undefined) throw new SessionError("bad-query", "Nothing to search for");
      return context.searches.start((signal) => hitsOf(context, query, { ...request, signal }), limit);
    },
  }),
  verify: method({
    summary: "Checks a session file for damage and returns a page of findings. Changes nothing.",
    params: z.strictObject({ session: orThisOne, ...page }),
    result: verifyReport.extend({ ...paged, findings: z.array(finding) }),
    async run(context, { session, ...request }) {
      const path = await fileOf(context, session);
      const done = await stoppable(context, (signal) => verifySession(path, { signal }));
      const { findings, ...report } = done;
      const { items, ...place } = await answerPage(
        findings,
        (one) => ({ level: findingLevel(one.code), ...one }),
        request,
      );
      return { ...report, ...place, findings: items };
    },
  }),
  repair: method({
    summary: "Writes what is readable of a damaged session to a new file. The original is not modified.",
    params: z.strictObject({ session: orThisOne, out: z.string().min(1).optional().describe("The new file.") }),
    result: repairReport,
    async run(context, { session, out }) {
      const path = await fileOf(context, session);
      const target = out === undefined ? undefined : resolve(context.started.parts.cwd, out);
      const { before, ...report } = await stoppable(context, (signal) => repairSession(path, { signal, out: target }));
      return { ...report, before: { ok: before.ok, counts: before.counts } };
    },
  }),
  archive: method({
    summary: "Archives a session, unless it is open here or elsewhere.",
    params: z.strictObject({ session: sessionRef }),
    result: archiveOutcome,
    async run(context, { session }) {
      return archiveSession(await fileOf(context, session), { now: () => new Date() });
    },
  }),
  restore: method({
    summary: "Restores an archived session.",
    params: z.strictObject({ session: sessionRef }),
    result: restoreOutcome,
    run: async (_context, { session }) => restoreSession((await findArchivedSession(session)).path),
  }),
};

/** Throws `aborted` if the client stopped it. */
export async function stoppable<Result>(
  { work }: RpcContext,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const done = await work.run({ title: () => "", stops: "", work: run });
  if (done.kind === "done") return done.value;
  throw new SessionError("aborted", "The request was stopped");
}

/** Throws if the session is in memory only. */
async function fileOf({ started }: RpcContext, reference: string | undefined): Promise<string> {
  const { agent, parts } = started;
  if (reference !== undefined) {
    const places = { cwd: parts.cwd, dir: parts.sessionDir };
    return (await findSession(reference, { places, agents: "refuse" })).file;
  }
  const file = agent.session.getSessionFile();
  if (file !== undefined) return file;
  throw new SessionError("session-not-found", "The current session has no file", { hint: "Name a session." });
}

async function found(
  started: RpcContext["started"],
  scope: "folder" | "all" | "archive",
  onUnreadable: OnUnreadable,
): Promise<readonly SessionInfo[]> {
  const { cwd, sessionDir } = started.parts;
  if (scope === "all") return listAllSessions(undefined, { onUnreadable });
  if (scope === "folder") return listSessions(sessionDir ?? sessionFolder(cwd), undefined, { onUnreadable });
  const archived = await archivedSessions({ onUnreadable });
  const sessions = archived.map(({ info, archivedAt }): SessionInfo => ({ ...info, ...defined({ archivedAt }) }));
  return sessions.sort((a, b) => b.modified.getTime() - a.modified.getTime());
}

interface SearchRequest {
  readonly scope: "session" | "folder" | "all";
  readonly agents?: readonly AgentName[] | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly caseSensitive: boolean;
  readonly signal: AbortSignal;
}

async function* hitsOf({ started, commands }: RpcContext, query: string, request: SearchRequest): Hits {
  const { scope, agents, roles, caseSensitive, signal } = request;
  const { cwd, sessionDir } = started.parts;
  const file = started.agent.session.getSessionFile();
  const folder = scope === "all" ? sessionsRoot() : (sessionDir ?? sessionFolder(cwd));
  const own = scope === "session" ? { files: file === undefined ? [] : [file], dir: [] } : { dir: folder };
  const options = { signal, caseSensitive, roles };
  if (agents === undefined || agents.length === 0) return yield* searchSessions(query, { ...options, ...own });
  // The readers for other agents are loaded only if needed.
  const { findPlaces, searchEverywhere } = await import("@bough/workbench/interop/index.js");
  const foreign = () => findPlaces({ ...commands.agentPlaces, signal, agents });
  return yield* searchEverywhere(query, { own, foreign }, options);
}
