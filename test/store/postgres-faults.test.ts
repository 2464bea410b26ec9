/** What goes wrong between a store and its server: lines that are dead, data it cannot take, a backup that is put back. */
import { randomBytes } from "node:crypto";
import { connect as connectTo, createServer, type Server, type Socket } from "node:net";
import { PostgresStore, type PostgresStoreOptions } from "@bough/workbench/store/postgres/postgres-store.js";
import { header, replicaNamed } from "@bough/workbench/store/store-contract.test-support.js";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";

let server: PostgresServer;
let count = 0;
beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
});
const open: PostgresStore[] = [];
const proxies: Line[] = [];
afterAll(async () => {
  for (const proxy of proxies) proxy.close();
  await Promise.all(open.map((store) => store.close().catch(() => {})));
  server?.stop();
});

function newName(): string {
  return `f${count++}`;
}
async function database(): Promise<string> {
  const url = server.create(newName());
  await PostgresStore.init(url);
  return url;
}
const nameOf = (url: string) => url.split("/").at(-1) as string;
async function connect(url: string, name: string, options: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> {
  const store = await PostgresStore.open({ url, replica: replicaNamed(name), pollMs: 50, ...options });
  open.push(store);
  return store;
}

const line = (id: string, parentId: string | null = null, more: object = {}) =>
  Buffer.from(
    JSON.stringify({
      type: "message",
      id,
      parentId,
      timestamp: "2026-01-01T00:00:00.000Z",
      message: { role: "user", content: id.slice(0, 20), timestamp: 1 },
      ...more,
    }),
  );

async function pulled(store: PostgresStore, session: string, cursor?: string) {
  const pieces: { ids: string[]; cursor: string; lost?: true }[] = [];
  for await (const { lines, ...rest } of store.pull(session, cursor))
    pieces.push({ ids: lines.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()).id), ...rest });
  return pieces;
}

