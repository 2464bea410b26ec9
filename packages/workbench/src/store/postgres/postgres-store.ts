/**
 * A store in PostgreSQL, server 13 or later. A push is one statement: it locks the row of its session, gives each new
 * line the next number there, and is committed whole or not at all. So numbers become visible in order, and a reader
 * that continues from a number misses nothing.
 */
import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type {
  ListFilter,
  PulledLines,
  PushOptions,
  PushOutcome,
  Replica,
  Store,
  StoreBlobs,
  StoredLine,
  StoredSession,
  StoreHit,
  StoreSearch,
  StoreTeam,
} from "../store.js";
import { StoreError, sessionRemoved } from "../store-error.js";
import { clean, columnsOf } from "./columns.js";
import { cursorAt, readCursor, START } from "./cursor.js";
import { Database, type DatabaseOptions } from "./database.js";
import { postgresBlobs } from "./postgres-blobs.js";
import { hasLine, type LineRow, postgresPath, storedLine } from "./postgres-path.js";
import { searchDatabase } from "./postgres-search.js";
import { postgresTeam } from "./postgres-team.js";
import { Roles } from "./roles.js";
import { checkSetUp, type SetUp, type SetUpOptions, type SetUpOutcome, setUp } from "./set-up.js";
import { CHANNEL, END_AT_LINE, PULL, PUSH, READMIT, REMOVE, REMOVE_LINES, sessions } from "./statements.js";
import { AS_MEMBER } from "./team.js";

const PIECE_LINES = 1_000;
const PIECE_BYTES = 8 << 20;
const POLL_MS = 2_000;
const DIRECT = {
  name: "bough_push",
  push: PUSH,
  endAtLine: END_AT_LINE,
  remove: [REMOVE, ...REMOVE_LINES],
  readmit: READMIT,
};
const MEMBER = { name: "bough_push_as_member", ...AS_MEMBER, remove: [AS_MEMBER.remove] };
/** Random marks below this limit are enough to tell the pushes of one session apart. */
const MARKS = 2 ** 48 - 1;

export interface PostgresStoreOptions extends DatabaseOptions {
  readonly url: string;
  readonly replica: Replica;
  /** How often to poll in addition to listening for notifications. */
  readonly pollMs?: number;
  /** Runs a search if the database does not; see `SearchLevel`. */
  readonly search?: (store: Store, query: StoreSearch) => Promise<readonly StoreHit[]>;
}

export class PostgresStore implements Store {
  readonly kind = "postgres";
  readonly replica: Replica;
  readonly blobs: StoreBlobs;
  readonly team: StoreTeam;
  readonly #database: Database;
  readonly #roles: Roles;
  readonly #pollMs: number;
  readonly #search: PostgresStoreOptions["search"];

