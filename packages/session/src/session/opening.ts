/** Opens a session, switches it to another file, and closes it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type EntryId, SessionError, type SessionHeader } from "../entry/index.js";
import {
  announcePresence,
  type Log,
  MemoryLog,
  type Presence,
  type PresentRecord,
  readPresence,
} from "../log/index.js";
import { branch, fileLeafId, recordPosition } from "./appending.js";
import { allLines, pathLines } from "./copy-entries.js";
import { copyOrigins } from "./entry-origins.js";
import { sessionFolder } from "./locations.js";
import { findMostRecentSession } from "./most-recent.js";
import { logOfLines } from "./open/log-lines.js";
import {
  copiedSession,
  copiedSessionInSlices,
  emptySession,
  inMemoryLog,
  type LeaveSession,
  type NewSessionOptions,
  newHeader,
  placeBeside,
  type SessionPlace,
} from "./open/new-session.js";
import { openGivenLog } from "./open/open-log.js";
import { emptyLog, type FoundSession, readSession, readSessionInSlices } from "./open/read-session.js";
import { assertOpen, type OpenSession, type SessionAt } from "./open-session.js";
import { getCwd, numberOf } from "./reading.js";
import { fillOptions, type SessionOptions } from "./session-options.js";
import { Attachments } from "./write/attachments.js";

export function create(cwd: string, dir?: string, options?: SessionOptions): OpenSession {
  const folder = resolve(cwd);
  return started(sessionPlace(folder, dir ?? sessionFolder(folder), options));
}

export function inMemory(cwd: string, options?: SessionOptions): OpenSession {
  return started(sessionPlace(resolve(cwd), undefined, options));
}

export function open(path: string, dir?: string, options?: SessionOptions): OpenSession {
  const file = resolve(path);
  const place = placeBeside(file, dir, options);
  return openAt(place, readSession(file, newHeader(place), place.options));
}

export async function openInSlices(path: string, dir?: string, options?: SessionOptions): Promise<OpenSession> {
  const file = resolve(path);
  const place = placeBeside(file, dir, options);
  return openAt(place, await readSessionInSlices(file, newHeader(place), place.options));
}

export function continueRecent(cwd: string, dir?: string, options?: SessionOptions): OpenSession {
  const folder = dir ?? sessionFolder(cwd);
  const recent = findMostRecentSession(folder);
  return recent === null ? create(cwd, folder, options) : open(recent, folder, options);
}

export function fromLines(
  lines: string | Uint8Array | Iterable<string | Uint8Array>,
  options?: SessionOptions,
): OpenSession {
  const place = sessionPlace(process.cwd(), undefined, options);
  const { readOnly } = place.options;
  const opened = openGivenLog(logOfLines(lines, readOnly ? "read" : "write"), { readOnly, upgrade: "write" });
  return openAt(place, readSession(opened, newHeader(place), place.options));
}

interface OnLogOptions extends SessionOptions {
  readonly cwd?: string;
  readonly newLog?: () => Log;
}

export function onLog(log: Log, { cwd = process.cwd(), newLog, ...options }: OnLogOptions): OpenSession {
  const place = { ...sessionPlace(resolve(cwd), undefined, options), newLog: () => emptyLog(newLog) };
  const opened = openGivenLog(log, { readOnly: place.options.readOnly, upgrade: "read" });
  return openAt(place, readSession(opened, newHeader(place), place.options));
}

export function forkFrom(path: string, targetCwd: string, dir?: string, options?: SessionOptions): OpenSession {
  const source = resolve(path);
  if (!existsSync(source))
    throw new SessionError("session-not-found", `No session at ${source}`, { data: { path: source } });
  const session = create(targetCwd, dir, options);
  const original = open(source, undefined, { ...options, readOnly: true });
  try {
    const header = newHeader(session, { parentSession: source });
    copyOrigins(original.at.store.header.id, header.id);
    switchTo(session, copiedSession(session, header, allLines(original.at.store)));
    session.at.leafId = original.at.leafId;
    recordPosition(session);
  } finally {
    close(original);
  }
  return session;
}

export function newSession(session: OpenSession, options: NewSessionOptions): string | undefined {
  assertOpen(session);
  switchTo(session, emptySession(session, newHeader(session, options)));
  return session.at.file;
}

export function setSessionFile(session: OpenSession, path: string): void {
  assertOpen(session);
  switchTo(session, readSession(resolve(path), newHeader(session), session.options));
}

export async function setSessionFileInSlices(session: OpenSession, path: string, leave: LeaveSession): Promise<void> {
  assertOpen(session);
  await switchWhenFound(session, readSessionInSlices(resolve(path), newHeader(session), session.options), leave);
}

export function reopenForWriting(session: OpenSession): void {
  assertOpen(session);
  const { options } = session;
  const { file, readOnly, leafId } = session.at;
  if (file === undefined || readOnly?.kind !== "asked") return;
  session.options = { ...options, readOnly: false };
  try {
    setSessionFile(session, file);
  } catch (error) {
    session.options = options;
    throw error;
  }
  branch(session, leafId);
}

export interface OpenAgainOptions {
  /** `ignored`: where it is never becomes the leaf of the file, for work that goes on beside the session. */
  readonly position?: "recorded" | "ignored";
}

