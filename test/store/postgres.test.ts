import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresStore } from "../../src/store/postgres/postgres-store.js";
import { describeStore, header, replicaNamed } from "../../src/store/store-contract.test-support.js";
import { PostgresServer } from "../support/postgres.js";

let server: PostgresServer;
let count = 0;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server?.stop());

const open: PostgresStore[] = [];
afterAll(() => Promise.all(open.map((store) => store.close().catch(() => {}))));

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

describeStore("postgres", {
  newStore: async () => {
    const url = await database();
    return (replica) => connect(url, replica.name);
  },
});

const line = (id: string, parent: string | null = null) =>
  Buffer.from(
    `{"type":"message","id":"${id}","parentId":${JSON.stringify(parent)},"timestamp":"t","message":{"role":"user","content":"${id}"}}`,
  );

describe("PostgreSQL", () => {
  it("sets up once, however often it is asked, and refuses tables that are newer", async () => {
    const url = server.create("twice");
    await expect(PostgresStore.open({ url, replica: replicaNamed("a") })).rejects.toMatchObject({
      code: "store-not-set-up",
    });
    const outcomes = await Promise.all([1, 2, 3].map(() => PostgresStore.init(url)));
    expect(outcomes.flatMap(({ migrated }) => migrated)).toEqual([1]);
    server.sql("insert into bough.migration (version) values (99)", "twice");
    await expect(PostgresStore.open({ url, replica: replicaNamed("a") })).rejects.toMatchObject({
      code: "store-newer",
    });
  });

  it("fetches one path of a session, oldest first", async () => {
    const store = await connect(await database(), "a");
    await store.push("s", [header("s"), line("a"), line("b", "a"), line("c", "a"), line("d", "c")]);
    const ids = (lines: readonly Uint8Array[]) => lines.map((bytes) => JSON.parse(Buffer.from(bytes).toString()).id);
    expect(ids(await store.path("s"))).toEqual(["s", "a", "c", "d"]);
    expect(ids(await store.path("s", "b"))).toEqual(["s", "a", "b"]);
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

  it("says that a database is read-only", async () => {
    const url = await database();
    const store = await connect(url, "a");
    server.sql(`alter database ${url.split("/").at(-1)} set default_transaction_read_only = on`);
    const fresh = await connect(url, "b");
    await expect(fresh.push("s", [line("a")])).rejects.toMatchObject({ code: "store-read-only" });
    await store.close();
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
        if (cursor === "3") stop.abort();
      }
    })();
    await writer.push("s", [line("b", "a")]);
    server.halt();
    await expect(writer.push("s", [line("c", "b")])).rejects.toMatchObject({ code: "store-unreachable" });
    server.resume();
    await writer.push("s", [line("c", "b")]);
    await following;
    expect(heard.at(-1)).toBe("3");
    expect(new Set(heard).size).toBe(heard.length);
  });
});
