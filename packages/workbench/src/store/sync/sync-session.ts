/**
 * Unites one session file with a store: pushes what the store lacks, then pulls what the file lacks.
 *
 * How it works. Both sides only ever add lines, and a line is known by its entry ID, so uniting is a union: two
 * machines that continued the same session give two branches. The state of the last sync says how far each side was. It
 * counts only if the file still has the bytes it names; otherwise everything is compared again. The push
 * (`push-session.ts`) scans new lines for secrets before any of them leaves, and sends file contents before the lines
 * that name them. The pull (`pull-session.ts`) fetches what came after the cursor; under a lock, `unite.ts` skips lines
 * that are already here and appends the rest with one write, whose last line records this copy's position, so that a
 * pull never moves you. If the store has lost something since the cursor, everything is offered again. Finally the
 * state is saved. Losing it costs time, never a line, and whatever was done before an error is kept.
 */
import { statSync } from "node:fs";
import { FileLog } from "@bough/session/log/index.js";
import { Origins } from "@bough/session/session/internal.js";
import type { BlobSource } from "../../checkpoint/index.js";
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
  /** The session's file. Created if it is missing and the store has the session. */
  readonly file: string;
  /** What lists show of the session. */
  readonly about?: SessionAbout;
  /** The working folder for a new file; default: that of the machine it comes from. */
  readonly cwd?: string;
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
  /** Asked before entries leave this machine; see `MayLeave`. Default: allow. */
  readonly mayLeave?: MayLeave;
  /**
   * Which of the file contents that entries name to push: `safe` (default), all except those that may contain secrets;
   * `all`; or `none`. Contents from other machines are fetched when they are needed; see `contentsOfStores`.
   */
  readonly files?: "safe" | "all" | "none";
  /** Where lists of changes come from that are missing here, and are not in this store. */
  readonly contents?: BlobSource | undefined;
  /** Fetch the contents of all files of the session, and push those that were skipped before. */
  readonly everyFile?: boolean;
  /** The position if the session is open here, because it may have moved without writing that down. */
  readonly position?: () => string | null;
}

export interface SyncedSession extends Pick<Pulled, "arrivals" | "taken" | "damaged"> {
  readonly sessionId: string;
  readonly file: string;
  readonly pushed: number;
  readonly pulled: number;
  /** Something was not pushed because it may contain secrets. */
  readonly held?: true;
  /** The own role in the store does not allow pushing; what others pushed was pulled. */
  readonly forbidden?: StoreError;
  readonly contents?: SyncedContents;
}

