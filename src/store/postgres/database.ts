/** A connection to PostgreSQL: queries, a listener, and what can go wrong with them. */
import type { Pool, PoolClient, QueryResultRow } from "pg";
import { withoutPassword } from "./address.js";
import { postgresError } from "./postgres-error.js";

const CONNECTIONS = 4;
const CONNECT_MS = 10_000;

export class Database {
  readonly address: string;
  readonly #pool: Pool;

  private constructor(pool: Pool, address: string) {
    this.#pool = pool;
    this.address = address;
    // A connection that breaks while it is idle is replaced by the next query.
    pool.on("error", () => {});
  }

  /** Connects with the first query. */
  static async open(url: string): Promise<Database> {
    const { default: pg } = await import("pg");
    const pool = new pg.Pool({
      connectionString: url,
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: "bough",
      keepAlive: true,
      // A program that forgets to close it ends all the same.
      allowExitOnIdle: true,
    });
    return new Database(pool, withoutPassword(url));
  }

  async rows<Row extends QueryResultRow>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    try {
      const query = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      return (await this.#pool.query<Row>(query)).rows;
    } catch (error) {
      throw postgresError(error, this.address);
    }
  }

  /** One connection for several statements, in one transaction. */
  async transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      await client.query("begin");
      const made = await work(client);
      await client.query("commit");
      client.release();
      return made;
    } catch (error) {
      // A connection in an unknown state is not used again.
      client?.release(true);
      throw postgresError(error, this.address);
    }
  }

  /** Hears a channel until `done`. `onBreak` is called once if the connection is lost. */
  async listen(
    channel: string,
    { onMessage, onBreak }: { readonly onMessage: (payload: string) => void; readonly onBreak: () => void },
  ): Promise<() => void> {
    try {
      const client = await this.#pool.connect();
      let over = false;
      const end = (broken: boolean) => {
        if (over) return;
        over = true;
        client.release(true);
        if (broken) onBreak();
      };
      client.on("error", () => end(true));
      client.on("end", () => end(true));
      client.on("notification", ({ payload }) => onMessage(payload ?? ""));
      await client.query(`listen ${channel}`);
      return () => end(false);
    } catch (error) {
      throw postgresError(error, this.address);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
