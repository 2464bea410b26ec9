/** `bough store init --row-security`: what database users see of each other, which is nothing. */

import { hashOf } from "@bough/workbench/checkpoint/index.js";
import { MIGRATIONS } from "@bough/workbench/store/postgres/migrations.js";
import { PostgresStore } from "@bough/workbench/store/postgres/postgres-store.js";
import { replicaNamed } from "@bough/workbench/store/store-contract.test-support.js";
import pg from "pg";
import { afterAll, expect, it, vi } from "vitest";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";

const USERS = ["ada", "bob", "keeper"];

let server: PostgresServer;
let count = 0;
beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
  server.sql(
    "create role keeper login; create role ada login; create role bob login; create role team; grant team to bob",
  );
});
const stores: PostgresStore[] = [];
const clients: pg.Client[] = [];
afterAll(async () => {
  await Promise.all([...stores.map((store) => store.close()), ...clients.map((client) => client.end())]);
  server?.stop();
});

const line = (id: string, more: object = {}) =>
  Buffer.from(JSON.stringify({ type: "message", id, parentId: null, message: { role: "user", content: id }, ...more }));
const content = (text: string) => ({ hash: hashOf(Buffer.from(text)), content: Buffer.from(text) });

/** Of `keeper`, who has set it up and is not a superuser. */
function newDatabase() {
  const name = `r${count++}`;
  server.sql(`create database ${name} owner keeper`);
  const as = (user: string) => server.url(name).replace("bough@", `${user}@`);
  const connect = async (user: string, replica = user) => {
    const store = await PostgresStore.open({ url: as(user), replica: replicaNamed(replica), pollMs: 50 });
    stores.push(store);
    return store;
  };
  const plain = async (user: string) => {
    const client = new pg.Client(as(user));
    await client.connect();
    clients.push(client);
    return client;
  };
  const grant = () => {
    server.sql("grant usage on schema bough to ada, bob, team", name);
    server.sql("grant select, insert, update, delete on all tables in schema bough to ada, bob, team", name);
  };
  return { name, as, connect, plain, grant };
}
async function keptApart() {
  const made = newDatabase();
  await PostgresStore.init(made.as("keeper"), { rowSecurity: true });
  made.grant();
  return made;
}

it("searches with the word indexes, and never finds entries of others", async () => {
  const { name, connect, plain } = await keptApart();
  for (const user of USERS) await (await connect(user)).push(user, [line(`marmalade-${user}`)], { project: "p" });
  const found: Record<string, readonly string[]> = {};
  for (const user of USERS) {
    const store = await connect(user);
    const hits = [await store.search({ words: "marmalade" }), await store.search({ words: "armala", project: "p" })];
    found[user] = [...hits.flat(), ...(await store.list())].map((one) => ("id" in one ? one.id : one.sessionId));
  }
  expect(found).toEqual({ ada: Array(3).fill("ada"), bob: Array(3).fill("bob"), keeper: Array(3).fill("keeper") });
  const bob = await plain("bob");
  const asked = async () => (await bob.query("select session from bough.found('marmalade', false, null, 9)")).rows;
  expect(await asked()).toEqual([{ session: "bob" }]);
  await bob.query("set role team");
  expect(await asked()).toEqual([]);
  // The server has a choice on a small table only if it may not read all of it.
  await bob.query("reset role; set enable_seqscan = off; set enable_indexscan = off");
  await asked();
  await bob.end();
  clients.splice(clients.indexOf(bob), 1);
  const scans = "select idx_scan from pg_stat_user_indexes where indexrelname = 'entry_words'";
  await vi.waitFor(() => expect(Number(server.sql(scans, name))).toBeGreaterThan(0), { timeout: 10_000 });
  // Who sees everything finds everything.
  expect(await (await connect("bough")).search({ words: "marmalade" })).toHaveLength(3);
});

it("lets no one ask for what is in the entries of others by a failure, or by names of their own", async () => {
  const { connect, plain } = await keptApart();
  await (await connect("ada")).push("a", [line("the password is hush")]);
  await (await connect("bob")).push("b", [line("100% of a_b!c\\d")]);
  const bob = await plain("bob");
  const asked = async (words: string) =>
    (await bob.query("select session from bough.found($1, true, null, 9)", [words])).rows.map(({ session }) => session);
  for (const setting of ["on", "off"]) {
    await bob.query(`discard plans; set standard_conforming_strings = ${setting}`);
    for (const words of ["hush", "hush\\", "%hush\\", "hush!", "%", "the_password"])
      expect(await asked(words)).toEqual(words === "%" ? ["b"] : []);
    for (const words of ["0%", "a_b!c", "c\\d"]) expect(await asked(words)).toEqual(["b"]);
  }
  await bob.query(
    "create temp table entry as select 'a' as session, 1::bigint as seq; set search_path = pg_temp, bough",
  );
  expect(await asked("hush")).toEqual([]);
  await expect(bob.query("set role ada")).rejects.toThrow("permission denied");
  await expect(bob.query("select set_config('role', 'ada', false)")).rejects.toThrow("permission denied");
});

