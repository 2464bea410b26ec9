/** The work behind `attachStore`: one sync at a time, retries, and following other machines. */
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { FileLog } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { projectOf } from "../project-of.js";
import { aboutIn } from "../session-about.js";
import type { Store } from "../store.js";
import { isPassing, StoreError } from "../store-error.js";
import { aboutFile } from "../sync/about-file.js";
import { asStoreError, type MayLeave, unpushedIn } from "../sync/push-session.js";
import { type SyncedSession, syncSession } from "../sync/sync-session.js";
import { NEW_STATE, type SyncStates } from "../sync/sync-state.js";
import type { AttachOptions, StoreAttachment, StoreEvent, StoreStatus } from "./attachment.js";

interface AttachedOptions extends Omit<AttachOptions, "states"> {
  readonly states: (key: string) => SyncStates;
}

/** A session to sync, which may no longer be the open one. */
interface Target {
  readonly sessionId: string;
  readonly file: string;
}

/** After this long without an append, sync even if no turn has ended. */
const QUIET_MS = 5_000;
/** A followed store is also polled now and then: it may be unreachable without reporting it. */
const LOOK_MS = 15_000;
const LONGEST_RETRY_MS = 60_000;

export class AttachedStore implements StoreAttachment {
  readonly #session: SessionManager;
  readonly #options: AttachedOptions;
  readonly #open: () => Promise<Store>;
  readonly #ownsStore: boolean;
  readonly #unhook: () => void;
  readonly #ending = new AbortController();
  #store: Promise<Store> | undefined;
  #states: SyncStates | undefined;
  /** Sessions that are no longer open and may have something to push. */
  readonly #left: Target[] = [];
  readonly #projects = new Map<string, Promise<string | undefined>>();
  #work: Promise<unknown> = Promise.resolve();
  #isWanted = false;
  #isClosed = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #status: StoreStatus = { state: "idle", pending: 0 };
  #followed: { readonly sessionId: string; readonly end: AbortController } | undefined;

  constructor(session: SessionManager, store: Store | (() => Promise<Store>), options: AttachedOptions) {
    this.#session = session;
    this.#options = options;
    this.#ownsStore = typeof store === "function";
    this.#open = typeof store === "function" ? store : async () => store;
    this.#unhook = session.attach(this);
    if (options.begin !== false) this.#want();
  }

  get status(): StoreStatus {
    return this.#status;
  }

