/** Syncing the sessions of a client. Several of them may be branches of one file, which is synced once. */

import type { SessionSync } from "@bough/workbench/store/internal.js";

/** As `AcpSession`, as far as syncing goes. */
export interface SyncedSession {
  readonly file: string | undefined;
  readonly started: { readonly parts: { readonly sync: SessionSync } };
}

/** Which session of each file syncs it. When it closes, another open one takes over. */
export class FileSyncs {
  readonly #of = new Map<string, SyncedSession>();

  /** After a session was opened: begins to sync its file, if the settings say so and no other session does. */
  async opened(session: SyncedSession): Promise<void> {
    const { file } = session;
    if (file === undefined || this.#of.has(file)) return;
    this.#of.set(file, session);
    await session.started.parts.sync.start();
  }

  /** After a turn. The session that syncs the file has noticed its own. */
  turned(session: SyncedSession): void {
    const syncing = session.file === undefined ? undefined : this.#of.get(session.file);
    if (syncing !== undefined && syncing !== session) syncing.started.parts.sync.catchUp();
  }

  /** After a session was closed, which has synced its file. */
  async closed(session: SyncedSession, open: Iterable<SyncedSession>): Promise<void> {
    for (const [file, one] of this.#of) {
      if (one !== session) continue;
      this.#of.delete(file);
      for (const other of open) if (other.file === file) return this.opened(other);
    }
  }
}