it("keeps contents of files apart, also if two have the same", async () => {
  const { connect, plain } = await keptApart();
  const [ada, bob] = [await connect("ada"), await connect("bob")];
  const [same, secret] = [content("same"), content("only ada's")];
  await ada.blobs.put([same, secret]);
  expect(await bob.blobs.has([same.hash, secret.hash])).toEqual(new Set());
  expect(await bob.blobs.get(secret.hash)).toBeUndefined();
  await bob.blobs.put([same]);
  await bob.blobs.put([same]);
  expect(await bob.blobs.get(same.hash)).toEqual(same.content);
  const client = await plain("bob");
  await client.query("delete from bough.blob");
  await client.query("update bough.blob set content = ''");
  await expect(client.query("insert into bough.blob values ('\\x00', '\\x00', 'ada')")).rejects.toThrow("row-level");
  expect(await bob.blobs.has([same.hash])).toEqual(new Set());
  expect(await ada.blobs.get(same.hash)).toEqual(same.content);
  expect(await ada.blobs.get(secret.hash)).toEqual(secret.content);
});

it("gives every user sessions of their own, whatever IDs others took first", async () => {
  const { name, connect, plain } = await keptApart();
  const [ada, bob] = [await connect("ada"), await connect("bob")];
  await bob.push("s", [line("b"), line("c", { parentId: "b" })], { project: "p" });
  await ada.push("s", [line("a")], { project: "p", title: "hers" });
  await ada.push("s", [line("d", { parentId: "a" })]);
  const idsOf = async (store: PostgresStore) => {
    const pulled: string[] = [];
    for await (const { lines } of store.pull("s"))
      for (const { bytes } of lines) pulled.push(JSON.parse(Buffer.from(bytes).toString()).id);
    const path: string[] = [];
    for await (const lines of store.path("s"))
      for (const { bytes } of lines) path.push(JSON.parse(Buffer.from(bytes).toString()).id);
    return { pulled, path, titles: (await store.list()).map(({ title }) => title) };
  };
  expect(await idsOf(ada)).toEqual({ pulled: ["a", "d"], path: ["a", "d"], titles: ["hers"] });
  expect(await idsOf(bob)).toEqual({ pulled: ["b", "c"], path: ["b", "c"], titles: [undefined] });
  expect(await ada.search({ words: "d" })).toMatchObject([{ entryId: "d", state: "active" }]);
  await bob.remove("s");
  expect(await idsOf(bob)).toMatchObject({ pulled: [] });
  expect(await idsOf(ada)).toMatchObject({ pulled: ["a", "d"] });

  const client = await plain("bob");
  for (const taken of [
    "insert into bough.session (id, realm) values ('t', 'ada')",
    "insert into bough.session (id, realm, owner) values ('t', 'ada', 'ada')",
    "insert into bough.session (id, realm, owner) values ('t', 'bob', 'ada')",
    "insert into bough.session (id) values ('t')",
    "insert into bough.entry (session, realm, seq, hash, id, kind, replica, line) values ('s', 'ada', 9, '', 'x', 'x', 'x', '')",
    "insert into bough.run (session, realm, seq) values ('s', 'ada', 9)",
    "update bough.session set realm = 'ada'",
  ])
    await expect(client.query(taken)).rejects.toThrow("row-level");
  expect(server.sql("select count(*) from bough.session where realm = 'ada'", name)).toBe("1");
});

it("shows an administrator one session for each ID: their own, or one of the others'", async () => {
  const { connect } = await keptApart();
  for (const user of ["bob", "ada"]) await (await connect(user)).push("s", [line(`from-${user}`)]);
  const all = await connect("bough");
  const ids = async () => {
    const found: string[] = [];
    for await (const { lines } of all.pull("s"))
      for (const { bytes } of lines) found.push(JSON.parse(Buffer.from(bytes).toString()).id);
    return found;
  };
  expect([(await all.list()).length, await ids()]).toEqual([1, ["from-ada"]]);
  await all.push("s", [line("more")]);
  expect([(await all.list()).length, await ids()]).toEqual([1, ["from-ada", "more"]]);
  await all.push("own", [line("mine")]);
  expect((await all.list()).map(({ id }) => id).sort()).toEqual(["own", "s"]);
});

