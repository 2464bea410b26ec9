/** Pushes what a store lacks of a session file: the lines after those that were pushed before. */
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
   * Asked about everything that is new before any of it leaves this machine, unless a person allowed the session to
   * leave with secrets.
   */
  readonly mayLeave?: MayLeave | undefined;
  /** Called with lines that may leave, before they do. */
  readonly before?: (lines: readonly Uint8Array[], state: SyncState) => Promise<void>;
  /** Called after each batch that the store has taken. */
  readonly save: (state: SyncState) => void;
}

/** `always` is remembered for the session; `no` keeps everything that is new here. See `lookForSecrets`. */
export type MayLeave = (entries: readonly SessionEntry[], sessionId: string) => Promise<"yes" | "always" | "no">;

/** How many lines the store did not have, and how far the file is in the store now. */
export interface Pushed {
  readonly added: number;
  readonly state: SyncState;
}

/** Lines that cannot be read stay here, and so do records of this copy's own position. */
export async function pushSession(options: PushOptions): Promise<Pushed> {
  const { log, sessionId, store, about, save, signal } = options;
  let { state } = options;
  let added = 0;
  const { end, always } = await leaving(options, state);
  if (always) state = { ...state, secretsAllowed: true };
  // What was appended since then no one has looked at: it goes with the next push.
  for (const batch of batchesOf(log, state, end)) {
    signal?.throwIfAborted();
    let cursor: string | undefined;
    if (batch.lines.length > 0) {
      await options.before?.(batch.lines, state);
      const { cursor: since } = state;
      const outcome = await store.push(sessionId, batch.lines, { ...about, since });
      added += outcome.added;
      cursor = outcome.cursor;
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
  return { added, state };
}

/** How far the file may leave. Throws `secrets-found`, before anything has left. */
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
 * A file that was repaired, restored from a backup or replaced is pushed and pulled from its start: the store takes what it
 * lacks, and what the file lacks comes again.
 */
export function continuesAt(log: FileLog, state: SyncState): SyncState {
  const isThere = (end: number, tail: string) => end <= log.size() && tailAt(log, end) === tail;
  if (isThere(state.pushedTo, state.tail) && state.pulled.every(({ end, tail }) => isThere(end, tail))) return state;
  const { partial, secretsAllowed } = state;
  return { ...NEW_STATE, partial, secretsAllowed };
}

/** How many lines the store lacks, as far as this copy knows; with `entries`, without headers. */
export function unpushedIn(log: FileLog, state: SyncState, what: "lines" | "entries"): number {
  let count = 0;
  for (const { lines } of batchesOf(log, continuesAt(log, state)))
    count += what === "lines" ? lines.length : lines.filter((line) => lineFacts(line)?.kind === "entry").length;
  return count;
}

/** Headers too: the name of a folder may hold a secret. */
function recordsIn(lines: readonly Uint8Array[]): readonly SessionEntry[] {
  return lines.flatMap((line) => (lineFacts(line)?.record ?? []) as SessionEntry | []);
}

function secretsFound(sessionId: string): StoreError {
  return new StoreError("secrets-found", "Not pushed: the session may contain secrets", {
    data: { sessionId },
    hint: "Look at what was found, then push it as it is: bough sync <session> --allow-secrets.",
  });
}

export function tailAt(log: FileLog, offset: number): string {
  if (offset === 0) return "";
  const length = Math.min(TAIL, offset);
  return Buffer.from(log.readAt(offset - length, length)).toString("base64");
}

interface Batch {
  readonly lines: readonly Uint8Array[];
  /** Where it ends in the file. */
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
      // A last line without its end may still be on its way.
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
    // A log wraps what its visitor throws.
    if (!(error instanceof SessionError) || error.cause !== ENOUGH) throw error;
  }
  return { lines, end };
}

/** A failure of a driver that is not a StoreError is one of the connection. */
export function asStoreError(error: unknown, store: Pick<Store, "address">): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError("store-unreachable", `Cannot reach ${store.address}: ${errorText(error)}`, { cause: error });
}
