// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Stores: what the methods take and answer. */
import type { SyncedSession } from "./outcomes.js";
import type { Page, Paged } from "./parts.js";
import type { StoredSession } from "./sessions.js";

export interface ListStoredSessionsParams extends Page {
  /** A store by its name (default: the one of the settings, or the first). */
  readonly store?: string;
  /** `project`: only those of this project. */
  readonly scope?: "project" | "all";
}

export interface ListStoredSessionsResult extends Paged {
  readonly store: string;
  readonly project: string | null;
  readonly sessions: readonly StoredSession[];
}

export interface SyncSessionParams {
  /** Default: the current session. */
  readonly session?: string;
  /** A store by its name (default: the one of the settings, or the first). */
  readonly store?: string;
  readonly allowSecrets?: boolean;
}

export interface SyncSessionResult {
  readonly store: string;
  /** null if there is nothing to sync yet. */
  readonly synced: SyncedSession | null;
}

export interface FetchSessionParams {
  /** Its ID, start of ID, or title. */
  readonly session: string;
  /** Switch to it. */
  readonly open?: boolean;
}

export interface FetchSessionResult {
  readonly kind: "fetched" | "stopped";
  readonly id?: string;
  readonly file?: string;
  readonly store?: string;
  readonly opened: boolean;
  /** For people. */
  readonly message?: string;
}

export interface GetStoreStatusResult {
  /** The setting `sync`. */
  readonly mode: "off" | "manual" | "turn" | "live";
  /** null if it is not synced by itself. */
  readonly status: {
    /** Its name. */
    readonly store: string;
    /** `away`: it is tried again by itself. `held`: what is new may contain secrets. `failed`: `error` says why. */
    readonly state: "idle" | "syncing" | "away" | "held" | "failed";
    /** Entries that the store does not have yet. */
    readonly pending: number;
    readonly error?: {
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
    };
  } | null;
}

/** Stores. */
export interface StoresMethods {
  /** A page of the sessions in a store, newest first, those that are not on this machine too. */
  readonly listStoredSessions: { readonly params: ListStoredSessionsParams; readonly result: ListStoredSessionsResult };
  /** Exchanges a session with a store: pushes what it lacks, brings what other machines added. No position moves. What may contain secrets stays here unless the user or `allowSecrets` says otherwise. */
  readonly syncSession: { readonly params: SyncSessionParams; readonly result: SyncSessionResult };
  /** Fetches a session that is only in the store, and switches to it. `abort` stops it. Of a database, what is needed to continue comes first, the rest while the session is open. */
  readonly fetchSession: { readonly params: FetchSessionParams; readonly result: FetchSessionResult };
  /** Whether the current session is synced by itself, and what the store does not have yet. `store_status` tells when it changes. */
  readonly getStoreStatus: { readonly params: Readonly<Record<string, never>>; readonly result: GetStoreStatusResult };
}
