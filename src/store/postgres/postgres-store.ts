/**
 * A store in PostgreSQL, server 13 or later. A push is one statement: it takes the row of its session, gives each new
 * line the next number there, and is committed whole or not at all. So numbers become visible in their order, and who
 * reads from a number on misses nothing.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { SessionEntry } from "../../entry/index.js";
import { searchedText } from "../../session/internal.js";
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
} from "../store.js";
import { StoreError, sessionRemoved } from "../store-error.js";
import { lineFacts, lineHash } from "../stored-line.js";
import { Database } from "./database.js";
import { postgresBlobs } from "./postgres-blobs.js";
import { type LineRow, postgresPath, storedLine } from "./postgres-path.js";
import { searchDatabase } from "./postgres-search.js";
import { checkSetUp, type SetUpOptions, type SetUpOutcome, setUp } from "./set-up.js";
import { ADMIT, CHANNEL, PULL, PUSH } from "./statements.js";

const PIECE_LINES = 1_000;
const PIECE_BYTES = 8 << 20;
const POLL_MS = 2_000;
/** Characters of an entry that are searched. */
const MOST_TEXT = 1 << 20;

export interface PostgresStoreOptions {
  readonly url: string;
  readonly replica: Replica;
  /** How often to look for news besides being told. */
  readonly pollMs?: number;
}

export class PostgresStore implements Store {
  readonly kind = "postgres";
  readonly replica: Replica;
  readonly blobs: StoreBlobs;
  readonly #database: Database;
  readonly #pollMs: number;

  private constructor(database: Database, { replica, pollMs = POLL_MS }: PostgresStoreOptions) {
    this.#database = database;
    this.replica = replica;
    this.#pollMs = pollMs;
    this.blobs = postgresBlobs(database);
  }

  /** Creates the tables, or brings them up to date. */
  static async init(url: string, options?: SetUpOptions): Promise<SetUpOutcome> {
    const database = await Database.open(url);
    try {
      return await setUp(database, options);
    } finally {
      await database.close();
    }
  }