it("keeps machine names apart, also if two users push from the same machine", async () => {
  const { connect, plain } = await keptApart();
  const [ada, bob] = [await connect("ada", "laptop"), await connect("bob", "laptop")];
  await ada.push("a", [line("a")]);
  await bob.push("b", [line("b")]);
  await (await connect("ada", "ada's desk")).push("a", [line("c")]);
  expect((await (await plain("bob")).query("select name from bough.replica")).rows).toEqual([{ name: "laptop" }]);
  const names = (sessions: Awaited<ReturnType<typeof ada.list>>) =>
    sessions.map(({ id, replicas }) => [id, ...replicas.map(({ name }) => name).sort()]);
  expect(names(await ada.list())).toEqual([["a", "ada's desk", "laptop"]]);
  expect(names(await bob.list())).toEqual([["b", "laptop"]]);
  const all = await connect("bough");
  expect(names(await all.list()).sort()).toEqual([
    ["a", "ada's desk", "laptop"],
    ["b", "laptop"],
  ]);
  for await (const { lines } of all.pull("a")) expect(lines).toHaveLength(2);
});

it("comes to a database of an older version, and gives what was there to who has named it", async () => {
  const { name, as, connect, plain, grant } = newDatabase();
  const keeper = await plain("keeper");
  const older = MIGRATIONS.slice(0, 3);
  await keeper.query(
    "create schema bough; create table bough.migration (version int primary key, at timestamptz default now())",
  );
  await keeper.query(older.join(";"));
  await keeper.query("insert into bough.migration select generate_series(1, 3)");
  grant();
  const [first, both, unnamed] = [content("ada's"), content("both"), content("unnamed")];
  const files = (...contents: { hash: string }[]) =>
    line("f", { type: "custom", changes: contents.map(({ hash }) => ({ after: hash })) });
  await keeper.query("insert into bough.replica values ('m', 'machine'), ('n', 'of no one')");
  for (const [user, bytes] of [["ada", files(first, both)] as const, ["bob", files(both)] as const]) {
    await keeper.query("insert into bough.session (id, head, replicas, owner) values ($1, 1, '{m}', $1)", [user]);
    await keeper.query(
      "insert into bough.entry (session, seq, hash, id, kind, replica, line) values ($1, 1, sha256($2), 'f', 'custom', 'm', $2)",
      [user, bytes],
    );
  }
  for (const one of [first, both, unnamed])
    await keeper.query("insert into bough.blob values (decode($1, 'hex'), $2)", [one.hash, one.content]);
  // As the older version switched it on.
  for (const table of ["session", "entry"])
    await keeper.query(`alter table bough.${table} enable row level security, force row level security`);
  await keeper.query("create policy own_sessions on bough.session using (owner = current_user)");
  await keeper.query(
    "create policy own_entries on bough.entry using (exists (select from bough.session s where s.id = session))",
  );

  await expect(connect("ada")).rejects.toMatchObject({ code: "store-not-set-up" });
  expect(await PostgresStore.init(as("keeper"))).toMatchObject({ migrated: [4, 5, 6, 7] });
  expect(await PostgresStore.init(as("keeper"))).toMatchObject({ migrated: [] });
  const hashes = [first, both, unnamed].map(({ hash }) => hash);
  const seen = async (user: string) => {
    const store = await connect(user);
    const [session] = await store.list();
    return { contents: await store.blobs.has(hashes), replicas: session?.replicas.map((one) => one.name) };
  };
  expect(await seen("ada")).toEqual({ contents: new Set([first.hash, both.hash]), replicas: ["machine"] });
  expect(await seen("bob")).toEqual({ contents: new Set([both.hash]), replicas: ["machine"] });
  expect(server.sql("select count(*) from bough.blob where owner = ''", name)).toBe("1");
  // Sessions from before belong to their users, with their lines and runs, and others may have the same IDs.
  const realms = (table: string) =>
    server.sql(`select string_agg(realm, ' ' order by realm) from bough.${table}`, name);
  expect([realms("session"), realms("entry"), realms("run")]).toEqual(["ada bob", "ada bob", "ada bob"]);
  await (await connect("bob")).push("ada", [line("his")]);
  expect((await (await connect("ada")).search({ words: "his" })).length).toBe(0);
  await (await connect("ada")).push("ada", [line("hers", { parentId: "f" })]);
  expect(server.sql("select count(*) from bough.entry where session = 'ada' and realm = 'ada'", name)).toBe("2");
  expect(server.sql("select pg_get_userbyid(proowner) from pg_proc where proname = 'found'", name)).toBe("keeper");
});

it("changes no row without row security", async () => {
  const { name, as, connect } = newDatabase();
  await PostgresStore.init(as("keeper"));
  const store = await connect("keeper");
  await store.push("s", [line("a")]);
  await store.blobs.put([content("c")]);
  expect(server.sql("select owner from bough.blob union all select owner from bough.replica", name)).toBe("");
  expect(server.sql("select to_regproc('bough.found') is null", name)).toBe("t");
});
