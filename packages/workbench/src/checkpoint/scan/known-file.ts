import type { FileState, SkippedFile } from "@bough/session/entry/index.js";

/** A known path: its state, or why it has none. */
export interface KnownFile {
  /** 0: it must be read. */
  readonly signature: number;
  readonly state: FileState | undefined;
  readonly skipped?: SkippedFile;
}

/** The states of the files that have one. */
export function statesOf(
  paths: readonly string[],
  known: (path: string) => Pick<KnownFile, "state"> | undefined,
): ReadonlyMap<string, FileState> {
  const found = new Map<string, FileState>();
  for (const path of paths) {
    const state = known(path)?.state;
    if (state !== undefined) found.set(path, state);
  }
  return found;
}
