/**
 * Unites one session file with a store: pushes what the store lacks, then pulls what the file lacks.
 *
 * How it works. Both sides only ever add lines, and a line is known by its entry ID, so uniting is a union: two machines
 * that continued the same session give two branches. The state of the last sync says how far each side was. It counts
 * only if the file still has the bytes it names, otherwise everything is compared again. Push (`push-session.ts`) scans
 * what is new for secrets before any of it leaves, sends file contents first and then the lines that name them. Pull
 * (`pull-session.ts`) fetches what came after the cursor; under a lock, `unite.ts` skips the lines that are here and
 * appends the rest with one write, whose last line records this copy's position, so that pulling never moves you. If the
 * store lost something since the cursor, everything is offered once more. At the end the state is saved: losing it costs
 * time, never a line, and whatever was done before an error counts.
 */
import { statSync } from "node:fs";
import { FileLog } from "@bough/session/log/index.js";
import { Origins } from "@bough/session/session/internal.js";
import { SessionContents, type SyncedContents } from "../files/session-contents.js";
import type { SessionAbout, Store } from "../store.js";
import { StoreError } from "../store-error.js";
import { lineFacts } from "../stored-line.js";
import { PositionHere } from "./position-here.js";
import { type Pulled, pullSession } from "./pull-session.js";
import { asStoreError, continuesAt, type MayLeave, pushSession, tailAt } from "./push-session.js";
import { NEW_STATE, PATH_ONLY, type SyncState, type SyncStates } from "./sync-state.js";
import type { NewLine } from "./unite.js";

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
  /** Asked before entries leave this machine; see `MayLeave`. Without it they leave. */
  readonly mayLeave?: MayLeave;
  /**
   * Contents of files that entries name go with them: `safe`, the default, all but those that may contain secrets;
   * `all`; or `none`. Those of others come when they are needed; see `contentsOfStores`.
   */
  readonly files?: "safe" | "all" | "none";
  /** Fetch the contents of all files of the session, and push those that did not go before. */
  readonly everyFile?: boolean;
  /** Where this copy is, if the session is open here: it may have moved without writing it. */
  readonly position?: () => string | null;
}

export interface SyncedSession extends Pick<Pulled, "arrivals" | "taken" | "damaged"> {
  readonly sessionId: string;
  readonly file: string;
  readonly pushed: number;
  readonly pulled: number;
  /** Something was kept here, because it may contain secrets. */
  readonly held?: true;
  readonly contents?: SyncedContents;
}

/** Rejects with a `StoreError`. Whatever was done until then counts, and syncing again continues there. */
export async function syncSession(options: SyncSessionOptions): Promise<SyncedSession> {
  const { store, states, sessionId, file, about = {}, signal, now = () => new Date() } = options;
  const common = { sessionId, store, signal };
  const log = new FileLog(file, { access: "write" });
  let state = continuesAt(log, states.get(sessionId) ?? NEW_STATE);
  const save = (next: SyncState) => {
    state = next;
    // Without a file nothing was synced yet: a session whose lines are still on their way was not deleted here.
    if (log.size() > 0) states.set(sessionId, next);
  };
  const own = options.position;
  const isUnseen = log.size() === 0 || (own === undefined && wasInterrupted(log, state));
  const position = new PositionHere(file, { own, unseen: isUnseen ? log.size() : undefined });
  // Until everything was pulled, however this ends.
  if (log.size() === 0) state = { ...state, partial: true };
  try {
    let pushed = 0;
    let held = false;
    const { mayLeave, files = "safe" } = options;
    const contents = new SessionContents({ log, store, home: states.home, signal });
    const allowed = (now: SyncState) => files === "all" || now.secretsAllowed === true;
    const before = (lines: readonly Uint8Array[], now: SyncState) =>
      files === "none" ? Promise.resolve() : contents.push(lines, allowed(now));
    const push = async () => {
      if (log.size() === 0) return;
      try {
        pushed += (await pushSession({ ...common, log, about: aboutOf(about, state), state, save, mayLeave, before }))
          .added;
      } catch (error) {
        // What came meanwhile can come in all the same.
        if (!(error instanceof StoreError) || error.code !== "secrets-found") throw error;
        held = true;
      }
    };
    await push();
    const header = (line: Uint8Array | undefined) => headerFor(sessionId, { line, cwd: options.cwd, now });
    const origins = new Origins(states.home, sessionId);
    const cameFrom = (lines: readonly NewLine[]) => origins.add(lines, store.replica.id);
    const pulled = await pullSession({
      ...common,
      home: states.home,
      log,
      state,
      position,
      now,
      header,
      save,
      cameFrom,
    });
    if (pulled.added > 0) log.sync();
    if (pulled.lost) await push();
    save(settled(log, whole(state)));
    if (options.everyFile === true && files !== "none" && !held && log.size() > 0)
      await contents.exchange(allowed(state));
    const { arrivals, taken, damaged } = pulled;
    const outcome = { sessionId, file, pushed, pulled: pulled.added, arrivals, taken, damaged };
    const synced = contents.outcome === undefined ? outcome : { ...outcome, contents: contents.outcome };
    return held ? { ...synced, held } : synced;
  } catch (error) {
    throw signal?.aborted === true
      ? new StoreError("sync-aborted", "The sync was stopped", { cause: error })
      : asStoreError(error, store);
  } finally {
    log.close();
  }
}

/** What is pushed about a session. One that came from the store keeps the project it has there. */
function aboutOf(about: SessionAbout, { guest }: SyncState): SessionAbout {
  if (guest !== true) return about;
  const { project: _, ...rest } = about;
  return rest;
}

/** After a pull that came to its end. */
function whole(state: SyncState): SyncState {
  const { partial: _, ...rest } = state;
  return state.cursor === PATH_ONLY ? state : rest;
}

/** The first pull of a session did not come to its end, and nothing else was written since. */
function wasInterrupted(log: FileLog, state: SyncState): boolean {
  return state.partial === true && state.cursor !== PATH_ONLY && coveredTo(state) === log.size();
}

/** Up to where the file was pushed or pulled. */
function coveredTo({ pushedTo, pulled }: SyncState): number {
  let at = pushedTo;
  for (const { start, end } of pulled.toSorted((a, b) => a.start - b.start)) if (start <= at) at = Math.max(at, end);
  return at;
}

/** If everything after `pushedTo` was pulled, there is nothing left to push, and the file's size says so. */
function settled(log: FileLog, state: SyncState): SyncState {
  const size = log.size();
  if (coveredTo(state) < size) return { ...state, size: -1 };
  return { ...state, pushedTo: size, tail: tailAt(log, size), pulled: [], size };
}

/** Whether a file has what it had after the last sync. Looks at nothing but its size. */
export function isUnchanged(file: string, state: SyncState | undefined): boolean {
  return state !== undefined && statSync(file, { throwIfNoEntry: false })?.size === state.size;
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
