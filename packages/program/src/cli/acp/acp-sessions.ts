/** The sessions of one client: opened, listed, forked, closed. */

import { dirname, isAbsolute } from "node:path";
import type { AgentContext, McpServer } from "@agentclientprotocol/sdk/unstable";
import { planBranchHere } from "@bough/agent/agent/plan.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { readPresence } from "@bough/session/log/index.js";
import {
  archiveSession,
  listAllSessions,
  listArchived,
  listSessions,
  restoreSession,
  type SessionInfo,
  SessionManager,
  sessionFolder,
} from "@bough/session/session/index.js";
import { noticeLine, withoutControls } from "@bough/session/text/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import type { AgentRequest } from "../cli-options.js";
import { prepareAgent } from "../start/prepare-agent.js";
import { openAgent } from "../start/start-agent.js";
import { AcpError, sessionNotFound } from "./acp-error.js";
import { AcpSession } from "./acp-session.js";
import { askPermission } from "./ask/ask-permission.js";
import { clientUi } from "./ask/extension-ui.js";
import { branchPlace } from "./branch/branch-end.js";
import { sessionTitle } from "./branch/branch-title.js";
import { type ArchiveFilter, listBranches } from "./branch/list-branches.js";
import { markHidden, markStart } from "./branch/markers.js";
import { type BranchKey, MAIN, type NamedBranch, readSessionId } from "./branch/session-id.js";
import type { ClientFacts } from "./client/client-facts.js";
import { clientFiles } from "./client/client-files.js";
import { ClientLink } from "./client/client-link.js";
import { clientServers } from "./client/client-servers.js";
import { clientTerminals } from "./client/client-terminal.js";
import { FileSyncs } from "./file-syncs.js";

export interface AcpSessionsParts {
  /** The command line options; they apply to every session. */
  readonly request: Omit<AgentRequest, "session" | "cwd">;
  readonly client: AgentContext;
  readonly ready: () => Promise<void>;
  readonly facts: () => ClientFacts;
  readonly version: string;
  readonly log: (line: string) => void;
}

/** The session's working directory, and the folders and servers the client adds. */
export interface SessionPlace {
  readonly cwd: string;
  /** Files in them are read without asking; writing there asks as elsewhere outside the working directory. */
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly mcpServers?: readonly McpServer[] | undefined;
}

const LONGEST_TITLE = 200;

export class AcpSessions {
  readonly #parts: AcpSessionsParts;
  readonly #live = new Map<string, AcpSession>();
  /** Loads in progress, so that two requests for one session open it once. */
  readonly #loading = new Map<string, Promise<AcpSession>>();
  readonly #syncs = new FileSyncs();
  /** Folders that clients added, of sessions that are open here. */
  readonly #folders = new WeakMap<AcpSession, readonly string[]>();

  constructor(parts: AcpSessionsParts) {
    this.#parts = parts;
  }

  /** A session that is open in this process. Throws if it is not. */
  live(sessionId: string): AcpSession {
    const session = this.#live.get(sessionId);
    if (session === undefined) throw sessionNotFound(sessionId);
    return session;
  }

  create(place: SessionPlace): Promise<AcpSession> {
    return this.#start(place, MAIN);
  }

  /** The branch with this id, opened if it is not open yet. */
  async load(sessionId: string, place: SessionPlace): Promise<AcpSession> {
    const open = this.#live.get(sessionId) ?? this.#loading.get(sessionId);
    if (open !== undefined) return open;
    const loading = this.#load(sessionId, place).finally(() => this.#loading.delete(sessionId));
    this.#loading.set(sessionId, loading);
    return loading;
  }