  private constructor(database: Database, setUp: SetUp, options: PostgresStoreOptions) {
    const { replica, pollMs = POLL_MS, search } = options;
    this.#database = database;
    this.#roles = new Roles(database, setUp);
    this.replica = replica;
    this.#pollMs = pollMs;
    this.#search = search;
    this.blobs = postgresBlobs(database, this.#roles);
    this.team = postgresTeam(database, this.#roles);
  }

  /** Creates the tables, or migrates them. */
  static async init(url: string, options?: SetUpOptions): Promise<SetUpOutcome> {
    const database = await Database.open(url);
    try {
      return await setUp(database, options);
    } finally {
      await database.close();
    }
  }

  /** Rejects if the tables are missing, or newer than this version of Bough. */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const database = await Database.open(options.url, options);
    try {
      return new PostgresStore(database, await checkSetUp(database), options);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  get address(): string {
    return this.#database.address;
  }

  get key(): string {
    return this.#database.key;
  }

  async list({ project }: ListFilter = {}): Promise<readonly StoredSession[]> {
    const rows = await this.#database.rows<SessionRow>(sessions("$1::text is null or s.project = $1"), [
      project ?? null,
    ]);
    return rows.map(sessionOf);
  }

  async head(sessionId: string): Promise<StoredSession | undefined> {
    const [row] = await this.#database.rows<SessionRow>(sessions("s.id = $1"), [sessionId]);
    return row === undefined ? undefined : sessionOf(row);
  }

  async push(sessionId: string, lines: readonly Uint8Array[], options: PushOptions = {}): Promise<PushOutcome> {
    const columns = columnsOf(lines, { isSearched: this.#roles.setUp.search !== "none" });
    const { project, title, cwd, since } = options;
    const values = [
      sessionId,
      clean(project),
      clean(title),
      clean(cwd),
      this.replica.id,
      this.replica.name,
      columns.hash,
      columns.id,
      columns.parent,
      columns.kind,
      columns.role,
      columns.at,
      columns.line,
      columns.text,
      randomInt(1, MARKS),
    ];
    const [row] = await this.#withRoles((sql) => this.#database.rows<PushRow>(sql.push, values, { name: sql.name }));
    if (row === undefined || row.head === null) {
      throw sessionRemoved(sessionId, this.address);
    }
    const { head, mark, added, tried } = row;
    if (added < tried) {
      // Tidying up is optional: the push is stored.
      await this.#withRoles((sql) => this.#database.rows(sql.endAtLine, [sessionId, mark])).catch(() => {});
      return { added };
    }
    const seq = String(BigInt(head) - BigInt(added));
    const before = row.mark_before !== null || seq === "0" ? cursorAt({ seq, mark: row.mark_before }) : undefined;
    const follows = before === (since ?? "0");
    return { added, ...(follows ? { cursor: cursorAt({ seq: head, mark }), isAlone: true } : {}) };
  }

  async *pull(sessionId: string, cursor?: string): AsyncGenerator<PulledLines> {
    for (let { seq, mark, isOld } = readCursor(cursor); ; ) {
      const values = [sessionId, seq, PIECE_LINES, PIECE_BYTES, mark];
      const rows = await this.#database.rows<PullRow>(PULL, values, { name: "bough_pull" });
      const [place] = rows;
      if (place?.removed === true) return;
      const isThere = seq === "0" || place?.after === seq;
      const lost: { lost?: true } = isThere || isOld ? {} : { lost: true };
      const lines = rows.filter(hasLine);
      const last = lines.at(-1);
      if (last === undefined) {
        const end = cursorAt(isThere ? { seq, mark } : START);
        // Also replaces an old cursor, so that it equals the one that `list` returns.
        if (end !== cursor && seq !== "0" && (isOld || !isThere)) yield { lines: [], cursor: end, ...lost };
        return;
      }
      yield { lines: lines.map(storedLine), cursor: cursorAt(last), ...lost };
      ({ seq, mark, isOld } = readCursor(cursorAt(last)));
    }
  }

  path(sessionId: string, entryId?: string): AsyncIterable<readonly StoredLine[]> {
    return postgresPath(this.#database, sessionId, entryId);
  }

  async *follow(sessionId: string | undefined, signal: AbortSignal): AsyncGenerator<StoredSession> {
    const seen = new Map((await this.list()).map(({ id, cursor }) => [id, cursor]));
    let wake: () => void = () => {};
    /** Sessions that were announced and not asked about yet. */
    let told = new Set<string>();
    let isLate = true;
    const look = () => {
      isLate = true;
      wake();
    };
    signal.addEventListener("abort", look);
    let stop: (() => void) | undefined;
    const listen = async () => {
      const onMessage = (id: string) => {
        if (sessionId !== undefined && id !== sessionId) return;
        told.add(id);
        wake();
      };
      stop = await this.#database
        .listen(CHANNEL, {
          onMessage,
          onBreak: () => {
            stop = undefined;
            look();
          },
        })
        // If the server is unreachable, the next poll connects again.
        .catch(() => undefined);
    };
    try {
      await listen();
      for (;;) {
        if (!isLate && told.size === 0) {
          const woken = new Promise<"told">((resolve) => {
            wake = () => resolve("told");
          });
          const pause = new AbortController();
          const late = wait(this.#pollMs, "late" as const, { signal: pause.signal }).catch(() => "told" as const);
          if ((await Promise.race([woken, late])) === "late") isLate = true;
          pause.abort();
        }
        if (signal.aborted) return;
        if (stop === undefined) {
          await listen();
          isLate = true;
        }
        const ids = isLate ? undefined : [...told];
        isLate = false;
        told = new Set();
        for (const one of await this.#news(ids ?? (sessionId === undefined ? undefined : [sessionId]))) {
          if (seen.get(one.id) === one.cursor) continue;
          seen.set(one.id, one.cursor);
          // A removal brings no new lines.
          if (one.removed !== true) yield one;
        }
      }
    } finally {
      signal.removeEventListener("abort", look);
      stop?.();
    }
  }

  /**
   * Those sessions, or all. A push is announced with its session, because asking about all of them takes long in a
   * large store. Empty while the server is unreachable: what arrives meanwhile is found later.
   */
  async #news(ids: readonly string[] | undefined): Promise<readonly StoredSession[]> {
    try {
      if (ids === undefined) return await this.list();
      return (await this.#database.rows<SessionRow>(sessions("s.id = any ($1::text[])"), [ids])).map(sessionOf);
    } catch (error) {
      if (error instanceof StoreError && error.code === "store-unreachable") return [];
      throw error;
    }
  }

  search(query: StoreSearch): Promise<readonly StoreHit[]> {
    if (this.#roles.setUp.search === "none" && this.#search !== undefined) return this.#search(this, query);
    return searchDatabase(this.#database, query, this.#roles.setUp);
  }

  async remove(sessionId: string): Promise<void> {
    await this.#withRoles(({ remove }) =>
      this.#database.transaction(async (client) => {
        for (const sql of remove) await client.query(sql, [sessionId]);
      }),
    );
  }

  async readmit(sessionId: string): Promise<void> {
    await this.#withRoles(({ readmit }) => this.#database.rows(readmit, [sessionId]));
  }

  /** With roles, functions of the database check them. */
  #withRoles<Result>(work: (sql: typeof DIRECT) => Promise<Result>): Promise<Result> {
    return this.#roles.using((areOn) => work(areOn ? MEMBER : DIRECT));
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}

interface PushRow {
  /** Null if the session was removed. */
  readonly head: string | null;
  readonly mark: string | null;
  readonly added: number;
  /** Lines that the store did not have when the push started. */
  readonly tried: number;
  /** The mark of the line before them, if it existed when the push started. */
  readonly mark_before: string | null;
}

interface PullRow extends Omit<LineRow, "line"> {
  readonly after: string;
  readonly removed: boolean;
  readonly line: Buffer | null;
  readonly mark: string | null;
}

interface SessionRow {
  readonly id: string;
  readonly project: string | null;
  readonly title: string | null;
  readonly cwd: string | null;
  readonly head: string;
  readonly mark: string | null;
  readonly updated: Date;
  readonly removed: boolean;
  readonly replicas: readonly Replica[] | null;
}

function sessionOf({ id, project, title, cwd, head, mark, updated, removed, replicas }: SessionRow): StoredSession {
  return {
    id,
    cursor: cursorAt({ seq: head, mark }),
    updated,
    replicas: replicas ?? [],
    ...(project === null ? {} : { project }),
    ...(title === null ? {} : { title }),
    ...(cwd === null ? {} : { cwd }),
    ...(removed ? { removed } : {}),
  };
}
