/** Search for stores that cannot search by themselves, in a private copy that is updated first. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { FileLog } from "@bough/session/log/index.js";
import { searchSessions } from "@bough/session/session/index.js";
import type { Store, StoreHit, StoreSearch } from "./store.js";
import type { Position } from "./sync/position-here.js";
import { pullSession } from "./sync/pull-session.js";
import { headerFor } from "./sync/sync-session.js";
import { NEW_STATE, SyncStates } from "./sync/sync-state.js";

const LIMIT = 20;
/** How many hits above the limit to collect before dropping the oldest. */
const SPARE = 1_000;

/** The copy is only searched, so it has no position. */
const nowhere: Position = { now: () => undefined, kept: () => {} };

/** `home` is `$BOUGH_HOME`. The copy may be deleted at any time. */
export async function searchMirror(store: Store, query: StoreSearch, home: string): Promise<readonly StoreHit[]> {
  const states = new SyncStates(home, `mirror ${store.key ?? store.address}`);
  const sessions = (await store.list(query.project === undefined ? {} : { project: query.project })).filter(
    ({ removed }) => removed !== true,
  );
  const byFile = new Map(sessions.map((session) => [join(states.folder, "mirror", nameOf(session.id)), session]));
  const now = () => new Date();
  for (const [file, { id, cursor }] of byFile) {
    query.signal?.throwIfAborted();
    const state = states.get(id) ?? NEW_STATE;
    if (state.cursor === cursor) continue;
    const log = new FileLog(file, { access: "write" });
    try {
      const header = (line: Uint8Array | undefined) => headerFor(id, { line, cwd: undefined, now });
      const save = (next: typeof state) => states.set(id, { ...next, pulled: [] });
      await pullSession({
        log,
        home,
        sessionId: id,
        store,
        state,
        now,
        position: nowhere,
        cameFrom: () => {},
        header,
        save,
      });
    } finally {
      log.close();
    }
  }
  const { words, limit = LIMIT, signal } = query;
  let hits: StoreHit[] = [];
  const options = { dir: [], files: [...byFile.keys()], signal };
  for await (const hit of searchSessions(words, options)) {
    const session = byFile.get(hit.path);
    if (session === undefined) continue;
    const { id, project, title, cwd } = session;
    hits.push({
      sessionId: id,
      entryId: hit.entryId,
      at: hit.timestamp,
      excerpt: hit.excerpt,
      state: hit.state,
      ...(hit.role === undefined ? {} : { role: hit.role }),
      ...(project === undefined ? {} : { project }),
      ...(title === undefined ? {} : { title }),
      ...(cwd === undefined ? {} : { cwd }),
    });
    if (hits.length > limit + SPARE) hits = newest(hits, limit);
  }
  return newest(hits, limit);
}

/** Hits with equal times keep their order. */
function newest(hits: readonly StoreHit[], limit: number): StoreHit[] {
  const ordered = hits.toSorted(({ at: a = "" }, { at: b = "" }) => (a < b ? 1 : a > b ? -1 : 0));
  return ordered.slice(0, limit);
}

function nameOf(sessionId: string): string {
  return `${createHash("sha256").update(sessionId).digest("hex").slice(0, 32)}.jsonl`;
}