export function openAgain(session: OpenSession, { position = "recorded" }: OpenAgainOptions = {}): OpenSession {
  assertOpen(session);
  const { file, store, readOnly, leafId } = session.at;
  const place = currentPlace(session);
  store.flush();
  const found =
    file === undefined
      ? readSession({ log: logAgain(store.log), readOnly }, store.header, place.options)
      : readSession(file, newHeader(place), place.options);
  const again = { ...openAt(place, found), isAside: position === "ignored" };
  branch(again, leafId);
  return again;
}

function logAgain(log: Log): Log {
  if (log instanceof MemoryLog) return log.another();
  throw new SessionError("no-new-log", "This log cannot be opened a second time");
}

export function createBranchedSession(session: OpenSession, leafId: EntryId): string | undefined {
  switchTo(session, copiedSession(session, ...branched(session, leafId)));
  return session.at.file;
}

export async function createBranchedSessionInSlices(
  session: OpenSession,
  leafId: EntryId,
  leave: LeaveSession,
): Promise<string | undefined> {
  const copy = branched(session, leafId);
  await switchWhenFound(session, copiedSessionInSlices(currentPlace(session), ...copy), leave);
  return session.at.file;
}

/** The header and the lines of a session made from the path to an entry. */
function branched(session: OpenSession, leafId: EntryId): [SessionHeader, Iterable<Buffer>] {
  assertOpen(session);
  const leaf = numberOf(session, leafId);
  recordOwnPosition(session);
  const { file, store } = session.at;
  const header = newHeader(session, file === undefined ? {} : { parentSession: file });
  // Before the copy: a kill in between leaves only a harmless note about lines that do not exist.
  if (file !== undefined) copyOrigins(store.header.id, header.id);
  const { now, newId } = session.options;
  return [header, pathLines(store, leaf, { now, newId })];
}

export function refresh(session: OpenSession): EntryId[] {
  assertOpen(session);
  const { at } = session;
  const news = at.store.refresh();
  if (news.length > 0) at.holdsPosition = true;
  if (at.leafId !== null) at.leafId = at.store.survivorOf(at.leafId);
  return news;
}

export function announce({ at, options }: OpenSession, program: string, note?: string): Presence | undefined {
  if (at.file === undefined) return undefined;
  at.presence?.leave();
  const mode = at.readOnly === undefined ? "write" : "read";
  const { now } = options;
  at.presence = announcePresence(at.file, { program, mode, now, ...(note === undefined ? {} : { note }) });
  return at.presence;
}

export function getOthers({ at, options }: OpenSession): readonly PresentRecord[] {
  if (at.file === undefined) return [];
  return at.presence?.others() ?? readPresence(at.file, { now: options.now }).present;
}

export function close(session: OpenSession): void {
  if (session.closed) return;
  try {
    finish(session);
  } finally {
    session.closed = true;
    session.attachments.left("closed");
  }
}

function sessionPlace(cwd: string, dir: string | undefined, options: SessionOptions | undefined): SessionPlace {
  return { cwd, dir, options: fillOptions(options), newLog: inMemoryLog };
}

/** A copy of where new sessions are created now: the session itself may be elsewhere by the time one is. */
function currentPlace({ cwd, dir, options, newLog }: OpenSession): SessionPlace {
  return { cwd, dir, options, newLog };
}

function started(place: SessionPlace): OpenSession {
  return openAt(place, emptySession(place, newHeader(place)));
}

function openAt({ cwd, dir, options, newLog }: SessionPlace, found: FoundSession): OpenSession {
  const attachments = new Attachments();
  const session = { cwd, dir, options, newLog, at: atFileLeaf(found), closed: false, isAside: false, attachments };
  session.cwd = getCwd(session);
  return session;
}

/** At the leaf that the file records. */
function atFileLeaf({ file, store, readOnly, backup }: FoundSession): SessionAt {
  const leafId = fileLeafId(store);
  return { file, store, readOnly, backup, leafId, holdsPosition: false, beganElsewhere: false, presence: undefined };
}

function switchTo(session: OpenSession, found: FoundSession): void {
  finish(session);
  session.attachments.left("elsewhere");
  session.at = atFileLeaf(found);
  session.cwd = getCwd(session);
}

/** Throws `closed`, and leaves nothing open, if this session was closed in the meantime. */
async function switchWhenFound(
  session: OpenSession,
  finding: Promise<FoundSession>,
  leave: LeaveSession,
): Promise<void> {
  const found = await finding;
  await leave(() => {
    if (session.closed) found.store.close();
    assertOpen(session);
    switchTo(session, found);
  });
}

function finish(session: OpenSession): void {
  const { at, options } = session;
  try {
    if (at.readOnly === undefined) {
      recordOwnPosition(session);
      at.store.flush();
      if (options.durability !== "none") at.store.sync();
    }
  } finally {
    at.presence?.leave();
    at.presence = undefined;
    at.store.close();
  }
}

function recordOwnPosition(session: OpenSession): void {
  if (session.at.holdsPosition) recordPosition(session);
}
