/** What `attachStore` takes, tells and returns. */
import type { SessionAbout } from "../store.js";
import type { StoreError } from "../store-error.js";
import type { MayLeave } from "../sync/push-session.js";
import type { SyncedSession } from "../sync/sync-session.js";
import type { SyncStates } from "../sync/sync-state.js";

export interface AttachOptions {
  /** Push every entry at once, and follow what others append. Default: sync at the end of each turn. */
  readonly live?: boolean;
  /** How far sessions were synced with this store. Default: kept in `$BOUGH_HOME`. */
  readonly states?: SyncStates;
  /** What lists show of the session, beside its name or first prompt, its folder, and the project of that. */
  readonly about?: SessionAbout;
  /** Asked before entries leave this machine. Default: they leave. */
  readonly mayLeave?: MayLeave;
  readonly onEvent?: (event: StoreEvent) => void;
  /** Take in what came, so that the session has it. Default true; false if `session.follow` does that. */
  readonly refresh?: boolean;
  /** Begin with a sync. Default true; false waits for the end of a turn or a call of `sync`. */
  readonly begin?: boolean;
  /** The first wait after the store could not be reached, in milliseconds; each further one is longer. Default 1,000. */
  readonly retryMs?: number;
}

/**
 * - `idle`: nothing is under way; `pending` entries wait for the end of the turn.
 * - `away`: the store cannot be used now; it is tried again by itself.
 * - `held`: entries stay here because they may contain secrets.
 * - `failed`: something that trying again does not mend, such as a wrong passphrase; the next turn tries again.
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
  /** Something came or went. */
  | { readonly kind: "synced"; readonly synced: SyncedSession };

/** What `attachStore` returns. */
export interface StoreAttachment {
  readonly status: StoreStatus;
  /** Syncs now. Rejects with a `StoreError`. `mayLeave` takes the place of the one given to `attachStore`. */
  sync(options?: { readonly mayLeave?: MayLeave }): Promise<SyncedSession | undefined>;
  /** Stops. What the store does not have yet stays in the file; the next sync pushes it. */
  detach(): Promise<void>;
}
