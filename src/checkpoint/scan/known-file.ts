import type { FileState } from "../../entry/index.js";
import type { SkippedFile } from "../../entry/internal.js";

/** A path that is known: its state, or why it has none. */
export interface KnownFile {
  /** 0: it has to be read. */
  readonly signature: number;
  readonly state: FileState | undefined;
  readonly skipped?: SkippedFile;
}
