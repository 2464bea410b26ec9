/** What a store is: a place where copies of sessions meet. Drivers implement it; one contract suite tests them all. */

import type { HitState } from "@bough/session/session/index.js";

/** One copy of someone's sessions: a machine, or a home folder on it. */
export interface Replica {
  readonly id: string;
  /** For people: the host name unless another was chosen. */
  readonly name: string;
}

/** One line of a session, exactly as it is in the file, without its newline. */
export interface StoredLine {
  readonly bytes: Uint8Array;
  /** Who pushed it first. */
  readonly replica: Replica;
}

/** What a list tells about a session without opening it. */
export interface SessionAbout {
  /** What sessions of one project have in common on every machine; see `projectOf`. */
  readonly project?: string;
  /** Its name, or its first prompt. */
  readonly title?: string;
  /** The working folder on the machine that pushed it. */
  readonly cwd?: string;
}

export interface StoredSession extends SessionAbout {
  readonly id: string;
  /** The end of what the store has. It changes with every line that arrives, and only then. */
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
   * The store is not what it was at the cursor: it was restored from a backup, rewritten, or emptied and filled again.
   * Everything is given again, and who pulls should offer all of its lines again: the store may lack some of them.
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
  /** Where to pull from next, if nothing but these lines arrived after `since`. */
  readonly cursor?: string;
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
  /** On the path to the newest entry, on a branch that was left, or before a compaction on that path. */
  readonly state: HitState;
}

export interface StoredContent {
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly content: Uint8Array;
}

/** Contents of files by their hash. */
export interface StoreBlobs {
  /** Those of the hashes that the store has, in one round trip. */
  has(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Rejects with `store-damaged` if one is not what its hash says; then none of them need be stored. */
  put(contents: readonly StoredContent[]): Promise<void>;
  /** Undefined if the store has none. Rejects with `store-damaged` if it is not what its hash says. */
  get(hash: string): Promise<Uint8Array | undefined>;
}

/**
 * A set of lines for each session. It only grows: a line that it has is not stored again, whatever order
 * lines arrive in and however often. So two copies of a session are united by pushing what the store lacks and pulling
 * what the copy lacks.
 *
 * Every method rejects with a `StoreError`. `push` has stored everything when it resolves, and may have stored a part
 * when it rejects; pushing again is always right.
 */
export interface Store {
  readonly kind: "folder" | "git" | "postgres" | (string & {});
  /** The address without passwords, safe to print. */
  readonly address: string;
  /** Tells stores apart whose addresses look alike without passwords. Default: the address. */
  readonly key?: string;
  readonly replica: Replica;

  /** All sessions, in one round trip. */
  list(filter?: ListFilter): Promise<readonly StoredSession[]>;
  head(sessionId: string): Promise<StoredSession | undefined>;
  /** Without lines, of a session that the store has: changes only what a list tells. */
  push(sessionId: string, lines: readonly Uint8Array[], options?: PushOptions): Promise<PushOutcome>;
  /** What arrived after a cursor, in pieces; everything without one. Lines of one replica come in their order. */
  pull(sessionId: string, cursor?: string): AsyncIterable<PulledLines>;
  /**
   * What an opened session needs first: its header and the path to an entry, root first; by default to where who pulls
   * everything into a new file would be. A store that can only give everything has no such method.
   */
  path?(sessionId: string, entryId?: string): AsyncIterable<readonly StoredLine[]>;
  /** Names sessions in which lines arrived, until the signal. Starts with what arrives after the call. */
  follow(sessionId: string | undefined, signal: AbortSignal): AsyncIterable<StoredSession>;
  /** The newest hits, newest first. */
  search(query: StoreSearch): Promise<readonly StoreHit[]>;
  readonly blobs: StoreBlobs;
  /** Removes the lines and leaves a note, so that no copy brings them back by itself. */
  remove(sessionId: string): Promise<void>;
  /** Undoes `remove`: the session may be pushed again. */
  readmit(sessionId: string): Promise<void>;
  close(): Promise<void>;
}
