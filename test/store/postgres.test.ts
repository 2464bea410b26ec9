import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager, verifySession } from "@bough/session/session/index.js";
import { fetchSession, removeStored, type StoredSession, SyncStates } from "@bough/workbench/store/index.js";
import { testPassphrases } from "@bough/workbench/store/passphrase-contract.test-support.js";
import { PostgresStore } from "@bough/workbench/store/postgres/postgres-store.js";
import { describeStore, header, replicaNamed } from "@bough/workbench/store/store-contract.test-support.js";
import pg from "pg";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";

let server: PostgresServer;
let count = 0;
beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server?.stop());

// The server has few connections.
const open: PostgresStore[] = [];
afterEach(() => Promise.all(open.splice(0).map((store) => store.close().catch(() => {}))));

async function database(): Promise<string> {
  const url = server.create(`t${count++}`);
  await PostgresStore.init(url);
  return url;
}
async function connect(url: string, name: string): Promise<PostgresStore> {
  const store = await PostgresStore.open({ url, replica: replicaNamed(name), pollMs: 50 });
  open.push(store);
  return store;
}

async function connectPlain(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

describeStore("postgres", {
  newStore: async () => {
    const url = await database();
    return (replica) => connect(url, replica.name);
  },
  damage: async () => {
    server.sql("update bough.blob set content = '\\x0102'", `t${count - 1}`);
  },
});

testPassphrases("postgres", async () => {
  const url = await database();
  return (replica) => connect(url, replica.name);
});

const line = (id: string, parent: string | null = null) =>
  Buffer.from(
    `{"type":"message","id":"${id}","parentId":${JSON.stringify(parent)},"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"${id}","timestamp":1}}`,
  );

describe("PostgreSQL", () => {
  it("sets up once, however often it is asked, and refuses tables that are newer", async () => {
    const url = server.create("twice");
    await expect(PostgresStore.open({ url, replica: replicaNamed("a") })).rejects.toMatchObject({
      code: "store-not-set-up",
    });
    const outcomes = await Promise.all([1, 2, 3].map(() => PostgresStore.init(url)));
    expect(outcomes.flatMap(({ migrated }) => migrated)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    server.sql("insert into bough.migration (version) values (99)", "twice");
    await expect(PostgresStore.open({ url, replica: replicaNamed("a") })).rejects.toMatchObject({
      code: "store-newer",
    });
  });

  it("fetches one path of a session, root first: to an entry, or to where a file with all lines would be", async () => {
    const store = await connect(await database(), "a");
    const ids = async (entry?: string) => {
      const found: string[] = [];
      for await (const lines of store.path("s", entry))
        found.push(...lines.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()).id));
      return found;
    };
    await store.push("s", [header("s"), line("a"), line("b", "a"), line("c", "a"), line("d", "c")]);
    expect(await ids()).toEqual(["s", "a", "c", "d"]);
    expect(await ids("b")).toEqual(["s", "a", "b"]);
    const moved = '{"type":"custom","id":"p","parentId":"b","timestamp":"t","customType":"bough.position","data":{}}';
    await store.push("s", [Buffer.from(moved), Buffer.from('{"type":"label","id":"l","parentId":"b","targetId":"a"}')]);
    expect(await ids()).toEqual(["s", "a", "b", "l"]);
  });

  it("fetches a path in pieces, and one that goes in a circle without end", async () => {
    const store = await connect(await database(), "a");
    const data = "x".repeat(3 << 20);
    const large = (id: string, parentId: string | null) =>
      Buffer.from(JSON.stringify({ type: "custom", id, parentId, timestamp: "t", customType: "x", data }));
    await store.push("s", [line("a", "e"), large("b", "a"), large("c", "b"), large("d", "c"), large("e", "d")]);
    const pieces: number[] = [];
    const found = new Set<string>();
    for await (const lines of store.path("s", "e")) {
      pieces.push(lines.length);
      for (const { bytes } of lines) found.add(JSON.parse(Buffer.from(bytes).toString()).id);
    }
    expect([...found].sort()).toEqual(["a", "b", "c", "d", "e"]);
    expect(pieces.length).toBeGreaterThan(1);
    expect(await store.search({ words: "a" })).toMatchObject([{ entryId: "a" }]);
  });

  it("adds the texts of entries when search is turned on again, also if that was interrupted", async () => {
    const url = await database();
    await PostgresStore.init(url, { search: "none" });
    const store = await connect(url, "a");
    await store.push("s", [line("quince")]);
    // The server breaks the connection as soon as a text is added.
    const name = `t${count - 1}`;
    server.sql(
      "create function die() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$; create trigger die before update on bough.entry for each row execute function die()",
      name,
    );
    await expect(PostgresStore.init(url, { search: "words" })).rejects.toMatchObject({ code: "store-unreachable" });
    server.sql("drop trigger die on bough.entry", name);
    await PostgresStore.init(url);
    expect(await (await connect(url, "b")).search({ words: "quince" })).toMatchObject([{ entryId: "quince" }]);
  });

  it("opens a session that is only in the store by its path, and fetches the rest while it is written to", async () => {
    const store = await connect(await database(), "b");
    const id = "5e551011-0000-4000-8000-0000000000aa";
    await store.push(id, [header(id), line("a"), line("b", "a"), line("left", "b"), line("c", "b"), line("d", "c")]);
    const home = mkdtempSync(join(tmpdir(), "bough-fetch-"));
    vi.stubEnv("BOUGH_HOME", home);
    try {
      const states = new SyncStates(home, "store");
      const { file, entries, rest } = await fetchSession({ store, states, sessionId: id, cwd: home });
      const session = SessionManager.open(file);
      const ids = () => session.getEntries().map((entry) => entry.id);
      expect({ entries, ids: ids(), at: session.getLeafId() }).toEqual({
        entries: 4,
        ids: ["a", "b", "c", "d"],
        at: "d",
      });
      const mine = session.appendMessage({ role: "user", content: "on", timestamp: 1 });
      expect(await rest()).toMatchObject({ pushed: 1, pulled: 1 });
      session.close();
      const again = SessionManager.open(file, undefined, { readOnly: true });
      expect({ at: again.getLeafId(), branches: again.getChildren("b").length }).toEqual({ at: mine, branches: 2 });
      again.close();
      const { findings } = await verifySession(file);
      expect(findings).toEqual([]);
      await expect(fetchSession({ store, states, sessionId: "none", cwd: home })).rejects.toMatchObject({
        code: "session-not-stored",
      });
    } finally {
      vi.unstubAllEnvs();
      rmSync(home, { recursive: true, force: true });
    }
  });

  it("never shows the password, and says that it was rejected", async () => {
    const url = `postgres://bough:hush-hush@127.0.0.1:${server.port}/nothing-here`;
    const failure = await PostgresStore.open({ url, replica: replicaNamed("a") }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "store-refused" });
    expect(String(failure)).not.toContain("hush");
    await expect(
      PostgresStore.open({ url: "postgres://bough:hush-hush@127.0.0.1:1/x", replica: replicaNamed("a") }),
    ).rejects.toMatchObject({ code: "store-unreachable", message: expect.not.stringContaining("hush") });
  });

  it("stores nothing of a push whose connection dies, and everything once when it is pushed again", async () => {
    const url = await database();
    const name = url.split("/").at(-1) as string;
    const store = await connect(url, "a");
    await store.push("s", [line("a")]);
    // Holds the session, so that the push is in the middle of its statement.
    const holder = await connectPlain(url);
    await holder.query("begin");
    await holder.query("update bough.session set title = 'held' where id = 's'");
    const pushed = store.push("s", [line("b", "a"), line("c", "b")]);
    const outcome = expect(pushed).rejects.toMatchObject({ code: "store-unreachable" });
    const waiting = "select pid from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'";
    let rows: unknown[] = [];
    while (rows.length === 0) ({ rows } = await holder.query(waiting, [name]));
    await holder.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'",
      [name],
    );
    await outcome;
    await holder.query("rollback");
    await holder.end();
    expect((await store.head("s"))?.cursor).toMatch(/^1\./);
    await store.push("s", [line("b", "a"), line("c", "b")]);
    expect(server.sql("select count(*), count(distinct hash) from bough.entry where session = 's'", name)).toBe("3|3");
  });

  it("says that a database is full, and loses nothing by it", async () => {
    const url = await database();
    const store = await connect(url, "a");
    const full = "begin raise exception 'No space left on device' using errcode = 'disk_full'; end";
    server.sql(`create function full_disk() returns trigger language plpgsql as $$${full}$$`, url.split("/").at(-1));
    const trigger = "create trigger full_disk before insert on bough.entry execute function full_disk()";
    server.sql(trigger, url.split("/").at(-1));
    await expect(store.push("s", [line("a")])).rejects.toMatchObject({ code: "store-full" });
    server.sql("drop trigger full_disk on bough.entry", url.split("/").at(-1));
    expect(await store.push("s", [line("a")])).toMatchObject({ added: 1 });
  });

  it("says that a database is read-only", async () => {
    const url = await database();
    const store = await connect(url, "a");
    server.sql(`alter database ${url.split("/").at(-1)} set default_transaction_read_only = on`);
    const fresh = await connect(url, "b");
    await expect(fresh.push("s", [line("a")])).rejects.toMatchObject({ code: "store-read-only" });
    await store.close();
  });

  it("removes the rest when the server died while it removed sessions, and no session is half removed", async () => {
    const url = await database();
    const store = await connect(url, "a");
    for (const id of ["s1", "s2", "s3", "s4"]) await store.push(id, [line("a"), line("b", "a")]);
    const sessions = await store.list();
    const onProgress = (done: number) => {
      if (done === 2) server.halt();
    };
    await expect(removeStored(store, sessions, { onProgress })).rejects.toMatchObject({
      code: "store-unreachable",
      hint: "Removed 2 of 4 sessions. Run the command again to remove the rest.",
    });
    server.resume();
    const counts = "select count(*), count(distinct session) from bough.entry";
    expect(server.sql(counts, url.split("/").at(-1))).toBe("4|2");
    const left = (await store.list()).filter(({ removed }) => removed !== true);
    // Someone pushes to one of them in between: it is kept.
    const [busy, idle] = left as [StoredSession, StoredSession];
    await store.push(busy.id, [line("c", "b")]);
    expect(await removeStored(store, left)).toEqual({ removed: [idle.id], changed: [busy.id] });
    expect(server.sql(counts, url.split("/").at(-1))).toBe("3|1");
  });

  it("works again after the server was killed and restarted, and a follower hears of everything once", async () => {
    const url = await database();
    const writer = await connect(url, "writer");
    const reader = await connect(url, "reader");
    await writer.push("s", [line("a")]);
    const stop = new AbortController();
    const heard: string[] = [];
    const following = (async () => {
      for await (const { cursor } of reader.follow("s", stop.signal)) {
        heard.push(cursor);
        if (cursor.startsWith("3.")) stop.abort();
      }
    })();
    await writer.push("s", [line("b", "a")]);
    server.halt();
    await expect(writer.push("s", [line("c", "b")])).rejects.toMatchObject({ code: "store-unreachable" });
    server.resume();
    await writer.push("s", [line("c", "b")]);
    await following;
    expect(heard.at(-1)).toMatch(/^3\./);
    expect(new Set(heard).size).toBe(heard.length);
  });
});
