// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { OutcomeShapes } from "./outcomes.js";
import type { PartShapes } from "./parts.js";
import type { SessionShapes } from "./sessions.js";

/** Stores. */
export interface StoresMethods {
  /** A page of the sessions in a store, newest first, those that are not on this machine too. */
  readonly listStoredSessions: {
    readonly params: {
      /** A store by its name (default: the one of the settings, or the first). */
      readonly store?: string;
      /** `project`: only those of this project. */
      readonly scope?: "project" | "all";
    } & PartShapes["Page"];
    readonly result: {
      readonly store: string;
      readonly project: string | null;
      readonly total: number;
      readonly offset: number;
      /** The offset of the next page; null on the last one. */
      readonly next: number | null;
      readonly sessions: readonly SessionShapes["StoredSession"][];
    };
  };
  /** Exchanges a session with a store: pushes what it lacks, brings what other machines added. No position moves. What may contain secrets stays here unless the user or `allowSecrets` says otherwise. */
  readonly syncSession: {
    readonly params: {
      /** Default: the current session. */
      readonly session?: string;
      /** A store by its name (default: the one of the settings, or the first). */
      readonly store?: string;
      readonly allowSecrets?: boolean;
    };
    readonly result: {
      readonly store: string;
      /** null if there is nothing to sync yet. */
      readonly synced: OutcomeShapes["SyncedSession"] | null;
    };
  };
  /** Fetches a session that is only in the store, and switches to it. `abort` stops it. Of a database, what is needed to continue comes first, the rest while the session is open. */
  readonly fetchSession: {
    readonly params: {
      /** Its ID, start of ID, or title. */
      readonly session: string;
      /** Switch to it. */
      readonly open?: boolean;
    };
    readonly result: {
      readonly kind: "fetched" | "stopped";
      readonly id?: string;
      readonly file?: string;
      readonly store?: string;
      readonly opened: boolean;
      /** For people. */
      readonly message?: string;
    };
  };
  /** Whether the current session is synced by itself, and what the store does not have yet. `store_status` tells when it changes. */
  readonly getStoreStatus: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: {
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
    };
  };
}