  onAppend(): void {
    this.#isClosed = false;
    const { state, pending, error } = this.#status;
    this.#tell({ state, pending: pending + 1, ...(error === undefined ? {} : { error }) });
    if (this.#isRetrying) return;
    if (this.#options.live === true) this.#want();
    else this.#later(QUIET_MS);
  }

  onTurnEnd(): void {
    if (!this.#isRetrying) this.#want();
  }

  /** An unreachable store is retried on its own schedule, no matter how much is appended. */
  get #isRetrying(): boolean {
    return this.#status.state === "away" && this.#timer !== undefined;
  }

  onLeave(why: "closed" | "elsewhere"): void {
    const target = this.#target();
    if (target !== undefined) this.#left.push(target);
    this.#isClosed = why === "closed";
    this.#stopFollowing();
    this.#want();
  }

  async flush(): Promise<void> {
    await this.sync();
    const { error, pending } = this.#status;
    if (pending > 0 && error !== undefined) throw error;
  }

  sync(options: { readonly mayLeave?: MayLeave } = {}): Promise<SyncedSession | undefined> {
    // This sync also does the one that was wanted and has not begun.
    this.#isWanted = false;
    const done = this.#work.then(() => this.#syncAll(options.mayLeave ?? this.#options.mayLeave));
    this.#work = done.catch(() => {});
    return done;
  }

  async detach(): Promise<void> {
    this.#unhook();
    this.#ending.abort();
    this.#stopFollowing();
    this.#stopTimer();
    await this.#work;
    if (this.#ownsStore) await (await this.#store?.catch(() => undefined))?.close().catch(() => {});
  }

  /** Syncs in the background; the status reports failures. */
  #want(): void {
    this.#stopTimer();
    if (this.#isWanted || this.#ending.signal.aborted) return;
    this.#isWanted = true;
    this.#work = this.#work
      .then(() => {
        if (!this.#isWanted) return undefined;
        this.#isWanted = false;
        return this.#syncAll(this.#options.mayLeave);
      })
      .catch(() => {});
  }

  #later(ms: number): void {
    this.#stopTimer();
    if (!this.#ending.signal.aborted) this.#timer = setTimeout(() => this.#want(), ms).unref();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #syncAll(mayLeave: MayLeave | undefined): Promise<SyncedSession | undefined> {
    const { signal } = this.#ending;
    signal.throwIfAborted();
    this.#stopTimer();
    let synced: SyncedSession | undefined;
    try {
      const store = await this.#opened();
      this.#tell({ ...this.#status, state: "syncing" });
      await this.#syncLeft(store, mayLeave);
      const target = this.#isClosed ? undefined : this.#target();
      if (target !== undefined && existsSync(target.file)) synced = await this.#syncOne(store, target, mayLeave);
      this.#failures = 0;
      if (target !== undefined && this.#options.live === true) this.#follow(store, target.sessionId);
      if (synced?.forbidden !== undefined) throw synced.forbidden;
      const held = synced?.held === true;
      const error = held
        ? new StoreError("secrets-found", "Some entries may contain secrets and were not synced")
        : undefined;
      this.#tell({
        state: held ? "held" : "idle",
        pending: this.#unpushed(),
        ...(error === undefined ? {} : { error }),
      });
      return synced;
    } catch (cause) {
      if (signal.aborted) throw cause;
      const error = cause instanceof StoreError ? cause : asStoreError(cause, { address: "the store" });
      const passes = isPassing(error);
      this.#tell({ state: passes ? "away" : "failed", pending: this.#unpushed(), error });
      if (passes) this.#later(Math.min((this.#options.retryMs ?? 1_000) * 2 ** this.#failures++, LONGEST_RETRY_MS));
      throw error;
    }
  }

  /** A session that cannot be synced, such as one removed from the store, does not block the others. */
  async #syncLeft(store: Store, mayLeave: MayLeave | undefined): Promise<void> {
    for (let [left] = this.#left; left !== undefined; [left] = this.#left) {
      try {
        if (existsSync(left.file)) await this.#syncOne(store, left, mayLeave);
      } catch (error) {
        if (this.#ending.signal.aborted || !(error instanceof StoreError) || isPassing(error)) throw error;
      }
      this.#left.shift();
    }
  }

  async #syncOne(store: Store, { sessionId, file }: Target, mayLeave: MayLeave | undefined): Promise<SyncedSession> {
    const session = this.#session;
    const isHere = () => session.getSessionFile() === file;
    const synced = await syncSession({
      store,
      states: this.#statesOf(store),
      sessionId,
      file,
      about: { ...(await aboutFile(file, (folder) => this.#projectAt(folder))), ...aboutIn(this.#options.about ?? {}) },
      signal: this.#ending.signal,
      mayLeave,
      contents: this.#options.contents,
      position: isHere() ? () => session.getLeafId() : undefined,
    });
    if (synced.pulled > 0 && this.#options.refresh !== false && isHere() && !this.#isClosed) session.refresh();
    if (synced.pushed > 0 || synced.pulled > 0) this.#emit({ kind: "synced", synced });
    return synced;
  }

  #opened(): Promise<Store> {
    this.#store ??= this.#open();
    const opened = this.#store;
    // After a failure, the next call opens the store again.
    opened.catch(() => {
      if (this.#store === opened) this.#store = undefined;
    });
    return opened;
  }

  #statesOf(store: Store): SyncStates {
    this.#states ??= this.#options.states(store.key ?? store.address);
    return this.#states;
  }

  #projectAt(folder: string): Promise<string | undefined> {
    const known = this.#projects.get(folder) ?? projectOf(folder);
    this.#projects.set(folder, known);
    return known;
  }

  #target(): Target | undefined {
    const file = this.#session.getSessionFile();
    return file === undefined ? undefined : { sessionId: this.#session.getSessionId(), file };
  }

  /** Counted without the store, which may never have been reached. */
  #unpushed(): number {
    const target = this.#target();
    if (target === undefined || !existsSync(target.file)) return 0;
    const log = new FileLog(target.file, { access: "read" });
    try {
      const states = this.#states ?? this.#options.states("");
      return unpushedIn(log, states.get(target.sessionId) ?? NEW_STATE, "entries");
    } finally {
      log.close();
    }
  }

  #follow(store: Store, sessionId: string): void {
    if (this.#followed?.sessionId === sessionId || this.#isClosed) return;
    this.#stopFollowing();
    const end = new AbortController();
    this.#followed = { sessionId, end };
    const look = setInterval(() => this.#status.state !== "away" && this.#want(), LOOK_MS).unref();
    const follow = async () => {
      for (let failures = 0; !end.signal.aborted; failures++) {
        try {
          for await (const { cursor } of store.follow(sessionId, end.signal)) {
            failures = 0;
            if (cursor !== this.#statesOf(store).get(sessionId)?.cursor) this.#want();
          }
        } catch {
          // The sync finds the cause and reports it.
          this.#want();
        }
        const ms = Math.min((this.#options.retryMs ?? 1_000) * 2 ** failures, LONGEST_RETRY_MS);
        await wait(ms, undefined, { signal: end.signal, ref: false }).catch(() => {});
      }
    };
    void follow().finally(() => clearInterval(look));
    // Changes that arrived before following began are not reported, so sync once.
    this.#want();
  }

  #stopFollowing(): void {
    this.#followed?.end.abort();
    this.#followed = undefined;
  }

  #tell(status: StoreStatus): void {
    const { state, pending, error } = this.#status;
    this.#status = status;
    if (state !== status.state || pending !== status.pending || error !== status.error)
      this.#emit({ kind: "status", status });
  }

  #emit(event: StoreEvent): void {
    if (!this.#ending.signal.aborted) this.#options.onEvent?.(event);
  }
}