  /** Rejects if the tables are not there, or newer than this version knows. */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const database = await Database.open(options.url);
    try {
      await checkSetUp(database);
    } catch (error) {
      await database.close();
      throw error;
    }
    return new PostgresStore(database, options);
  }

  get address(): string {
    return this.#database.address;
  }

  async list({ project }: ListFilter = {}): Promise<readonly StoredSession[]> {
    const rows = await this.#sessions("$1::text is null or s.project = $1", [project ?? null]);
    return rows.map(sessionOf);
  }

  async head(sessionId: string): Promise<StoredSession | undefined> {
    const [row] = await this.#sessions("s.id = $1", [sessionId]);
    return row === undefined ? undefined : sessionOf(row);
  }

  #sessions(condition: string, values: readonly unknown[]): Promise<SessionRow[]> {
    return this.#database.rows<SessionRow>(
      `select s.id, s.project, s.title, s.cwd, s.head, s.updated, s.removed,
         (select json_agg(json_build_object('id', r.id, 'name', r.name)) from bough.replica r
          where r.id = any (s.replicas)) as replicas
       from bough.session s where ${condition} order by s.updated desc`,
      values,
    );
  }

  async push(sessionId: string, lines: readonly Uint8Array[], options: PushOptions = {}): Promise<PushOutcome> {
    const columns = columnsOf(lines);
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
    ];
    const store = () => this.#database.rows<{ head: string | null; added: number }>(PUSH, values, "bough_push");
    const [row] = await store().catch(async (error: unknown) => {
      const isForbidden = error instanceof StoreError && error.code === "store-refused";
      const admitted = isForbidden ? await this.#database.rows(ADMIT, [sessionId]) : [];
      if (admitted.length === 0) throw error;
      return store();
    });
    if (row === undefined || row.head === null) {
      throw sessionRemoved(sessionId, this.address);
    }
    const before = BigInt(row.head) - BigInt(row.added);
    const follows = since === undefined ? before === 0n : since === String(before);
    return { added: row.added, ...(follows ? { cursor: row.head } : {}) };
  }

  async *pull(sessionId: string, cursor?: string): AsyncGenerator<PulledLines> {
    for (let from = numberIn(cursor); ; ) {
      const rows = await this.#database.rows<LineRow>(PULL, [sessionId, from, PIECE_LINES, PIECE_BYTES], "bough_pull");
      const last = rows.at(-1);
      if (last === undefined) return;
      from = last.seq;
      yield { lines: rows.map(storedLine), cursor: from };
    }
  }

  path(sessionId: string, entryId?: string): AsyncIterable<readonly StoredLine[]> {
    return postgresPath(this.#database, sessionId, entryId);
  }

  async *follow(sessionId: string | undefined, signal: AbortSignal): AsyncGenerator<StoredSession> {
    const seen = new Map((await this.list()).map(({ id, cursor }) => [id, cursor]));
    let wake: () => void = () => {};
    let told = false;
    const tell = () => {
      told = true;
      wake();
    };
    signal.addEventListener("abort", tell);
    let stop: (() => void) | undefined;
    const listen = async () => {
      const onMessage = (id: string) => (sessionId === undefined || id === sessionId) && tell();
      stop = await this.#database
        .listen(CHANNEL, {
          onMessage,
          onBreak: () => {
            stop = undefined;
            tell();
          },
        })
        // The server is away: looking for it again is the next poll's work.
        .catch(() => undefined);
    };
    try {
      await listen();
      for (let first = true; !signal.aborted; first = false) {
        if (!told && !first) {
          const woken = new Promise<void>((resolve) => {
            wake = resolve;
          });
          const pause = new AbortController();
          await Promise.race([woken, wait(this.#pollMs, undefined, { signal: pause.signal }).catch(() => {})]);
          pause.abort();
        }
        told = false;
        if (signal.aborted) return;
        if (stop === undefined) await listen();
        const sessions = await this.#news(sessionId);
        for (const one of sessions ?? []) {
          if (seen.get(one.id) === one.cursor) continue;
          seen.set(one.id, one.cursor);
          yield one;
        }
      }
    } finally {
      signal.removeEventListener("abort", tell);
      stop?.();
    }
  }

  /** Undefined while the server cannot be reached: what arrives meanwhile is found afterwards. */
  async #news(sessionId: string | undefined): Promise<readonly StoredSession[] | undefined> {
    try {
      if (sessionId === undefined) return await this.list();
      const one = await this.head(sessionId);
      return one === undefined ? [] : [one];
    } catch (error) {
      if (error instanceof StoreError && error.code === "store-unreachable") return undefined;
      throw error;
    }
  }

  search(query: StoreSearch): Promise<readonly StoreHit[]> {
    return searchDatabase(this.#database, query);
  }

  async remove(sessionId: string): Promise<void> {
    await this.#database.transaction(async (client) => {
      await client.query(
        "insert into bough.session (id, removed) values ($1, true) on conflict (id) do update set removed = true, replicas = '{}'",
        [sessionId],
      );
      await client.query("delete from bough.entry where session = $1", [sessionId]);
      await client.query("delete from bough.run where session = $1", [sessionId]);
    });
  }

  async readmit(sessionId: string): Promise<void> {
    await this.#database.rows("update bough.session set removed = false where id = $1", [sessionId]);
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}

interface SessionRow {
  readonly id: string;
  readonly project: string | null;
  readonly title: string | null;
  readonly cwd: string | null;
  readonly head: string;
  readonly updated: Date;
  readonly removed: boolean;
  readonly replicas: readonly Replica[] | null;
}

function sessionOf({ id, project, title, cwd, head, updated, removed, replicas }: SessionRow): StoredSession {
  return {
    id,
    cursor: head,
    updated,
    replicas: replicas ?? [],
    ...(project === null ? {} : { project }),
    ...(title === null ? {} : { title }),
    ...(cwd === null ? {} : { cwd }),
    ...(removed ? { removed } : {}),
  };
}

/** The lines column by column, as the statement takes them. A line that is neither header nor entry is not stored. */
function columnsOf(lines: readonly Uint8Array[]) {
  const columns = {
    hash: [] as Buffer[],
    id: [] as string[],
    parent: [] as (string | null)[],
    kind: [] as string[],
    role: [] as (string | null)[],
    at: [] as (string | null)[],
    line: [] as Buffer[],
    text: [] as (string | null)[],
  };
  const seen = new Set<string>();
  for (const bytes of lines) {
    const facts = lineFacts(bytes);
    const hash = lineHash(bytes);
    if (facts === undefined || seen.has(hash)) continue;
    seen.add(hash);
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { message, timestamp } = facts.record as {
      readonly message?: { readonly role?: unknown };
      timestamp?: unknown;
    };
    const text =
      facts.kind === "header" ? "" : searchedText(facts.record as unknown as SessionEntry, line.toString("utf8"));
    columns.hash.push(Buffer.from(hash, "hex"));
    columns.id.push(clean(facts.id) ?? "");
    columns.parent.push(clean(facts.parentId));
    columns.kind.push(clean(facts.type) ?? "");
    columns.role.push(typeof message?.role === "string" ? clean(message.role) : null);
    columns.at.push(typeof timestamp === "string" ? clean(timestamp) : null);
    columns.line.push(line);
    columns.text.push(text === "" ? null : clean(text.slice(0, MOST_TEXT)));
  }
  return columns;
}

/** PostgreSQL's text holds no NUL, and no half of a surrogate pair. */
function clean(text: string | null | undefined): string | null {
  return text == null ? null : Buffer.from(text.replaceAll("\0", "\uFFFD")).toString("utf8");
}

function numberIn(cursor: string | undefined): string {
  return cursor !== undefined && /^\d{1,18}$/.test(cursor) ? cursor : "0";
}