  async #load(sessionId: string, place: SessionPlace): Promise<AcpSession> {
    checkCwd(place.cwd);
    const { info, key } = await this.#find(sessionId, place.cwd);
    const session = await this.#opened(info.path);
    try {
      if (!goTo(session, key)) throw sessionNotFound(sessionId);
    } catch (error) {
      session.close();
      throw error;
    }
    return this.#start(place, key, session);
  }

  /**
   * Starts a new branch in the same file, at an entry or at the end of the branch being forked. If the entry is a
   * prompt, it starts just before it and returns its text.
   */
  async fork(
    sessionId: string,
    place: SessionPlace,
    message?: string,
  ): Promise<{ readonly session: AcpSession; readonly prompt?: string }> {
    const open = this.#live.get(sessionId);
    checkCwd(place.cwd);
    const { path, key } = await this.#forkSource(sessionId, place.cwd);
    const entryId = message === undefined ? undefined : (open?.entryOf(message) ?? (message as EntryId));
    const session = await this.#opened(path);
    try {
      if (!goTo(session, key)) throw sessionNotFound(sessionId);
      const at = open?.started.agent.session.getLeafId();
      if (at !== undefined) session.branch(at);
      let prompt: string | undefined;
      if (entryId !== undefined) {
        const plan = planBranchHere(session, { entryId });
        if (plan.kind === "move") {
          session.branch(plan.newLeafId);
          prompt = plan.editorText;
        }
      }
      const forked = await this.#start(place, markStart(session), session);
      return { session: forked, prompt };
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** Sessions of a folder, or of all folders, newest first; then those in the archive, if they may be listed. */
  async list(cwd: string | undefined, archived: ArchiveFilter = "exclude"): Promise<readonly SessionInfo[]> {
    const files = await this.#filesInPlace(cwd);
    return archived === "exclude" ? files : [...files, ...(await this.#filesInArchive())];
  }

  /** The folders that a client added to a session, if it is open in this process. */
  foldersOf(sessionId: string): readonly string[] {
    const open = this.#live.get(sessionId);
    return open === undefined ? [] : (this.#folders.get(open) ?? []);
  }

  #filesInPlace(cwd: string | undefined): Promise<readonly SessionInfo[]> {
    const { sessionDir } = this.#parts.request;
    const onUnreadable = ({ message }: Error) => this.#parts.log(message);
    if (sessionDir !== undefined) return listSessions(sessionDir);
    return cwd === undefined ? listAllSessions(undefined, { onUnreadable }) : listSessions(sessionFolder(cwd));
  }

  /**
   * Names the session if this is its first branch, otherwise labels the branch. Returns the title as it is listed from
   * now on.
   */
  async setTitle(sessionId: string, wanted: string): Promise<string> {
    const title = withoutControls(wanted).replace(/\s+/g, " ").trim().slice(0, LONGEST_TITLE);
    if (title === "") throw new AcpError("invalidParams", "The title is empty");
    const open = this.#live.get(sessionId);
    if (open !== undefined) {
      const stored = retitle(open.started.agent.session, open.key, title);
      open.tellTitle();
      return stored;
    }
    const { info, key } = await this.#find(sessionId);
    const session = await this.#opened(info.path);
    try {
      if (!goTo(session, key)) throw sessionNotFound(sessionId);
      return retitle(session, key, title);
    } finally {
      session.close();
    }
  }

  async close(sessionId: string): Promise<void> {
    const session = this.live(sessionId);
    this.#live.delete(sessionId);
    await session.close();
    await this.#syncs.closed(session, this.#live.values());
  }

  async #filesInArchive(): Promise<readonly SessionInfo[]> {
    const onUnreadable = ({ message }: Error) => this.#parts.log(message);
    const folders = new Set(listArchived({ onUnreadable }).map(({ path }) => dirname(path)));
    const lists = await Promise.all([...folders].map((folder) => listSessions(folder)));
    return lists.flat();
  }

  /** Takes a branch off the list until `unarchive`; with the last one, the file goes to the archive. */
  async archive(sessionId: string): Promise<void> {
    const open = this.#live.get(sessionId);
    const isEmpty =
      open !== undefined && (open.file === undefined || open.started.agent.session.getFileLeafId() === null);
    if (isEmpty)
      throw new AcpError("invalidRequest", "The session has no messages yet, so there is nothing to archive");
    const found = firstMatch(readSessionId(sessionId), await this.list(undefined));
    if (found === undefined) {
      if (firstMatch(readSessionId(sessionId), await this.#filesInArchive()) === undefined)
        throw sessionNotFound(sessionId);
      return;
    }
    const { info, key } = found;
    const session = await this.#opened(info.path);
    let isLast = false;
    try {
      const branch = listBranches(session.getSource(), "include").find((listed) => listed.key === key);
      if (branch === undefined) throw sessionNotFound(sessionId);
      isLast = listBranches(session.getSource()).every((listed) => listed.key === key);
      // Change nothing if the file cannot go to the archive.
      if (isLast) refuseOpenElsewhere(info.path);
      if (open !== undefined) await this.close(sessionId);
      if (!branch.archived) markHidden(session, key, "archived");
    } finally {
      session.close();
    }
    if (isLast) this.#archive(info.path);
  }

  /** Lists a branch again, and puts its file back if it is in the archive. Does not open it. */
  async unarchive(sessionId: string): Promise<void> {
    const meant = readSessionId(sessionId);
    let found = firstMatch(meant, await this.list(undefined));
    let path = found?.info.path;
    if (found === undefined) {
      found = firstMatch(meant, await this.#filesInArchive());
      if (found === undefined) throw sessionNotFound(sessionId);
      const restored = restoreSession(found.info.path);
      if (restored.kind === "missing") throw sessionNotFound(sessionId);
      if (restored.kind === "failed")
        throw new AcpError("internal", `The session was not restored: ${restored.reason}`);
      path = restored.path;
    }
    const session = await this.#opened(path as string);
    try {
      const branch = listBranches(session.getSource(), "include").find(({ key }) => key === found?.key);
      if (branch === undefined) throw sessionNotFound(sessionId);
      if (branch.archived) markHidden(session, branch.key, "shown");
    } finally {
      session.close();
    }
  }

  /** Removes a branch from the list. Removing the last listed branch archives the session. */
  async remove(sessionId: string): Promise<void> {
    const open = this.#live.get(sessionId);
    const file = open?.file;
    if (open !== undefined) await this.close(sessionId);
    // It has no conversation.
    if (open !== undefined && (file === undefined || open.started.agent.session.getFileLeafId() === null)) return;
    const { info, key } = await this.#find(sessionId, open?.started.parts.cwd);
    const session = await this.#opened(info.path);
    let isLast = false;
    try {
      isLast = listBranches(session.getSource()).every((branch) => branch.key === key);
      if (!isLast) markHidden(session, key, "hidden");
    } finally {
      session.close();
    }
    if (isLast) this.#archive(info.path);
  }

  /** Stops what runs in every session and closes them. */
  async closeAll(): Promise<void> {
    const sessions = [...this.#live.values()];
    this.#live.clear();
    await Promise.all(sessions.map((session) => session.close()));
  }

  #archive(path: string): void {
    const outcome = archiveSession(path, { now: () => new Date() });
    if (outcome.kind === "in-use") throw openElsewhere();
    if (outcome.kind === "failed") throw new AcpError("internal", `The session was not archived: ${outcome.reason}`);
  }

  async #forkSource(sessionId: string, cwd: string): Promise<{ readonly path: string; readonly key: BranchKey }> {
    const open = this.#live.get(sessionId);
    if (open === undefined) {
      const { info, key } = await this.#find(sessionId, cwd);
      return { path: info.path, key };
    }
    const { session } = open.started.agent;
    if (open.file === undefined || session.getFileLeafId() === null) {
      throw new AcpError("invalidRequest", "The session has no messages yet, so there is nothing to fork");
    }
    return { path: open.file, key: open.key };
  }

  /** Finds a session by its exact id, in the folder or anywhere. Never builds a path from what a client sent. */
  async #find(sessionId: string, cwd?: string): Promise<{ readonly info: SessionInfo; readonly key: BranchKey }> {
    const meant = readSessionId(sessionId);
    const matchIn = (list: readonly SessionInfo[]) => firstMatch(meant, list);
    const found =
      (cwd === undefined ? undefined : matchIn(await this.list(cwd))) ?? matchIn(await this.list(undefined));
    if (found === undefined) throw sessionNotFound(sessionId);
    return found;
  }

  /** Opens a session for reading: a second view if it is open here, otherwise the file. */
  async #opened(path: string): Promise<SessionManager> {
    const open = [...this.#live.values()].find(({ file }) => file === path);
    if (open !== undefined) return open.started.agent.session.openAgain();
    return SessionManager.openInSlices(path, this.#parts.request.sessionDir);
  }

  async #start(place: SessionPlace, key: BranchKey, given?: SessionManager): Promise<AcpSession> {
    const { cwd, mcpServers = [], additionalDirectories = [] } = place;
    checkCwd(cwd);
    for (const folder of additionalDirectories) checkCwd(folder, "additionalDirectories");
    const { client, ready, facts, version, request, log } = this.#parts;
    const link = new ClientLink({ client, ready, facts: facts() });
    let made: AcpSession | undefined;
    const { servers, problems } = clientServers(mcpServers);
    const prepared = await prepareAgent(
      { ...request, cwd, session: { kind: "new" } },
      {
        ui: (relay) => clientUi(link, (message, level = "info") => relay.notice(level, message)),
        hasUi: true,
        mode: "rpc",
        ask: (question) => askPermission(link, question, { cwd }),
        editor: clientFiles(link),
        runProcess: clientTerminals(link, (callId) => made?.hasTerminal(callId)),
        servers,
        folders: additionalDirectories,
        tellSync: (level, notice) => {
          if (level !== "info") log(noticeLine(notice));
        },
        version,
      },
    );
    for (const problem of problems) prepared.relay.notice("warning", problem);
    const started = await openAgent(prepared, given);
    made = new AcpSession({ started, link, key, log, onTurn: (session) => this.#syncs.turned(session) });
    link.name(made.id);
    try {
      await made.begin();
    } catch (error) {
      await made.close();
      throw error;
    }
    this.#live.set(made.id, made);
    this.#folders.set(made, additionalDirectories);
    await this.#syncs.opened(made);
    return made;
  }
}

function refuseOpenElsewhere(path: string): void {
  const { present } = readPresence(path, { now: () => new Date() });
  if (present.some(({ pid }) => pid !== process.pid)) throw openElsewhere();
}

function openElsewhere(): AcpError {
  return new AcpError("invalidRequest", "The session is open in another program");
}

/** Goes to the end of a branch; false if there is none. */
function goTo(session: SessionManager, key: BranchKey): boolean {
  const source = session.getSource();
  const place = branchPlace(source, key);
  if (place === undefined) return false;
  session.branch(place.leaf < 0 ? null : (source.tree.ids.textOf(place.leaf) as EntryId));
  return true;
}

function firstMatch(meant: readonly NamedBranch[], list: readonly SessionInfo[]) {
  for (const { session, key } of meant) {
    const info = list.find(({ id }) => id === session);
    if (info !== undefined) return { info, key };
  }
  return undefined;
}

function checkCwd(path: string, field = "cwd"): void {
  if (!isAbsolute(path)) throw new AcpError("invalidParams", `${field} must be an absolute path, not ${path}`);
}

/** The title as it is listed. A branch whose messages are all shared has nothing to label. */
function retitle(session: SessionManager, key: BranchKey, title: string): string {
  if (key === MAIN) session.appendSessionInfo(title);
  else {
    const source = session.getSource();
    const branch = listBranches(source).find((listed) => listed.key === key);
    const branches = branchIndexOf(source.tree);
    const first = branch === undefined || branch.end < 0 ? -1 : branches.firstOf(branches.branchOf(branch.end));
    const isShared = listBranches(source).some((other) => other.key !== key && other.end === branch?.end);
    if (first < 0 || isShared) {
      throw new AcpError("invalidRequest", "The branch has no messages of its own yet, so it cannot have a title");
    }
    session.appendLabelChange(source.tree.ids.textOf(first) as EntryId, title);
  }
  return sessionTitle(session.getSource(), key);
}
