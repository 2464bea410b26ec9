/** Finds out which files changed since the last look, in a git repository or in any folder. */
import type { FileDelta, FileState } from "../../entry/index.js";
import type { SkippedFile } from "../../entry/internal.js";

export interface ScanOutcome {
  readonly changes: readonly FileDelta[];
  /** What changed and is not covered. */
  readonly skipped: readonly SkippedFile[];
}

export interface Scanner {
  /** The first scan only remembers; each later one says what changed since the one before. */
  scan(signal?: AbortSignal): Promise<ScanOutcome>;
  /** A tool said itself what it did to a file: the next scan does not say it again. */
  note(path: string, state: FileState): void;
}
