/** Turns a file or a log into a usable session, or throws an error that says why not. */
import { SessionError, type SessionHeader } from "../../entry/index.js";
import { inSlices, type Log, WorkTurns } from "../../log/index.js";
import { quickLoadSteps } from "../scan/quick-load.js";
import { SessionIndex } from "../scan/session-index.js";
import type { FilledOptions } from "../session-options.js";
import { SessionStore } from "../session-store.js";
import { type OpenedLog, openLog, type ReadOnlyReason } from "./open-log.js";

/** A session that was read, or a new one. */
export interface FoundSession {
  /** Undefined if the session is not in a file. */
  readonly file: string | undefined;
  readonly store: SessionStore;
  readonly readOnly?: ReadOnlyReason | undefined;
  readonly backup?: string | undefined;
}

/** Reads a file or a log. `header` is used if it is empty. Throws `not-a-session` if it holds something else. */
export function readSession(source: string | OpenedLog, header: SessionHeader, options: FilledOptions): FoundSession {
  const file = typeof source === "string" ? source : undefined;
  const opened = typeof source === "string" ? openFile(source, options) : source;
  return sessionIn(file, opened, new SessionStore(opened.log, { header, ...options }));
}

/** Reads a file in slices that let other work run. */
export async function readSessionInSlices(
  file: string,
  header: SessionHeader,
  options: FilledOptions,
): Promise<FoundSession> {
  const opened = openFile(file, options);
  const index = new SessionIndex(opened.log);
  const turns = new WorkTurns();
  try {
    // Finding the file may have taken a while.
    await turns.yieldNow();
    const quick = await inSlices(quickLoadSteps(opened.log), turns);
    await inSlices(index.loadSteps(quick ?? null), turns);
  } catch (error) {
    opened.log.close();
    throw error;
  }
  return sessionIn(file, opened, new SessionStore(opened.log, { header, ...options, index }));
}

function openFile(file: string, { readOnly, durability }: FilledOptions): OpenedLog {
  return openLog(file, { access: readOnly ? "read" : "write", durability });
}

function sessionIn(file: string | undefined, opened: OpenedLog, store: SessionStore): FoundSession {
  const unknown = store.index.header === undefined && opened.log.end > 0;
  if (unknown && store.tree.count === 0) {
    store.close();
    throw new SessionError(
      "not-a-session",
      file === undefined ? "These lines are not a session" : `${file} is not a session file`,
      {
        data: { path: file, problems: store.index.problems.length },
        hint: "A session file starts with a header line of type session.",
      },
    );
  }
  const reason = opened.readOnly ?? (unknown ? ({ kind: "no-header" } as const) : undefined);
  return { file, store, readOnly: reason, backup: opened.backup };
}

/** The log of a new session, from the option `newLog` of the session it starts from. Throws `no-new-log`. */
export function emptyLog(newLog: (() => Log) | undefined): Log {
  const log = newLog?.();
  if (log?.size() === 0) return log;
  log?.close();
  const found = log === undefined ? "There is no log for a new session" : "The log for a new session is not empty";
  throw new SessionError("no-new-log", found, {
    hint: "Pass the option newLog to SessionManager.onLog: a function that returns an empty log.",
  });
}
