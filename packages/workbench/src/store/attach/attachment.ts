/** Options, events and result of `attachStore`. */
import type { BlobSource } from "../../checkpoint/index.js";
import type { SessionAbout } from "../store.js";
import type { StoreError } from "../store-error.js";
import type { MayLeave } from "../sync/push-session.js";
import type { SyncedSession } from "../sync/sync-session.js";
import type { SyncStates } from "../sync/sync-state.js";

export interface AttachOptions {
  /** Push every entry at once, and follow other machines. Default: sync at the end of each turn. */
  readonly live?: boolean;
  /** How far each session is synced with this store. Default: kept in `$BOUGH_HOME`. */
  readonly states?: SyncStates;
  /** What lists show besides the session's name or first prompt, its folder, and the folder's project. */
  readonly about?: SessionAbout;
  /** Asked before entries leave this machine. Default: allow. */
  readonly mayLeave?: MayLeave;
  /** As for `syncSession`. */
  readonly contents?: BlobSource | undefined;
  readonly onEvent?: (event: StoreEvent) => void;
  /** Read pulled entries into the open session. Default true; pass false if `session.follow` does that. */
  readonly refresh?: boolean;
  /** Sync right away. Default true; false waits for the end of a turn or a call of `sync`. */
  readonly begin?: boolean;
  /** First wait after the store could not be reached, in milliseconds; it doubles each time. Default 1,000. */
  readonly retryMs?: number;
}

/**
 * - `idle`: nothing is running; `pending` entries wait for the end of the turn.
 * - `away`: the store cannot be reached now; it is retried automatically.
 * - `held`: entries stay here because they may contain secrets.
 * - `failed`: a failure that retrying does not fix, such as a wrong passphrase; the next turn tries again.
 */
export type StoreState = "idle" | "syncing" | "away" | "held" | "failed";

export interface StoreStatus {
  readonly state: StoreState;
  /** Entries that the store does not have yet. */
  readonly pending: number;
  readonly error?: StoreError;
}

export type StoreEvent =
  | { readonly kind: "status"; readonly status: StoreStatus }
  /** Entries were pushed or pulled. */
  | { readonly kind: "synced"; readonly synced: SyncedSession };

/** A running attachment. */
export interface StoreAttachment {
  readonly status: StoreStatus;
  /** Syncs now. Rejects with a `StoreError`. `mayLeave` overrides the one given to `attachStore`. */
  sync(options?: { readonly mayLeave?: MayLeave }): Promise<SyncedSession | undefined>;
  /** Stops syncing. Unpushed entries stay in the file; the next sync pushes them. */
  detach(): Promise<void>;
}
