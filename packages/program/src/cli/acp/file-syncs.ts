/** Syncs the sessions of a client. Several may be branches of one file, which is synced once. */

import type { SessionSync } from "@bough/workbench/store/internal.js";

/** The part of `AcpSession` that syncing needs. */
export interface SyncedSession {
  readonly file: string | undefined;
  readonly started: { readonly parts: { readonly sync: SessionSync } };
}

/** Which session syncs each file. When it closes, another open one takes over. */
export class FileSyncs {
  readonly #of = new Map<string, SyncedSession>();

  /** Called after a session was opened. Starts to sync its file if the settings say so and no other session does. */
  async opened(session: SyncedSession): Promise<void> {
    const { file } = session;
    if (file === undefined || this.#of.has(file)) return;
    this.#of.set(file, session);
    await session.started.parts.sync.start();
  }

  /** Called after a turn. The session that syncs the file notices its own turns. */
  turned(session: SyncedSession): void {
    const syncing = session.file === undefined ? undefined : this.#of.get(session.file);
    if (syncing !== undefined && syncing !== session) syncing.started.parts.sync.catchUp();
  }

  /** Called after a session was closed, which synced its file. */
  async closed(session: SyncedSession, open: Iterable<SyncedSession>): Promise<void> {
    for (const [file, one] of this.#of) {
      if (one !== session) continue;
      this.#of.delete(file);
      for (const other of open) if (other.file === file) return this.opened(other);
    }
  }
}
