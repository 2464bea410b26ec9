/** The interface of a store, where copies of sessions meet. One contract suite tests all drivers. */

import type { HitState } from "@bough/session/session/index.js";

/** One copy of someone's sessions: a machine, or a home folder on it. */
export interface Replica {
  readonly id: string;
  /** Shown to people: the host name, unless another name was chosen. */
  readonly name: string;
}

/** One line of a session, exactly as it is in the file, without its newline. */
export interface StoredLine {
  readonly bytes: Uint8Array;
  /** The replica that pushed it first. */
  readonly replica: Replica;
}

/** What a list shows of a session without opening it. */
export interface SessionAbout {
  /** Identifies the project on every machine; see `projectOf`. */
  readonly project?: string;
  /** Its name, or its first prompt. */
  readonly title?: string;
  /** The working folder on the machine that pushed it. */
  readonly cwd?: string;
}

export interface StoredSession extends SessionAbout {
  readonly id: string;
  /** Marks the end of what the store has. It changes exactly when lines arrive. */
  readonly cursor: string;
  /** When the last line arrived, if the store knows. */
  readonly updated?: Date;
  readonly replicas: readonly Replica[];
  /** It was removed on purpose: its lines are gone, and pushes are refused. */
  readonly removed?: boolean;
}

export interface ListFilter {
  readonly project?: string;
}

export interface PulledLines {
  readonly lines: readonly StoredLine[];
  /** Pull from here next time. */
  readonly cursor: string;
  /**
   * The store is no longer the one that the cursor is from: it was restored from a backup, rewritten, or emptied and
   * filled again. Everything is returned again, and the caller should push all of its lines again, as the store may
   * lack some.
   */
  readonly lost?: true;
}

export interface PushOptions extends SessionAbout {
  /** The cursor up to which this copy has pulled. */
  readonly since?: string;
}

export interface PushOutcome {
  /** Lines that the store did not have. */
  readonly added: number;
  /** Where to pull from next instead of from `since`, to skip these lines. */
  readonly cursor?: string;
  /** Only these lines arrived after `since`: there is nothing to pull. */
  readonly isAlone?: true;
}

export interface StoreSearch {
  readonly words: string;
  readonly project?: string;
  /** Default 20. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface StoreHit extends SessionAbout {
  readonly sessionId: string;
  readonly entryId: string;
  readonly at?: string;
  readonly role?: string;
  readonly excerpt: string;
  /**
   * Active (on the path to the newest entry), abandoned (on another branch) or compacted (before a compaction on the
   * path).
   */
  readonly state: HitState;
}

export interface StoredContent {
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly content: Uint8Array;
}

/** Where contents are named, for stores where users see some projects only. For `has`, the default is anywhere. */
export interface BlobOptions {
  readonly sessionId?: string;
  /** Default: that of the session in the store. */
  readonly project?: string | undefined;
}

/** Contents of files by hash. */
export interface StoreBlobs {
  /** Which of the hashes the store has, in one round trip. */
  has(hashes: readonly string[], options?: BlobOptions): Promise<ReadonlySet<string>>;
  /** Rejects with `store-damaged` if a content does not match its hash; it is then undefined which ones were stored. */
  put(contents: readonly StoredContent[], options?: BlobOptions): Promise<void>;
  /** Undefined if the store does not have it. Rejects with `store-damaged` if it does not match its hash. */
  get(hash: string): Promise<Uint8Array | undefined>;
}

/** From the least rights to the most. */
export const STORE_ROLES = ["reader", "writer", "owner"] as const;
/** Readers see sessions, writers also push, owners also remove and manage users. */
export type StoreRole = (typeof STORE_ROLES)[number];

export interface StoreUser {
  /** As in the database. */
  readonly name: string;
  readonly role: StoreRole;
  /** Missing: every project. */
  readonly projects?: readonly string[];
}

/** One push, removal or change of users. */
export interface StoreLogEntry {
  readonly at: Date;
  /** The user of the database. */
  readonly user: string;
  readonly action: "pushed" | "removed" | "readmitted" | "user added" | "user removed" | (string & {});
  readonly sessionId?: string;
  readonly project?: string;
  /** The machine. */
  readonly replica?: Replica;
  readonly lines?: number;
  readonly detail?: string;
}

export interface StoreLogOptions {
  readonly sessionId?: string;
  /** Default 50. */
  readonly limit?: number;
}

/** Users with roles, and a record of what they did. Rejects with `store-forbidden` for those who may not. */
export interface StoreTeam {
  /** The own role; undefined if everyone who can connect may do everything. */
  role(): Promise<StoreRole | undefined>;
  /** Undefined if there are no roles yet. */
  users(): Promise<readonly StoreUser[] | undefined>;
  /** The first call turns roles on: from then on, only users with a role can use the store. */
  setUser(user: StoreUser): Promise<void>;
  /** False if the user had no role. */
  removeUser(name: string): Promise<boolean>;
  /** Newest first. */
  log(options?: StoreLogOptions): Promise<readonly StoreLogEntry[]>;
}

/**
 * A set of lines for each session, which only grows. A line that the store already has is not stored again, regardless
 * of the order in which lines arrive and how often. So two copies of a session are united by pushing what the store
 * lacks and pulling what the copy lacks.
 *
 * Every method rejects with a `StoreError`. When `push` resolves, everything is stored; when it rejects, some of it may
 * be, and it is always safe to push again.
 */
export interface Store {
  readonly kind: "folder" | "git" | "postgres" | (string & {});
  /** The address without passwords, safe to print. */
  readonly address: string;
  /** Distinguishes stores whose addresses look the same without passwords. Default: the address. */
  readonly key?: string;
  readonly replica: Replica;
  /** How many sessions are best synced at the same time. Default 1. Larger where pushes share a round trip. */
  readonly atOnce?: number;

  /** All sessions, in one round trip. */
  list(filter?: ListFilter): Promise<readonly StoredSession[]>;
  head(sessionId: string): Promise<StoredSession | undefined>;
  /** With an empty list for a stored session, changes only what lists show of it. */
  push(sessionId: string, lines: readonly Uint8Array[], options?: PushOptions): Promise<PushOutcome>;
  /** What arrived after a cursor, or everything, in pieces. Lines of one replica keep their order. */
  pull(sessionId: string, cursor?: string): AsyncIterable<PulledLines>;
  /**
   * What is needed to open a session: its header and the path to an entry, root first. The default entry is the leaf
   * that a new file would have after pulling everything. Stores that can only return everything do not have this
   * method.
   */
  path?(sessionId: string, entryId?: string): AsyncIterable<readonly StoredLine[]>;
  /** Yields sessions that received lines after the call, until the signal aborts. */
  follow(sessionId: string | undefined, signal: AbortSignal): AsyncIterable<StoredSession>;
  /** The newest hits, newest first. */
  search(query: StoreSearch): Promise<readonly StoreHit[]>;
  readonly blobs: StoreBlobs;
  /** Stores that are not databases have no users. */
  readonly team?: StoreTeam | undefined;
  /** Removes the lines and leaves a mark, so that no copy pushes them again by itself. */
  remove(sessionId: string): Promise<void>;
  /** Undoes `remove`: the session may be pushed again. */
  readmit(sessionId: string): Promise<void>;
  close(): Promise<void>;
}
