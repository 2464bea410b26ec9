/** Pushes the lines of a session file that a store lacks: those after the lines pushed before. */
import { type SessionEntry, SessionError } from "@bough/session/entry/index.js";
import type { FileLog } from "@bough/session/log/index.js";
import { errorText } from "@bough/session/text/index.js";
import type { SessionAbout, Store } from "../store.js";
import { StoreError } from "../store-error.js";
import { lineFacts, staysHere } from "../stored-line.js";
import type { Span } from "./local-lines.js";
import { NEW_STATE, type SyncState } from "./sync-state.js";

const BATCH_LINES = 1_000;
const BATCH_BYTES = 4 << 20;
const TAIL = 64;

export interface PushOptions {
  readonly log: FileLog;
  readonly sessionId: string;
  readonly store: Store;
  readonly about: SessionAbout;
  readonly state: SyncState;
  readonly signal?: AbortSignal;
  /**
   * Asked about all new entries before any of them leaves this machine, unless the user allowed the session to be
   * pushed with secrets.
   */
  readonly mayLeave?: MayLeave | undefined;
  /** Called with each batch of lines just before it is pushed. */
  readonly before?: (lines: readonly Uint8Array[], state: SyncState) => Promise<void>;
  /** Called after each batch that the store has accepted. */
  readonly save: (state: SyncState) => void;
}

/** `always` is remembered for the session; `no` keeps all new entries here. See `lookForSecrets`. */
export type MayLeave = (entries: readonly SessionEntry[], sessionId: string) => Promise<"yes" | "always" | "no">;

/** How many lines the store lacked, and how far the file is pushed now. */
export interface Pushed {
  readonly added: number;
  readonly state: SyncState;
  /** When the last lines arrived, the store had nothing else that this copy lacks. */
  readonly isUpToDate: boolean;
}

/** Skips unreadable lines and lines that belong to this copy only, such as its position records. */
export async function pushSession(options: PushOptions): Promise<Pushed> {
  const { log, sessionId, store, about, save, signal } = options;
  let { state } = options;
  let added = 0;
  let isUpToDate = false;
  const { end, always } = await leaving(options, state);
  if (always) state = { ...state, secretsAllowed: true };
  // Lines appended after the scan have not been checked: leave them to the next push.
  for (const batch of batchesOf(log, state, end)) {
    signal?.throwIfAborted();
    let cursor: string | undefined;
    if (batch.lines.length > 0) {
      await options.before?.(batch.lines, state);
      const { cursor: since } = state;
      const outcome = await store.push(sessionId, batch.lines, { ...about, since });
      added += outcome.added;
      cursor = outcome.cursor;
      isUpToDate = outcome.isAlone === true;
    }
    state = {
      ...state,
      pushedTo: batch.end,
      tail: tailAt(log, batch.end),
      pulled: state.pulled.filter(({ end }) => end > batch.end),
      cursor: cursor ?? state.cursor,
    };
    save(state);
  }
  return { added, state, isUpToDate };
}

/** How much of the file may be pushed. Throws `secrets-found` before anything is pushed. */
async function leaving(
  { log, sessionId, mayLeave, signal }: PushOptions,
  state: SyncState,
): Promise<{ readonly end: number; readonly always: boolean }> {
  if (mayLeave === undefined || state.secretsAllowed === true)
    return { end: Number.POSITIVE_INFINITY, always: state.secretsAllowed === true };
  let end = state.pushedTo;
  for (const batch of batchesOf(log, state)) {
    signal?.throwIfAborted();
    end = batch.end;
    if (batch.lines.length === 0) continue;
    const answer = await mayLeave(recordsIn(batch.lines), sessionId);
    if (answer === "no") throw secretsFound(sessionId);
    if (answer === "always") return { end: Number.POSITIVE_INFINITY, always: true };
  }
  return { end, always: false };
}

/**
 * The state to continue from. If the file was repaired, restored from a backup or replaced, it starts over: the store
 * then takes what it lacks, and the file gets what it lacks.
 */
export function continuesAt(log: FileLog, state: SyncState): SyncState {
  const isThere = (end: number, tail: string) => end <= log.size() && tailAt(log, end) === tail;
  if (isThere(state.pushedTo, state.tail) && state.pulled.every(({ end, tail }) => isThere(end, tail))) return state;
  const { partial, secretsAllowed } = state;
  return { ...NEW_STATE, partial, secretsAllowed };
}

/** How many lines the store lacks, as far as this copy knows. With `entries`, headers are not counted. */
export function unpushedIn(log: FileLog, state: SyncState, what: "lines" | "entries"): number {
  let count = 0;
  for (const { lines } of batchesOf(log, continuesAt(log, state)))
    count += what === "lines" ? lines.length : lines.filter((line) => lineFacts(line)?.kind === "entry").length;
  return count;
}

/** Includes headers, because the name of a folder may contain a secret. */
function recordsIn(lines: readonly Uint8Array[]): readonly SessionEntry[] {
  return lines.flatMap((line) => (lineFacts(line)?.record ?? []) as SessionEntry | []);
}

function secretsFound(sessionId: string): StoreError {
  return new StoreError("secrets-found", "Not pushed: the session may contain secrets", {
    data: { sessionId },
    hint: "Review the findings. To push it anyway: bough sync <session> --allow-secrets",
  });
}

export function tailAt(log: FileLog, offset: number): string {
  if (offset === 0) return "";
  const length = Math.min(TAIL, offset);
  return Buffer.from(log.readAt(offset - length, length)).toString("base64");
}

interface Batch {
  readonly lines: readonly Uint8Array[];
  /** The end of the batch in the file. */
  readonly end: number;
}

function* batchesOf(log: FileLog, state: SyncState, limit = Number.POSITIVE_INFINITY): Generator<Batch> {
  for (let from = state.pushedTo; ; ) {
    const batch = batchFrom(log, { from, limit }, state.pulled);
    if (batch.end === from) return;
    yield batch;
    from = batch.end;
  }
}

/** Thrown through a scan to end it. */
const ENOUGH = Symbol("enough");

function batchFrom(
  log: FileLog,
  { from, limit }: { readonly from: number; readonly limit: number },
  pulled: readonly Span[],
): Batch {
  const lines: Uint8Array[] = [];
  let bytes = 0;
  let end = from;
  try {
    log.scan(from, (line) => {
      if (lines.length >= BATCH_LINES || bytes >= BATCH_BYTES || line.offset >= limit) throw ENOUGH;
      // An unterminated last line may still be being written.
      if (!line.terminated) return;
      end = line.offset + line.length + 1;
      if (line.last < 0 || pulled.some((span) => line.offset >= span.start && line.offset < span.end)) return;
      const whole = line.length === line.end - line.start;
      const copy = Buffer.from(
        whole ? line.bytes.subarray(line.start, line.end) : log.readAt(line.offset, line.length),
      );
      const facts = lineFacts(copy);
      if (facts === undefined || staysHere(facts)) return;
      lines.push(copy);
      bytes += copy.length;
    });
  } catch (error) {
    // The log wraps errors thrown by its visitor.
    if (!(error instanceof SessionError) || error.cause !== ENOUGH) throw error;
  }
  return { lines, end };
}

/** Any other failure of a driver counts as a failed connection. */
export function asStoreError(error: unknown, store: Pick<Store, "address">): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError("store-unreachable", `Cannot reach ${store.address}: ${errorText(error)}`, { cause: error });
}
