/** A connection to PostgreSQL: queries, notifications, and their failures. */
import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import type { Pool, PoolClient, QueryResultRow } from "pg";
import { withoutPassword } from "./address.js";
import { postgresError } from "./postgres-error.js";
import { databaseConnection } from "./tls.js";

const CONNECTIONS = 4;
const CONNECT_MS = 10_000;
const SILENCE_MS = 60_000;
/** Factor by which a slow statement's time limit is longer. */
const SLOW = 10;
const KEEP_ALIVE_MS = 30_000;

export interface DatabaseOptions {
  /**
   * How long to wait while nothing is sent or received. A large push over a slow line may take longer and is not given
   * up. Default 60 seconds.
   */
  readonly silenceMs?: number;
}

export interface RowsOptions {
  /** Name of the prepared statement, which is prepared once per connection. */
  readonly name?: string;
  /** The server may need minutes for it. */
  readonly isSlow?: boolean;
}

export class Database {
  readonly address: string;
  /** Identifies the full address, including the password, without revealing it. */
  readonly key: string;
  readonly #pool: Pool;
  readonly #silenceMs: number;

  private constructor(pool: Pool, url: string, silenceMs: number) {
    this.#pool = pool;
    this.#silenceMs = silenceMs;
    this.address = withoutPassword(url);
    this.key = createHash("sha256").update(url).digest("hex");
    // An idle connection that breaks is replaced by the next query.
    pool.on("error", () => {});
    // The running query rejects too. Listen from the start: a server that shuts down may report it at the moment when
    // the pool hands out the connection, and an unhandled error event ends the process.
    pool.on("connect", (client) => client.on("error", () => {}));
  }

  /** Connects on the first query. */
  static async open(url: string, { silenceMs = SILENCE_MS }: DatabaseOptions = {}): Promise<Database> {
    const { default: pg } = await import("pg");
    const pool = new pg.Pool({
      ...databaseConnection(url),
      max: CONNECTIONS,
      connectionTimeoutMillis: Math.min(CONNECT_MS, silenceMs),
      application_name: "bough",
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      // Let a program exit even if it forgets to close the store.
      allowExitOnIdle: true,
    });
    return new Database(pool, url, silenceMs);
  }

  async rows<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    { name, isSlow = false }: RowsOptions = {},
  ): Promise<Row[]> {
    const query = { text, values: [...values], name };
    const silenceMs = this.#silenceMs * (isSlow ? SLOW : 1);
    return this.#using(silenceMs, async (client) => (await client.query<Row>(query)).rows);
  }

  /** Runs a statement that cannot be part of a transaction and may take long. */
  async statement(text: string): Promise<void> {
    await this.#using(0, (client) => client.query(text));
  }

  /** Runs several statements on one connection, in one transaction. `isEndless` turns off the time limit. */
  async transaction<T>(
    work: (client: PoolClient) => Promise<T>,
    { isEndless = false }: { readonly isEndless?: boolean } = {},
  ): Promise<T> {
    return this.#using(isEndless ? 0 : this.#silenceMs, async (client) => {
      await client.query("begin");
      const made = await work(client);
      await client.query("commit");
      return made;
    });
  }

  async #using<T>(silenceMs: number, work: (client: PoolClient) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined;
    let unwatch = () => {};
    try {
      client = await this.#pool.connect();
      unwatch = breakWhenSilent(client, silenceMs);
      const made = await work(client);
      unwatch();
      client.release();
      return made;
    } catch (error) {
      unwatch();
      // Never reuse a connection in an unknown state.
      client?.release(true);
      throw postgresError(error, this.address);
    }
  }

  /** Listens to a channel until the returned function is called. `onBreak` is called once if the connection is lost. */
  async listen(
    channel: string,
    { onMessage, onBreak }: { readonly onMessage: (payload: string) => void; readonly onBreak: () => void },
  ): Promise<() => void> {
    let end = (_how: "stopped" | "broken") => {};
    try {
      const client = await this.#pool.connect();
      let isListening = false;
      let over = false;
      end = (how) => {
        if (over) return;
        over = true;
        client.release(true);
        if (how === "broken" && isListening) onBreak();
      };
      client.on("error", () => end("broken"));
      client.on("end", () => end("broken"));
      client.on("notification", ({ payload }) => onMessage(payload ?? ""));
      const unwatch = breakWhenSilent(client, this.#silenceMs);
      await client.query(`listen ${channel}`);
      unwatch();
      isListening = true;
      return () => end("stopped");
    } catch (error) {
      end("stopped");
      throw postgresError(error, this.address);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** Breaks the connection after this long without traffic, until the returned function is called. */
function breakWhenSilent(client: PoolClient, silenceMs: number): () => void {
  const stream = client.connection.stream as Socket;
  const onTimeout = () => {
    stream.destroy(new Error(`no answer for ${Math.ceil(silenceMs / 1000)} seconds`));
  };
  stream.setTimeout(silenceMs, onTimeout);
  return () => {
    stream.setTimeout(0);
    stream.off("timeout", onTimeout);
  };
}