/** Between a store and the server: can swallow everything, or change what is sent. */
class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  isDead = false;
  change = (bytes: Buffer) => bytes;

  constructor(port: number) {
    this.#server = createServer((client) => {
      const there = connectTo(port, "127.0.0.1");
      for (const [from, to] of [
        [client, there],
        [there, client],
      ] as const) {
        this.#sockets.add(from);
        from.on("error", () => {});
        from.on("close", () => to.destroy());
        from.on("data", (bytes) => this.isDead || to.write(from === client ? this.change(bytes) : bytes));
      }
    });
  }

  async url(database: string): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `postgres://bough@127.0.0.1:${(this.#server.address() as { port: number }).port}/${database}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
async function throughProxy(url: string): Promise<{ proxy: Line; url: string }> {
  const proxy = new Line(server.port);
  proxies.push(proxy);
  return { proxy, url: await proxy.url(nameOf(url)) };
}

/** Pushes until a follower has started and has heard of it. */
async function started(news: AsyncIterator<unknown>, writer: PostgresStore): Promise<void> {
  let isOver = false;
  const first = news.next().then(() => {
    isOver = true;
  });
  for (let n = 0; !isOver; n++) await writer.push("s", [line(`started-${n}`)]);
  await first;
}

describe("a store in PostgreSQL that was put back", () => {
  /** What a backup taken now would bring back. */
  async function backedUp() {
    const url = await database();
    const [writer, reader] = [await connect(url, "writer"), await connect(url, "reader")];
    await writer.push("s", [line("a"), line("b", "a")]);
    const backup = newName();
    await writer.close();
    await reader.close();
    server.sql(`create database ${backup} template ${nameOf(url)}`);
    const backupUrl = server.url(backup);
    return { before: await connect(url, "reader"), restored: () => connect(backupUrl, "other") };
  }

  it("gives everything again to a reader that is further, also after others have pushed as many lines", async () => {
    const { before, restored } = await backedUp();
    await before.push("s", [line("c", "b"), line("d", "c")]);
    const [{ cursor = "" } = {}] = await pulled(before, "s");
    expect(cursor).toBe((await before.head("s"))?.cursor);
    const store = await restored();
    const { cursor: end } = (await store.head("s")) ?? { cursor: "" };
    expect(await pulled(store, "s", cursor)).toEqual([{ ids: ["a", "b"], cursor: end, lost: true }]);
    // Also one of the lines that were lost, at its number.
    await store.push("s", [line("x", "b"), line("d", "c")]);
    const now = (await store.head("s"))?.cursor;
    expect(await pulled(store, "s", cursor)).toEqual([{ ids: ["a", "b", "x", "d"], cursor: now, lost: true }]);
    expect(await pulled(store, "s", end)).toEqual([{ ids: ["x", "d"], cursor: now }]);
    expect(await pulled(store, "s", now)).toEqual([]);
  });

  it("says that a session is lost that it does not have at all", async () => {
    const { before, restored } = await backedUp();
    const { cursor = "" } = await before.push("new", [line("a")]);
    expect(cursor).toBe((await before.list()).find(({ id }) => id === "new")?.cursor);
    expect(await pulled(await restored(), "new", cursor)).toEqual([{ ids: [], cursor: "0", lost: true }]);
  });

  it("tells a pusher where to go on only if the store is the one that it pulled from", async () => {
    const { before, restored } = await backedUp();
    const { cursor = "" } = (await before.head("s")) ?? {};
    const next = await before.push("s", [line("c", "b")], { since: cursor });
    expect(next.cursor).toBe((await before.head("s"))?.cursor);
    const store = await restored();
    await store.push("s", [line("x", "b")]);
    expect(await store.push("s", [line("y", "x")], { since: next.cursor as string })).toEqual({ added: 1 });
  });

  it("is noticed after a session was removed and let in again", async () => {
    const url = await database();
    const [store, other] = [await connect(url, "a"), await connect(url, "b")];
    const lines = [line("a"), line("b", "a")];
    const { cursor } = await store.push("s", lines);
    await other.remove("s");
    expect(await pulled(store, "s", cursor)).toEqual([]);
    await other.readmit("s");
    expect(await pulled(store, "s", cursor)).toEqual([{ ids: [], cursor: "0", lost: true }]);
    await other.push("s", lines);
    const now = (await store.head("s"))?.cursor;
    expect(await pulled(store, "s", cursor)).toEqual([{ ids: ["a", "b"], cursor: now, lost: true }]);
  });

  it("takes a cursor of an older version if its line is of that version too, and otherwise reads everything", async () => {
    const url = await database();
    const store = await connect(url, "a");
    await store.push("s", [line("a"), line("b", "a")]);
    expect(await pulled(store, "s", "1")).toEqual([
      { ids: ["a", "b"], cursor: (await store.head("s"))?.cursor as string },
    ]);
    server.sql("update bough.entry set mark = null; update bough.session set mark = null", nameOf(url));
    expect(await pulled(store, "s", "1")).toEqual([{ ids: ["b"], cursor: "2.0" }]);
    expect(await pulled(store, "s", "2")).toEqual([{ ids: [], cursor: "2.0" }]);
    expect((await store.head("s"))?.cursor).toBe("2.0");
    expect(await pulled(store, "s", "2.0")).toEqual([]);
    expect(await pulled(store, "s", "not a cursor")).toEqual([{ ids: ["a", "b"], cursor: "2.0" }]);
  });

  it("has the cursor of its last line, also after two have pushed the same lines at once", async () => {
    const url = await database();
    const [store, other] = [await connect(url, "a"), await connect(url, "b")];
    await store.push("s", [line("a")]);
    // Both find that the lines are not there, and wait for the session.
    const holder = new pg.Client(url);
    await holder.connect();
    await holder.query("begin; update bough.session set title = 'held' where id = 's'");
    const same = [line("b", "a"), line("c", "b")];
    const pushes = [store.push("s", same), other.push("s", same)];
    const waiting = "select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'";
    let rows: unknown[] = [];
    while (rows.length < 2) ({ rows } = await holder.query(waiting, [nameOf(url)]));
    await holder.query("commit");
    await holder.end();
    const outcomes = await Promise.all(pushes);
    expect(outcomes.map(({ added }) => added).sort()).toEqual([0, 2]);
    const { cursor } = (await store.head("s")) ?? {};
    expect(await pulled(store, "s")).toEqual([{ ids: ["a", "b", "c"], cursor }]);
    await store.push("s", [line("d", "c")]);
    expect(await pulled(store, "s", cursor)).toEqual([{ ids: ["d"], cursor: (await store.head("s"))?.cursor }]);
  });
});

describe("a line to PostgreSQL that is dead or crowded", () => {
  it("is given up, for queries under way and for new ones", async () => {
    const { proxy, url } = await throughProxy(await database());
    const store = await connect(url, "a", { silenceMs: 2_000 });
    await store.push("s", [line("a")]);
    proxy.isDead = true;
    // The first has the connection that is there, the others make new ones.
    const asked = [store.push("s", [line("b", "a")]), store.push("s", [line("b", "a")]), store.remove("s")];
    for (const one of await Promise.allSettled(asked))
      expect(one).toMatchObject({ status: "rejected", reason: { code: "store-unreachable" } });
    proxy.isDead = false;
    expect(await store.push("s", [line("b", "a")])).toMatchObject({ added: 1 });
  });

  it("costs a follower no connection while it cannot listen", async () => {
    const plain = await database();
    const { proxy, url } = await throughProxy(plain);
    proxy.change = (bytes) => Buffer.from(bytes.toString("latin1").replace("listen bough", "listfn bough"), "latin1");
    const [writer, reader] = [await connect(plain, "a"), await connect(url, "b", { pollMs: 1 })];
    const stop = new AbortController();
    const news = reader.follow("s", stop.signal);
    await started(news, writer);
    // Each is heard of by a poll that has tried to listen before.
    for (let n = 0; n < 12; n++) {
      const next = news.next();
      await writer.push("s", [line(`n${n}`)]);
      expect(await next).toMatchObject({ value: { id: "s" } });
    }
    stop.abort();
    await news.return(undefined);
  });

  it("is unreachable for a follower while the server accepts no more connections, and not full", async () => {
    const plain = await database();
    server.sql("create role crowded login; grant all on database postgres to crowded");
    server.sql(
      "grant usage on schema bough to crowded; grant all on all tables in schema bough to crowded",
      nameOf(plain),
    );
    const as = plain.replace("bough@", "crowded@");
    const [writer, reader] = [await connect(plain, "a"), await connect(as, "b")];
    const stop = new AbortController();
    const news = reader.follow("s", stop.signal);
    await started(news, writer);
    server.sql("alter role crowded connection limit 0");
    server.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'crowded'");
    await expect(reader.list()).rejects.toMatchObject({ code: "store-unreachable" });
    await expect(connect(as, "c")).rejects.toMatchObject({ code: "store-unreachable" });
    const later = news.next();
    await writer.push("s", [line("b", "a")]);
    server.sql("alter role crowded connection limit -1");
    expect(await later).toMatchObject({ value: { id: "s" } });
    stop.abort();
    await news.return(undefined);
  });
});

describe("what PostgreSQL cannot take", () => {
  it("is said to be refused, and leaves nothing behind", async () => {
    const store = await connect(await database(), "a");
    await expect(store.push("s\0", [line("a")])).rejects.toMatchObject({ code: "store-refused" });
    const long = randomBytes(4_000).toString("hex");
    await expect(store.push(long, [line("a")])).rejects.toMatchObject({
      code: "store-refused",
      message: expect.stringContaining("cannot store this"),
    });
    expect(await store.list()).toEqual([]);
  });

  it("is not a long ID, a long timestamp or a text with very many long words", async () => {
    const store = await connect(await database(), "a");
    const id = `${randomBytes(4_000).toString("hex")}`;
    const other = `${id.slice(0, -1)}_`;
    const timestamp = randomBytes(8_000).toString("hex");
    const letters = (n: number) =>
      String.fromCharCode(0x4e00 + (n % 90), 0x4e00 + (((n / 90) % 90) | 0), 0x4e00 + ((n / 8100) | 0));
    const words = Array.from({ length: 60_000 }, (_, n) => `${letters(n)}-${letters(n + 1)}`).join(" ");
    const lines = [
      header("s"),
      line("a"),
      line(id, "a", { message: { role: "user", content: "marmalade", timestamp: 1 } }),
      line("x", id, { timestamp }),
      line(other, "a"),
      line("w", "x", { message: { role: "user", content: words, timestamp: 1 } }),
      Buffer.from(
        JSON.stringify({ type: "label", id: "l", parentId: "w", timestamp: "t", targetId: id, label: "quince" }),
      ),
    ];
    expect(await store.push("s", lines)).toMatchObject({ added: 7 });
    expect((await pulled(store, "s"))[0]?.ids).toEqual(["s", "a", id, "x", other, "w", "l"]);
    const path = async (entry?: string) => {
      const ids: string[] = [];
      for await (const piece of store.path("s", entry))
        for (const { bytes } of piece) ids.push(JSON.parse(Buffer.from(bytes).toString()).id);
      return ids;
    };
    expect(await path()).toEqual(["s", "a", id, "x", "w", "l"]);
    expect(await path(id)).toEqual(["s", "a", id]);
    expect(await path(other)).toEqual(["s", "a", other]);
    expect(await store.search({ words: "marmalade" })).toMatchObject([{ entryId: id, state: "active" }]);
    expect(await store.search({ words: "quince" })).toMatchObject([{ entryId: "l", state: "active" }]);
    expect(await store.search({ words: letters(3) })).toMatchObject([{ entryId: "w" }]);
  });

  it("is a database without UTF-8, which is refused when it is set up", async () => {
    const name = newName();
    server.sql(`create database ${name} encoding 'LATIN1' template template0 locale 'C'`);
    await expect(PostgresStore.init(server.url(name))).rejects.toMatchObject({
      code: "store-refused",
      message: expect.stringContaining("LATIN1"),
    });
  });
});

it("stops a search with an error of the store", async () => {
  const store = await connect(await database(), "a");
  const search = store.search({ words: "a", signal: AbortSignal.abort() });
  await expect(search).rejects.toMatchObject({ name: "StoreError", code: "sync-aborted" });
});

it("has a key that tells users apart and shows no password", async () => {
  const url = await database();
  const [one, other] = [await connect(url, "a"), await connect(`${url}?application_name=other`, "a")];
  expect(one.key).not.toBe(other.key);
  expect(one.key).toMatch(/^[0-9a-f]{64}$/);
});
