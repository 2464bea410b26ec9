/** Finds out which files changed since the last look, in a git repository or in any folder. */

import type { FileDelta, FileState, SkippedFile } from "@bough/session/entry/index.js";
import { grouped } from "@bough/session/text/index.js";
import { CheckpointError } from "../checkpoint-error.js";
import type { BlobStore } from "../store/blob-store.js";
import type { KnownFile } from "./known-file.js";

export interface ScanOutcome {
  readonly changes: readonly FileDelta[];
  /** What changed but is not recorded. */
  readonly skipped: readonly SkippedFile[];
}

export interface LookOptions {
  readonly root: string;
  readonly store: BlobStore;
  /** In bytes; larger files are not stored. */
  readonly largest: number;
  /** Files that are never checked, such as the session's own. */
  readonly isLeftOut?: (path: string) => boolean;
  /** How much a first look may still store; each content counts against it. */
  readonly room?: { bytes: number };
}

export interface ScannerOptions extends LookOptions {
  /** Globs, relative to the root, of ignored files to record anyway. */
  readonly include?: readonly string[];
  /**
   * How much the first scan stores, in bytes before compression. Files beyond it are recorded from their next change.
   */
  readonly firstBytes?: number;
  /** Called now and then with how many of how many files the first scan has seen. */
  readonly onProgress?: (done: number, total: number) => void;
  /** With more files than this the first scan throws `too-many-files`. Default 500,000. */
  readonly most?: number;
}

export type ScannerFacts = Readonly<Partial<Record<"named" | "unwatched" | "repositories", readonly string[]>>>;

/** What a scanner knows, for another one to continue from. */
export interface SavedLook {
  /** When its last scan started. */
  readonly began: number;
  readonly known: ReadonlyMap<string, KnownFile>;
  /** Clean for git, but different from git's objects. */
  readonly kept: ReadonlyMap<string, KnownFile>;
  readonly facts: ScannerFacts;
}

export interface Scanner {
  /**
   * The first scan only remembers, apart from what was noted or recalled; each later one reports what changed since.
   */
  scan(signal?: AbortSignal): Promise<ScanOutcome>;
  /**
   * Requests from the system what the next scan will need, so that it is cached. Changes nothing. Ends early if the
   * signal fires. Never rejects.
   */
  warm(signal: AbortSignal): Promise<void>;
  /**
   * A tool reported what it did to a file: the next scan does not report it again. The file is recorded from then on,
   * ignored or not.
   */
  note(path: string, state: FileState): void;
  /**
   * The state of a file according to a record. If the first scan finds something else there, the next scan reports it;
   * if the file is hidden, the state is used when it reappears.
   */
  recall(path: string, state: FileState): void;
  /** The states of files at the last scan, or after a later note. Without files about which nothing is known. */
  lastSeen(paths: readonly string[]): Promise<ReadonlyMap<string, FileState>>;
  /**
   * Those of the given paths that the rules exclude: ignored files, and what is never recorded. If in doubt, all of
   * them.
   */
  leftOut(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** When the last completed scan started; 0 before the first. */
  readonly began: number;
  /** What it knows about files. Later scans and notes only add to it while `basis` stays the same. */
  known(): Iterable<readonly [path: string, file: KnownFile, kept?: "kept"]>;
  /** 0 before the first scan. */
  readonly basis: number;
  /** Instead of a first scan: continues from what another scanner knew. */
  resume(look: SavedLook): void;
  /** What else it knows, as lists of paths. */
  readonly facts: ScannerFacts;
}

/** Otherwise a data folder without git would be copied as a whole before the first command. */
const FIRST_BYTES = 256 * 1024 * 1024;

/** What a first scan may store. */
export function firstRoom({ firstBytes = FIRST_BYTES }: ScannerOptions): { bytes: number } {
  return { bytes: firstBytes };
}

/** Folders with more files than this are not recorded. */
export const MOST_FILES = 500_000;

export function tooManyFiles(root: string, most: number): CheckpointError {
  return new CheckpointError("too-many-files", `${root} holds more than ${grouped(most)} files`, {
    data: { root, most },
    hint: "Files are not recorded here. Start Bough in a smaller folder, or add ignore rules.",
  });
}
