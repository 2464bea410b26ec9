/** New sessions: empty ones, and copies made from the lines of another. */
import { dirname, join } from "node:path";
import { CURRENT_SESSION_VERSION, type SessionHeader } from "../../entry/index.js";
import { inOneGo, inSlices, type Log, MemoryLog } from "../../log/index.js";
import type { Steps } from "../../text/index.js";
import { writeSessionFile, writeSessionFileInSlices } from "../copy-entries.js";
import { sessionFileName } from "../locations.js";
import { type FilledOptions, fillOptions, type SessionOptions } from "../session-options.js";
import { SessionStore } from "../session-store.js";
import { headerLine } from "../write/entry-line.js";
import { openLog } from "./open-log.js";
import { type FoundSession, readSession, readSessionInSlices } from "./read-session.js";

export interface NewSessionOptions {
  readonly id?: string;
  readonly parentSession?: string;
}

/** Decides when to leave the current session: anything that must be done first, then `go`, which leaves it. */
export type LeaveSession = (go: () => void) => Promise<unknown>;

export const leaveAtOnce: LeaveSession = async (go) => go();

/** Where new sessions are created. */
export interface SessionPlace {
  readonly cwd: string;
  /** `undefined` in memory. */
  readonly dir: string | undefined;
  readonly options: FilledOptions;
  /** Makes the log of a new session that has no file. */
  readonly newLog: () => Log;
}

export const inMemoryLog = (): Log => new MemoryLog();

/** The folder of a file, unless another one is given. */
export function placeBeside(file: string, dir?: string, options?: SessionOptions): SessionPlace {
  const filled = fillOptions(options);
  return { cwd: process.cwd(), dir: dir ?? dirname(file), options: filled, newLog: inMemoryLog };
}

export function newHeader({ cwd, options }: SessionPlace, wanted: NewSessionOptions = {}): SessionHeader {
  const { id = options.newSessionId(), parentSession } = wanted;
  return {
    type: "session",
    version: CURRENT_SESSION_VERSION,
    id,
    timestamp: options.now().toISOString(),
    cwd,
    ...(parentSession === undefined ? {} : { parentSession }),
  };
}

/** An empty session: a log that does not exist yet, and its header. */
export function emptySession(place: SessionPlace, header: SessionHeader): FoundSession {
  const { options, newLog } = place;
  const file = fileFor(place, header);
  const log = file === undefined ? newLog() : openLog(file, { access: "write", durability: options.durability }).log;
  return { file, store: new SessionStore(log, { header, ...options }) };
}

/**
 * A session with this header and these lines. If it goes to a file, that is complete and in place before it is opened.
 */
export function copiedSession(place: SessionPlace, header: SessionHeader, lines: Iterable<Buffer>): FoundSession {
  const file = fileFor(place, header);
  if (file === undefined) return inOneGo(copyInMemory(place, header, lines));
  writeSessionFile(file, header, lines);
  return readSession(file, newHeader(place), place.options);
}

/** Like `copiedSession`, in slices that let other work run. */
export async function copiedSessionInSlices(
  place: SessionPlace,
  header: SessionHeader,
  lines: Iterable<Buffer>,
): Promise<FoundSession> {
  const file = fileFor(place, header);
  if (file === undefined) return inSlices(copyInMemory(place, header, lines));
  await writeSessionFileInSlices(file, header, lines);
  return readSessionInSlices(file, newHeader(place), place.options);
}

function* copyInMemory(place: SessionPlace, header: SessionHeader, lines: Iterable<Buffer>): Steps<FoundSession> {
  const log = place.newLog();
  log.write(Buffer.from(`${headerLine(header)}\n`));
  for (const line of lines) {
    log.write(line);
    yield;
  }
  return { file: undefined, store: new SessionStore(log, { header, ...place.options }) };
}

function fileFor({ dir }: SessionPlace, header: SessionHeader): string | undefined {
  return dir === undefined ? undefined : join(dir, sessionFileName(header.timestamp, header.id));
}
