/** Finds out which files changed since the last look, in a git repository or in any folder. */
import type { FileDelta, FileState } from "@bough/session/entry/index.js";
import type { SkippedFile } from "@bough/session/entry/internal.js";
import { CheckpointError } from "../checkpoint-error.js";
import type { BlobStore } from "../store/blob-store.js";
import type { KnownFile } from "./known-file.js";

export interface ScanOutcome {
  readonly changes: readonly FileDelta[];
  /** What changed and is not covered. */
  readonly skipped: readonly SkippedFile[];
}

export interface LookOptions {
  readonly root: string;
  readonly store: BlobStore;
  /** Bytes; larger files are not kept. */
  readonly largest: number;
  /** Files that are never looked at, such as the session's own. */
  readonly isLeftOut?: (path: string) => boolean;
  /** How much a first look may still store; each content counts against it. */
  readonly room?: { bytes: number };
}

export interface ScannerOptions extends LookOptions {
  /** Globs, relative to the root, of ignored files to record anyway. */
  readonly include?: readonly string[];
  /** How much the first scan stores: bytes before compression. Files beyond it are followed from their next change on. */
  readonly firstBytes?: number;
  /** Is told now and then how many of how many files the first scan has seen. */
  readonly onProgress?: (done: number, total: number) => void;
  /** With more files than this the first scan throws `too-many-files`. Default 500,000. */
  readonly most?: number;
}

export type ScannerFacts = Readonly<Partial<Record<"named" | "unwatched" | "repositories", readonly string[]>>>;

/** What a scanner knows, to be continued by another one. */
export interface SavedLook {
  /** When its last scan began. */
  readonly began: number;
  readonly known: ReadonlyMap<string, KnownFile>;
  /** Clean for git, but not as git has them. */
  readonly kept: ReadonlyMap<string, KnownFile>;
  readonly facts: ScannerFacts;
}

export interface Scanner {
  /** The first scan only remembers, apart from what was noted or recalled; each later one says what changed since. */
  scan(signal?: AbortSignal): Promise<ScanOutcome>;
  /**
   * Asks the system for what the next scan will ask, so that it has it at hand. Remembers nothing and changes nothing. Ends
   * early if the signal fires. Never rejects.
   */
  warm(signal: AbortSignal): Promise<void>;
  /** A tool said itself what it did to a file: the next scan does not say it again. It is followed from then on, ignored or not. */
  note(path: string, state: FileState): void;
  /**
   * What a file is by a record. If the first scan finds another one there, the next scan says so; if it is not in sight, it
   * counts when the file comes back.
   */
  recall(path: string, state: FileState): void;
  /** What files were at the last scan, or by a later note. Without those of which nothing is known. */
  lastSeen(paths: readonly string[]): Promise<ReadonlyMap<string, FileState>>;
  /** Those of some paths that the rules leave out: ignored ones, and what is never followed. If in doubt, all of them. */
  leftOut(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** When the last scan that came to its end began; 0 before the first. */
  readonly began: number;
  /** What it knows of files. From then on that is what later scans and notes add, as long as `basis` is the same. */
  known(): Iterable<readonly [path: string, file: KnownFile, kept?: "kept"]>;
  /** 0 before the first scan. */
  readonly basis: number;
  /** In place of the first scan: continues from what another scanner knew. */
  resume(look: SavedLook): void;
  /** What else it knows, as lists of paths. */
  readonly facts: ScannerFacts;
}

/** A folder of data without git would be copied as a whole before the first command. */
const FIRST_BYTES = 256 * 1024 * 1024;

/** What a first scan may store. */
export function firstRoom({ firstBytes = FIRST_BYTES }: ScannerOptions): { bytes: number } {
  return { bytes: firstBytes };
}

/** More files than this are not followed. */
export const MOST_FILES = 500_000;

export function tooManyFiles(root: string, most: number): CheckpointError {
  return new CheckpointError("too-many-files", `${root} holds more than ${most.toLocaleString("en")} files`, {
    data: { root, most },
    hint: "Files are not recorded here. Start Bough in a smaller folder, or ignore what need not be recorded.",
  });
}
