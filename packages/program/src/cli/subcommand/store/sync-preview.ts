/** What `bough sync --dry-run` reports: how much would be pushed, and whether there is something to pull. */
import { existsSync } from "node:fs";
import { FileLog } from "@bough/session/log/index.js";
import type { Store, SyncState, SyncStates } from "@bough/workbench/store/index.js";
import { NEW_STATE, unpushedIn } from "@bough/workbench/store/internal.js";

export interface Preview {
  /** Lines that the store lacks, as far as this machine knows. */
  readonly toPush: number;
  /** Only the store knows how much. */
  readonly toPull: boolean;
}

interface Previewed {
  readonly sessionId: string;
  readonly file: string;
}

/** By session ID. Needs one list from the store, and the end of each file. */
export async function previewOf(
  sessions: readonly Previewed[],
  { store, states }: { readonly store: Store; readonly states: SyncStates },
): Promise<ReadonlyMap<string, Preview>> {
  if (sessions.length === 0) return new Map();
  const stored = new Map((await store.list()).map((one) => [one.id, one]));
  return new Map(
    sessions.map(({ sessionId, file }) => {
      const state = states.get(sessionId);
      const there = stored.get(sessionId);
      const toPull = there !== undefined && there.removed !== true && there.cursor !== state?.cursor;
      return [sessionId, { toPush: unpushed(file, state), toPull }];
    }),
  );
}

/** A file that is gone, or does not exist yet, has nothing to push. */
function unpushed(file: string, state: SyncState | undefined): number {
  if (!existsSync(file)) return 0;
  const log = new FileLog(file, { access: "read" });
  try {
    return unpushedIn(log, state ?? NEW_STATE, "lines");
  } finally {
    log.close();
  }
}
