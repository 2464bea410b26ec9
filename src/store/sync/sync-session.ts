/** Unites one session file with a store: pushes what the store lacks, then pulls what the file lacks. */
import { statSync } from "node:fs";
import { FileLog } from "../../log/index.js";
import { SessionManager } from "../../session/index.js";
import type { SessionAbout, Store } from "../store.js";
import { StoreError } from "../store-error.js";
import { lineFacts } from "../stored-line.js";
import { type Pulled, pullSession } from "./pull-session.js";
import { asStoreError, pushSession, tailAt } from "./push-session.js";
import { NEW_STATE, type SyncState, type SyncStates } from "./sync-state.js";

export interface SyncSessionOptions {
  readonly store: Store;
  readonly states: SyncStates;
  readonly sessionId: string;
  /** The session's file. It is made if it is not there and the store has the session. */
  readonly file: string;
  /** What lists show of it. */
  readonly about?: SessionAbout;
  /** The working folder that a new file gets; default: the one of the machine it comes from. */
  readonly cwd?: string;
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
}

export interface SyncedSession extends Pick<Pulled, "arrivals" | "taken" | "damaged"> {
  readonly sessionId: string;
  readonly file: string;
  readonly pushed: number;
  readonly pulled: number;
}

/** Rejects with a `StoreError`. Whatever was done until then counts, and syncing again continues there. */
export async function syncSession(options: SyncSessionOptions): Promise<SyncedSession> {
  const { store, states, sessionId, file, about = {}, signal, now = () => new Date() } = options;
  const common = { sessionId, store, ...(signal === undefined ? {} : { signal }) };
  const position = positionIn(file);
  const log = new FileLog(file, { access: "write" });
  let state = states.get(sessionId) ?? NEW_STATE;
  const save = (next: SyncState) => {
    state = next;
    states.set(sessionId, next);
  };
  try {
    let pushed = 0;
    if (log.size() > 0) ({ added: pushed } = await pushSession({ ...common, log, about, state, save }));
    const header = (line: Uint8Array | undefined) => headerFor(sessionId, { line, cwd: options.cwd, now });
    const pulled = await pullSession({ ...common, log, state, position, now, header, save });
    if (pulled.added > 0) log.sync();
    save(settled(log, state));
    const { arrivals, taken, damaged } = pulled;
    return { sessionId, file, pushed, pulled: pulled.added, arrivals, taken, damaged };
  } catch (error) {
    throw signal?.aborted === true
      ? new StoreError("sync-aborted", "The sync was stopped", { cause: error })
      : asStoreError(error, store);
  } finally {
    log.close();
  }
}

/** If everything after `pushedTo` was pulled, there is nothing left to push, and the file's size says so. */
function settled(log: FileLog, state: SyncState): SyncState {
  const size = log.size();
  let at = state.pushedTo;
  for (const { start, end } of [...state.pulled].sort((a, b) => a.start - b.start))
    if (start <= at) at = Math.max(at, end);
  if (at < size) return { ...state, size: -1 };
  return { ...state, pushedTo: size, tail: tailAt(log, size), pulled: [], size };
}

/** Whether a file has what it had after the last sync. Looks at nothing but its size. */
export function isUnchanged(file: string, state: SyncState | undefined): boolean {
  return state !== undefined && statSync(file, { throwIfNoEntry: false })?.size === state.size;
}

/** Undefined without a file. */
function positionIn(file: string): string | null | undefined {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const session = SessionManager.open(file, undefined, { readOnly: true });
  try {
    return session.getLeafId();
  } finally {
    session.close();
  }
}

interface NewHeader {
  readonly line: Uint8Array | undefined;
  readonly cwd: string | undefined;
  readonly now: () => Date;
}

/** The header of the store with the folder of this machine. */
export function headerFor(sessionId: string, { line, cwd, now }: NewHeader): Uint8Array {
  const record = line === undefined ? undefined : lineFacts(line)?.record;
  if (line !== undefined && record !== undefined && (cwd === undefined || record.cwd === cwd)) return line;
  const base = record ?? { type: "session", version: 3, id: sessionId, timestamp: now().toISOString(), cwd: "" };
  return Buffer.from(JSON.stringify({ ...base, ...(cwd === undefined ? {} : { cwd }) }));
}