/** Rejects with a `StoreError`. Whatever was done before that is kept, and the next sync continues from there. */
export async function syncSession(options: SyncSessionOptions): Promise<SyncedSession> {
  const { store, states, sessionId, file, about = {}, signal, now = () => new Date() } = options;
  const common = { sessionId, store, signal };
  const log = new FileLog(file, { access: "write" });
  let state = continuesAt(log, states.get(sessionId) ?? NEW_STATE);
  const save = (next: SyncState) => {
    state = next;
    // Without a file nothing was synced yet. Saving a state now would make the session look as if it was deleted here.
    if (log.size() > 0) states.set(sessionId, next);
  };
  const own = options.position;
  const isUnseen = log.size() === 0 || (own === undefined && wasInterrupted(log, state));
  const position = new PositionHere(file, { own, unseen: isUnseen ? log.size() : undefined });
  // Holds until everything has been pulled, however this ends.
  if (log.size() === 0) state = { ...state, partial: true };
  try {
    let pushed = 0;
    let held = false;
    let forbidden: StoreError | undefined;
    const { mayLeave, files = "safe" } = options;
    const { project } = aboutOf(about, state);
    const place = { sessionId, project, contents: options.contents };
    const contents = new SessionContents({ log, store, home: states.home, signal, ...place });
    const allowed = (now: SyncState) => files === "all" || now.secretsAllowed === true;
    const before = (lines: readonly Uint8Array[], now: SyncState) =>
      files === "none" ? Promise.resolve() : contents.push(lines, allowed(now));
    const push = async () => {
      if (log.size() === 0) return false;
      try {
        const made = { ...common, log, about: aboutOf(about, state), state, save, mayLeave, before };
        const { added, isUpToDate } = await pushSession(made);
        pushed += added;
        return isUpToDate;
      } catch (error) {
        // Secrets do not stop the pull, nor does a role that may only read.
        if (!(error instanceof StoreError)) throw error;
        if (error.code === "secrets-found") held = true;
        else if (error.code === "store-forbidden") forbidden = error;
        else throw error;
        return false;
      }
    };
    const isUpToDate = await push();
    const header = (line: Uint8Array | undefined) => headerFor(sessionId, { line, cwd: options.cwd, now });
    const origins = new Origins(states.home, sessionId);
    const cameFrom = (lines: readonly NewLine[]) => origins.add(lines, store.replica.id);
    const { home } = states;
    // The push already said that there is nothing to pull.
    const pulled = isUpToDate
      ? NOTHING_PULLED
      : await pullSession({ ...common, home, log, state, position, now, header, save, cameFrom });
    if (pulled.added > 0) log.sync();
    if (pulled.lost && forbidden === undefined) await push();
    save(settled(log, whole(state)));
    if (options.everyFile === true && files !== "none" && !held && forbidden === undefined && log.size() > 0)
      await contents.exchange(allowed(state));
    const { arrivals, taken, damaged } = pulled;
    const outcome = { sessionId, file, pushed, pulled: pulled.added, arrivals, taken, damaged };
    const synced = contents.outcome === undefined ? outcome : { ...outcome, contents: contents.outcome };
    return { ...synced, ...(held ? { held: true as const } : {}), ...(forbidden === undefined ? {} : { forbidden }) };
  } catch (error) {
    throw signal?.aborted === true
      ? new StoreError("sync-aborted", "The sync was stopped", { cause: error })
      : asStoreError(error, store);
  } finally {
    log.close();
  }
}

const NOTHING_PULLED: Omit<Pulled, "state"> = { added: 0, arrivals: [], taken: [], damaged: 0, lost: false };

/** What is pushed about a session. A session that came from the store keeps its project there. */
function aboutOf(about: SessionAbout, { guest }: SyncState): SessionAbout {
  if (guest !== true) return about;
  const { project: _, ...rest } = about;
  return rest;
}

/** The state after a complete pull. */
function whole(state: SyncState): SyncState {
  const { partial: _, ...rest } = state;
  return state.cursor === PATH_ONLY ? state : rest;
}

/** Whether the first pull of a session was cut short, and nothing else was written since. */
function wasInterrupted(log: FileLog, state: SyncState): boolean {
  return state.partial === true && state.cursor !== PATH_ONLY && coveredTo(state) === log.size();
}

/** How much of the file was pushed or pulled without a gap. */
function coveredTo({ pushedTo, pulled }: SyncState): number {
  let at = pushedTo;
  for (const { start, end } of pulled.toSorted((a, b) => a.start - b.start)) if (start <= at) at = Math.max(at, end);
  return at;
}

/** If everything after `pushedTo` was pulled, nothing is left to push, and the file's size is recorded to show that. */
function settled(log: FileLog, state: SyncState): SyncState {
  const size = log.size();
  if (coveredTo(state) < size) return { ...state, size: -1 };
  return { ...state, pushedTo: size, tail: tailAt(log, size), pulled: [], size };
}

/** Whether a file is unchanged since the last sync, judged only by its size. */
export function isUnchanged(file: string, state: SyncState | undefined): boolean {
  return state !== undefined && statSync(file, { throwIfNoEntry: false })?.size === state.size;
}

interface NewHeader {
  readonly line: Uint8Array | undefined;
  readonly cwd: string | undefined;
  readonly now: () => Date;
}

/** The store's header with this machine's folder. */
export function headerFor(sessionId: string, { line, cwd, now }: NewHeader): Uint8Array {
  const record = line === undefined ? undefined : lineFacts(line)?.record;
  if (line !== undefined && record !== undefined && (cwd === undefined || record.cwd === cwd)) return line;
  const base = record ?? { type: "session", version: 3, id: sessionId, timestamp: now().toISOString(), cwd: "" };
  return Buffer.from(JSON.stringify({ ...base, ...(cwd === undefined ? {} : { cwd }) }));
}
