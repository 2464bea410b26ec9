/** Users with roles, against a real PostgreSQL with TLS: what each sees, pushes and removes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILES_TYPE } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { hashOf } from "@bough/workbench/checkpoint/index.js";
import { contentsAt } from "@bough/workbench/store/files/named-contents.js";
import type { Store } from "@bough/workbench/store/index.js";
import { SyncStates, syncSessions } from "@bough/workbench/store/index.js";
import { PlainStore } from "@bough/workbench/store/plain-store.js";
import { MIGRATIONS } from "@bough/workbench/store/postgres/migrations.js";
import { PostgresStore } from "@bough/workbench/store/postgres/postgres-store.js";
import { SEAL_MARK } from "@bough/workbench/store/seal-mark.js";
import { SealedStore } from "@bough/workbench/store/sealed-store.js";
import { replicaNamed } from "@bough/workbench/store/store-contract.test-support.js";
import pg from "pg";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";
import { tempFolder } from "../support/temp-folder.js";
import { testCertificate } from "../support/test-certificate.js";

let server: PostgresServer;
let count = 0;
const certificate = testCertificate("localhost", "127.0.0.1");
const stores: PostgresStore[] = [];
const clients: pg.Client[] = [];

beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
  server.useTls(certificate);
  for (const user of ["keeper", "wren", "rita", "olga", "nemo"]) server.sql(`create role ${user} login`);
});
// The server has few connections.
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([
    ...stores.splice(0).map((store) => store.close()),
    ...clients.splice(0).map((client) => client.end().catch(() => {})),
  ]);
});
afterAll(() => server?.stop());

const line = (id: string, more: object = {}) =>
  Buffer.from(JSON.stringify({ type: "message", id, parentId: null, message: { role: "user", content: id }, ...more }));
const content = (text: string) => ({ hash: hashOf(Buffer.from(text)), content: Buffer.from(text) });
const forbidden = (message: string) => ({ code: "store-forbidden", message: expect.stringContaining(message) });

/** Set up by `keeper`, who is not a superuser. Every connection is checked for its certificate. */
function newDatabase() {
  const authority = join(tempFolder(), "ca.pem");
  writeFileSync(authority, certificate.cert);
  const name = `roles${count++}`;
  server.sql(`create database ${name} owner keeper`);
  const as = (user: string) => {
    const url = new URL(server.url(name).replace("bough@", `${user}@`));
    url.searchParams.set("sslmode", "verify-full");
    url.searchParams.set("sslrootcert", authority);
    return url.href;
  };
  const connect = async (user: string) => {
    const store = await PostgresStore.open({ url: as(user), replica: replicaNamed(`${user}'s laptop`), pollMs: 50 });
    stores.push(store);
    return store;
  };
  const plain = async (user: string) => {
    const client = new pg.Client({
      connectionString: server.url(name).replace("bough@", `${user}@`),
      ssl: { ca: certificate.cert },
    });
    await client.connect();
    clients.push(client);
    return client;
  };
  return { name, as, connect, plain };
}

async function team() {
  const made = newDatabase();
  await PostgresStore.init(made.as("keeper"));
  const keeper = await made.connect("keeper");
  await keeper.team.setUser({ name: "wren", role: "writer" });
  await keeper.team.setUser({ name: "rita", role: "reader", projects: ["shop"] });
  await keeper.team.setUser({ name: "olga", role: "owner" });
  const wren = await made.connect("wren");
  await wren.push("s1", [line("a"), line("birch", { parentId: "a" })], { project: "shop", title: "Trees" });
  await wren.push("s2", [line("b"), line("birch2 birch", { parentId: "b" })], { project: "bank" });
  await wren.push("s3", [line("c")]);
  return { ...made, keeper: await made.connect("keeper"), wren, rita: await made.connect("rita") };
}

async function idsOf(store: Store, session: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { lines } of store.pull(session))
    for (const { bytes } of lines) ids.push(JSON.parse(Buffer.from(bytes).toString()).id);
  return ids;
}

it("a reader sees the sessions of their projects, in lists, searches, paths and contents, and nothing else", async () => {
  const { wren, rita } = await team();
  expect((await rita.list()).map(({ id }) => id)).toEqual(["s1"]);
  expect((await wren.list()).map(({ id }) => id).sort()).toEqual(["s1", "s2", "s3"]);
  expect([await idsOf(rita, "s1"), await idsOf(rita, "s2")]).toEqual([["a", "birch"], []]);
  const path: string[] = [];
  for await (const lines of rita.path("s1")) path.push(...lines.map(({ bytes }) => JSON.parse(bytes.toString()).id));
  expect(path).toEqual(["a", "birch"]);
  expect((await rita.search({ words: "birch" })).map(({ sessionId }) => sessionId)).toEqual(["s1"]);
  expect((await wren.search({ words: "birch" })).map(({ sessionId }) => sessionId).sort()).toEqual(["s1", "s2"]);
  const [theirs, secret] = [content("for everyone in the shop"), content("of the bank")];
  await wren.blobs.put([theirs], { sessionId: "s1" });
  await wren.blobs.put([secret], { project: "bank" });
  expect(await rita.blobs.get(theirs.hash)).toEqual(theirs.content);
  expect(await rita.blobs.get(secret.hash)).toBeUndefined();
  // A content that another project has already is stored for this one too.
  expect(await wren.blobs.has([secret.hash], { project: "shop" })).toEqual(new Set());
  await wren.blobs.put([secret], { project: "shop" });
  expect(await rita.blobs.get(secret.hash)).toEqual(secret.content);
});

it("contents of a session that moves to another project can be read there", async () => {
  const { wren, rita } = await team();
  const one = content("moved along");
  await wren.blobs.put([one], { project: "bank" });
  const names = line("f", { type: "custom", customType: "x", changes: [{ after: one.hash }] });
  await wren.push("s2", [names], { project: "bank" });
  expect(await rita.blobs.get(one.hash)).toBeUndefined();
  await wren.push("s2", [], { project: "shop" });
  expect(await rita.blobs.get(one.hash)).toEqual(one.content);
});

it("contents that a long list of changes names move with a session to another project, also from another machine", async () => {
  const { wren, rita } = await team();
  const machine = async (name: string) => {
    const [home, cwd] = [tempFolder(), tempFolder()];
    const blobs = await contentsAt({ cwd, home });
    if (blobs === undefined) throw new Error("bug: files are not recorded");
    const store = name === "wren" ? wren : rita;
    return { home, cwd, blobs, store, states: new SyncStates(home, "team") };
  };
  const [first, second] = [await machine("wren"), await machine("wren")];
  vi.stubEnv("BOUGH_HOME", first.home);
  const session = SessionManager.create(first.cwd);
  session.appendMessage({ role: "user", content: "write", timestamp: 1 });
  const hash = await first.blobs.put(Buffer.from("named in a list"));
  const changes = [{ path: "a.txt", before: null, after: { hash, mode: "644", size: 15 } }];
  const changesIn = await first.blobs.put(Buffer.from(JSON.stringify(changes)));
  session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", tool: "write", changes: [], changesIn });
  session.close();
  await syncSessions({ ...first, project: "bank" });
  expect(await rita.blobs.get(hash)).toBeUndefined();
  // Another machine, which does not have the contents, moves it.
  vi.stubEnv("BOUGH_HOME", second.home);
  await syncSessions({ ...second, ids: [session.getSessionId()] });
  expect(second.blobs.has(changesIn)).toBe(false);
  expect(await syncSessions({ ...second, project: "shop" })).toMatchObject({ moved: 1, notMoved: 0 });
  expect(String(await rita.blobs.get(hash))).toBe("named in a list");
});

it("all contents of a session can be fetched by whoever sees it", async () => {
  const { wren, rita } = await team();
  const one = content("fetched");
  await wren.blobs.put([one], { sessionId: "s1" });
  expect(await rita.blobs.has([one.hash])).toEqual(new Set([one.hash]));
});

it("a writer cannot store other bytes under a hash, and what was stored unchecked before is replaced", async () => {
  const { wren, rita, plain, name } = await team();
  const [one, old] = [content("the real one"), content("from before there were roles")];
  const writer = await plain("wren");
  await expect(
    writer.query("select bough.put($1, $2, null, 'shop')", [[Buffer.from(one.hash, "hex")], [Buffer.from("other")]]),
  ).rejects.toMatchObject({ code: "BG004" });
  server.sql(`insert into bough.blob (hash, content, owner) values ('\\x${old.hash}', 'other', 'shop')`, name);
  await expect(rita.blobs.get(old.hash)).rejects.toMatchObject({ code: "store-damaged" });
  expect(await wren.blobs.has([old.hash], { project: "shop" })).toEqual(new Set());
  await wren.blobs.put([one, old], { project: "shop" });
  for (const { hash, content } of [one, old]) expect(await rita.blobs.get(hash)).toEqual(content);
  expect(await wren.blobs.has([one.hash, old.hash], { project: "shop" })).toEqual(new Set([one.hash, old.hash]));
});

it("members of a role that owns the tables are owners", async () => {
  const { connect, name } = await team();
  server.sql("create role admins; create role kim login in role admins");
  server.sql("reassign owned by keeper to admins", name);
  const kim = await connect("kim");
  expect(await kim.team.role()).toBe("owner");
  expect((await kim.list()).map(({ id }) => id).sort()).toEqual(["s1", "s2", "s3"]);
  await kim.push("s1", [line("k")]);
  await kim.remove("s1");
  await kim.team.setUser({ name: "nemo", role: "reader" });
  expect((await (await connect("nemo")).list()).map(({ id }) => id)).toContain("s2");
});

it("programs that run while roles are turned on continue with them", async () => {
  const { as, connect, name } = newDatabase();
  await PostgresStore.init(as("keeper"));
  server.sql("grant usage on schema bough to wren", name);
  server.sql("grant select, insert, update, delete on all tables in schema bough to wren", name);
  const [wren, keeper] = [await connect("wren"), await connect("keeper")];
  await wren.push("s1", [line("a")], { project: "shop" });
  const owner = await connect("keeper");
  await owner.team.setUser({ name: "wren", role: "writer", projects: ["shop"] });
  await owner.team.setUser({ name: "rita", role: "reader", projects: ["shop"] });
  expect(await wren.push("s1", [line("b")])).toMatchObject({ added: 1 });
  const [theirs, keepers] = [content("of wren"), content("of keeper")];
  await wren.blobs.put([theirs], { sessionId: "s1" });
  await keeper.blobs.put([keepers], { sessionId: "s1" });
  await expect(wren.remove("s1")).rejects.toMatchObject(forbidden("wren is a writer"));
  expect(await wren.team.role()).toBe("writer");
  const rita = await connect("rita");
  expect(await idsOf(rita, "s1")).toEqual(["a", "b"]);
  for (const { hash, content } of [theirs, keepers]) expect(await rita.blobs.get(hash)).toEqual(content);
});

it("a session that moves brings no contents that its project did not have", async () => {
  const { keeper, wren, connect } = await team();
  const secret = content("of sessions without a project");
  await wren.blobs.put([secret]);
  await keeper.team.setUser({ name: "nemo", role: "writer", projects: ["shop", "garden"] });
  const nemo = await connect("nemo");
  const names = line("f", { type: "custom", customType: "x", changes: [{ after: secret.hash }] });
  await nemo.push("s1", [names], { project: "shop" });
  await nemo.push("s1", [], { project: "garden" });
  expect(await nemo.blobs.get(secret.hash)).toBeUndefined();
});

it("a reader cannot push, a writer cannot remove, and whoever has no role can do nothing", async () => {
  const { wren, rita, connect, keeper } = await team();
  await expect(rita.push("s1", [line("x")])).rejects.toMatchObject(forbidden("rita is a reader"));
  await expect(rita.blobs.put([content("x")])).rejects.toMatchObject(forbidden("rita is a reader"));
  for (const store of [rita, wren]) {
    await expect(store.remove("s1")).rejects.toMatchObject(forbidden("cannot remove sessions"));
    await expect(store.readmit("s1")).rejects.toMatchObject(forbidden("cannot put back"));
    await expect(store.team.setUser({ name: "nemo", role: "owner" })).rejects.toMatchObject(forbidden("manage users"));
  }
  await expect(connect("nemo")).rejects.toMatchObject({
    code: "store-refused",
    hint: expect.stringContaining("bough store users add"),
  });
  expect(await Promise.all([keeper, wren, rita].map((store) => store.team.role()))).toEqual([
    "owner",
    "writer",
    "reader",
  ]);
  const olga = await connect("olga");
  await olga.remove("s1");
  expect(await idsOf(wren, "s1")).toEqual([]);
  await expect(wren.push("s1", [line("x")])).rejects.toMatchObject({ code: "session-removed" });
  await olga.readmit("s1");
  expect(await wren.push("s1", [line("x")])).toMatchObject({ added: 1 });
});

it("a writer of some projects pushes to those only, and cannot move a session in or out of them", async () => {
  const { keeper, connect } = await team();
  await keeper.team.setUser({ name: "nemo", role: "writer", projects: ["shop", "garden"] });
  const nemo = await connect("nemo");
  expect(await nemo.push("s1", [line("n")])).toMatchObject({ added: 1 });
  expect(await nemo.push("new", [line("n")], { project: "garden" })).toMatchObject({ added: 1 });
  for (const [session, project] of [
    ["s2", undefined],
    ["s2", "shop"],
    ["s1", "bank"],
    ["other", undefined],
  ] as const)
    await expect(nemo.push(session, [line("m")], { project })).rejects.toMatchObject(forbidden("has no access to"));
  expect(await idsOf(nemo, "s2")).toEqual([]);
});

it("a writer of some projects cannot take a session that another project starts at the same time", async () => {
  const { keeper, plain, connect, name } = await team();
  await keeper.team.setUser({ name: "nemo", role: "writer", projects: ["shop"] });
  const nemo = await connect("nemo");
  const push =
    "select * from bough.push('both', 'bank', null, null, 'r', 'r', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', 1)";
  const pushing = await plain("wren");
  await pushing.query("begin");
  await pushing.query(push);
  const taken = expect(nemo.push("both", [line("n")], { project: "shop" })).rejects.toMatchObject(
    forbidden("has no access to"),
  );
  const watcher = await plain("bough");
  const waiting = "select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'";
  let isWaiting = 0;
  while (isWaiting === 0) isWaiting = (await watcher.query(waiting, [name])).rowCount ?? 0;
  await pushing.query("commit");
  await taken;
  expect((await keeper.head("both"))?.project).toBe("bank");
});

it("nothing that a writer does with SQL changes or deletes what is there", async () => {
  const { wren, plain, name } = await team();
  const writer = await plain("wren");
  const before = server.sql("select md5(string_agg(e::text, '' order by session, seq)) from bough.entry e", name);
  for (const sql of [
    "delete from bough.entry",
    "update bough.entry set line = 'x'",
    "truncate bough.entry",
    "drop table bough.entry",
    "alter table bough.entry disable trigger all",
    "alter table bough.session disable row level security",
    "insert into bough.entry (session, seq, hash, id, kind, replica, line) values ('s1', 99, '', 'x', 'x', 'x', 'x')",
    "update bough.session set head = 0",
    "update bough.session set removed = true",
    "delete from bough.session",
    "insert into bough.session (id, removed) values ('s9', true)",
    "update bough.blob set content = ''",
    "delete from bough.run",
    "delete from bough.log",
    "insert into bough.log (who, did) values ('olga', 'removed')",
    "update bough.member set role = 'owner' where name = 'wren'",
    "insert into bough.member values ('nemo', 'owner')",
    "update bough.setting set value = 'all'",
    "update bough.migration set version = 9",
    "insert into bough.replica values ('x', 'y')",
    "select bough.remove('s1')",
    "select bough.set_member('wren', 'owner', null)",
    "select bough.grant_reading('nemo')",
    "create function bough.mine() returns int language sql as 'select 1'",
    "set role keeper",
    "set session authorization keeper",
    "do $$ begin lock table bough.entry in exclusive mode; end $$",
  ])
    await expect(writer.query(sql), sql).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|BG00\d)$/) });
  // The function for pushes takes no line under a hash that is not its own, which would keep another line out.
  const push =
    "select * from bough.push('s1', null, null, null, 'r', 'r', $1, '{x}', '{null}', '{message}', '{user}', '{null}', $2, '{x}', 1)";
  await expect(writer.query(push, [["\\x00"], [line("x")]])).rejects.toMatchObject({ code: "BG004" });
  expect(server.sql("select md5(string_agg(e::text, '' order by session, seq)) from bough.entry e", name)).toBe(before);
  // Not even an owner changes an entry.
  const owner = await plain("keeper");
  await expect(owner.query("update bough.entry set line = 'x'")).rejects.toThrow("never changed");
  expect(await idsOf(wren, "s1")).toEqual(["a", "birch"]);
});

it("a writer cannot mark a store that has sessions as encrypted, and so lock the others out", async () => {
  const { wren } = await team();
  await expect(wren.push(SEAL_MARK, [line("mark")])).rejects.toMatchObject(
    forbidden("cannot encrypt a store that has"),
  );
  expect((await new PlainStore(wren).list()).map(({ id }) => id).sort()).toEqual(["s1", "s2", "s3"]);
});

it("whoever has no role, and a writer with odd values, get nothing and change nothing", async () => {
  const { plain, name } = await team();
  const before = server.sql("select md5(string_agg(s::text, '' order by id)) from bough.session s", name);
  const stranger = await plain("nemo");
  const push = (hash: string, of: string) =>
    `select * from bough.push('s1', null, null, null, 'r', 'r', ${hash}, '{x}', '{null}', '{message}', '{user}', '{null}', ${of}, '{x}', 1)`;
  for (const sql of [
    "select * from bough.session",
    "select * from bough.replica",
    "select bough.own_role()",
    push("array[sha256('x')]", "array['x'::bytea]"),
    "select bough.put(array[sha256('x')], array['x'::bytea], null, 'shop')",
    "select * from bough.found('birch', false, null, 10)",
  ])
    await expect(stranger.query(sql), sql).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|BG001)$/) });
  const writer = await plain("wren");
  for (const sql of [
    push("array[null::bytea]", "array[null::bytea]"),
    push("array[sha256('x')]", "array[null::bytea]"),
    push("array[sha256('x'), sha256('y')]", "array['x'::bytea, null]"),
    "select bough.put(array[null::bytea], array['x'::bytea], null, 'shop')",
    "select bough.put(array['\\x00'::bytea], array['\\x00'::bytea], null, 'shop')",
    "select bough.put(array[sha256('x')], array[null::bytea], null, 'shop')",
    "set row_security = off; select * from bough.member where false; delete from bough.session",
    "copy bough.session from program 'true'",
    "create rule r as on insert to bough.entry do instead nothing",
    "create trigger t before insert on bough.entry for each row execute function bough.refuse_change()",
    "alter function bough.caller() owner to wren",
    "create or replace function bough.caller() returns text language sql as 'select ''keeper''::text'",
  ])
    await expect(writer.query(sql), sql).rejects.toThrow();
  // PostgreSQL only warns that nothing was granted.
  await writer.query("grant insert on bough.entry to nemo");
  expect(server.sql("select has_table_privilege('nemo', 'bough.entry', 'insert')", name)).toBe("f");
  expect(server.sql("select md5(string_agg(s::text, '' order by id)) from bough.session s", name)).toBe(before);
});

it("names of a writer's own do not lead the functions astray", async () => {
  const { plain, wren } = await team();
  const writer = await plain("rita");
  await writer.query("create temp table member as select 'rita' as name, 'owner' as role, null::text[] as projects");
  await writer.query("create function pg_temp.caller() returns text language sql as 'select ''keeper''::text'");
  await writer.query("set search_path = pg_temp, bough");
  await expect(writer.query("select bough.remove('s1')")).rejects.toMatchObject({ code: "BG002" });
  await expect(writer.query("select set_config('role', 'keeper', false)")).rejects.toThrow("permission denied");
  expect(await idsOf(wren, "s1")).toEqual(["a", "birch"]);
});

it("a role that is taken away between two pieces of a push stops it there, and whoever takes it away waits for a running one", async () => {
  const { keeper, wren, rita, plain, name } = await team();
  expect(await wren.push("s1", [line("first")])).toMatchObject({ added: 1 });
  // A push that has begun holds the role until its transaction ends.
  const pushing = await plain("wren");
  await pushing.query("begin");
  await pushing.query("select bough.check_role('{writer}', 'push', '{}')");
  const taken = keeper.team.removeUser("wren");
  const watcher = await plain("keeper");
  const waiting = "select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'";
  let isWaiting = 0;
  while (isWaiting === 0) isWaiting = (await watcher.query(waiting, [name])).rowCount ?? 0;
  await pushing.query("commit");
  expect(await taken).toBe(true);
  await expect(wren.push("s1", [line("second")])).rejects.toMatchObject({ code: "store-forbidden" });
  expect(await idsOf(rita, "s1")).toEqual(["a", "birch", "first"]);
  await keeper.team.setUser({ name: "wren", role: "writer" });
  expect(await wren.push("s1", [line("second")])).toMatchObject({ added: 1 });
});

it("records who pushed, removed, put back and changed users, by the name they connected with", async () => {
  const { keeper, rita, wren, connect } = await team();
  const olga = await connect("olga");
  await olga.remove("s1");
  await olga.readmit("s1");
  await keeper.team.removeUser("rita");
  const seen = (await keeper.team.log()).map(({ user, action, sessionId, lines, replica, detail }) =>
    [user, action, sessionId ?? detail, lines ?? "", replica?.name ?? ""].join(" ").trim(),
  );
  expect(seen).toEqual([
    "keeper user removed rita",
    "olga readmitted s1",
    "olga removed s1 2",
    "wren pushed s3 1 wren's laptop",
    "wren pushed s2 2 wren's laptop",
    "wren pushed s1 2 wren's laptop",
    "keeper user added olga, owner",
    "keeper user added rita, reader, shop",
    "keeper user added wren, writer",
  ]);
  expect((await wren.team.log({ sessionId: "s2" })).map(({ action }) => action)).toEqual(["pushed"]);
  await expect(rita.list()).rejects.toMatchObject({ code: "store-refused" });
});

it("two owners who change users at once both succeed, and the last one about the same user counts", async () => {
  const { keeper, connect } = await team();
  const olga = await connect("olga");
  await Promise.all([
    keeper.team.setUser({ name: "nemo", role: "reader" }),
    olga.team.setUser({ name: "nemo", role: "writer" }),
    keeper.team.setUser({ name: "rita", role: "reader" }),
    olga.team.removeUser("wren"),
  ]);
  const users = (await keeper.team.users()) ?? [];
  expect(users.map(({ name }) => name)).toEqual(["nemo", "olga", "rita"]);
  expect(["reader", "writer"]).toContain(users[0]?.role);
});

it("rights that were granted by hand end when roles begin, and older sessions stay", async () => {
  const { as, connect, plain, name } = newDatabase();
  const keeper = await plain("keeper");
  await keeper.query(
    "create schema bough; create table bough.migration (version int primary key, at timestamptz default now())",
  );
  await keeper.query(MIGRATIONS.slice(0, 5).join(";"));
  await keeper.query("insert into bough.migration select generate_series(1, 5)");
  await keeper.query("grant usage on schema bough to wren, rita");
  await keeper.query("grant select, insert, update, delete on all tables in schema bough to wren, rita");
  await expect(connect("wren")).rejects.toMatchObject({ code: "store-not-set-up" });
  expect(await PostgresStore.init(as("keeper"))).toMatchObject({ migrated: [6, 7] });
  const before = await connect("wren");
  await before.push("old", [line("o")], { project: "shop" });
  expect(await before.team.users()).toBeUndefined();
  // Nobody but the owner of the tables can turn roles on.
  await expect(before.team.setUser({ name: "wren", role: "owner" })).rejects.toMatchObject({ code: "store-refused" });
  const store = await connect("keeper");
  await store.team.setUser({ name: "rita", role: "reader", projects: ["shop"] });
  const rita = await connect("rita");
  expect(await idsOf(rita, "old")).toEqual(["o"]);
  await expect(before.push("old", [line("p")])).rejects.toMatchObject({ code: "store-refused" });
  await expect(PostgresStore.init(as("keeper"), { rowSecurity: true })).rejects.toMatchObject({
    code: "store-refused",
    message: expect.stringContaining("roles"),
  });
  expect(await PostgresStore.init(as("keeper"))).toMatchObject({ migrated: [] });
  expect((await store.team.users())?.map(({ name }) => name)).toEqual(["rita"]);
  await expect(store.team.setUser({ name: "nobody-here", role: "reader" })).rejects.toMatchObject({
    code: "store-refused",
    message: expect.stringContaining("no user nobody-here"),
  });
  expect(server.sql("select count(*) from bough.member", name)).toBe("1");
});

it("everyone with a role sees that a store is encrypted, and only owners change its passphrase", async () => {
  const name = newDatabase();
  await PostgresStore.init(name.as("keeper"));
  const search = async () => [];
  const sealed = async (user: string, passphrase = "correct horse") =>
    new SealedStore(await name.connect(user), { passphrase, search });
  const first = await name.connect("keeper");
  await first.team.setUser({ name: "nemo", role: "writer", projects: ["garden"] });
  await first.team.setUser({ name: "rita", role: "reader", projects: ["garden"] });
  await new SealedStore(await name.connect("keeper"), { passphrase: "correct horse", search }).blobs.put([]);
  // Without the mark, a user of one project would push plain text.
  await expect(
    new PlainStore(await name.connect("nemo")).push("s", [line("a")], { project: "garden" }),
  ).rejects.toMatchObject({ code: "passphrase-missing" });
  const nemo = await sealed("nemo");
  await nemo.push("s", [line("a")], { project: "garden" });
  expect(await idsOf(await sealed("rita"), "s")).toEqual(["a"]);
  await expect(nemo.changePassphrase("battery staple", new Date(1))).rejects.toMatchObject(
    forbidden("cannot change the passphrase"),
  );
  expect(await (await sealed("keeper")).changePassphrase("battery staple", new Date(1))).toBe("changed");
  await expect(nemo.push("t", [line("b")], { project: "garden" })).resolves.toMatchObject({ added: 1 });
  expect(await (await sealed("nemo")).changePassphrase("battery staple", new Date(1))).toBe("adopted");
  const later = await sealed("nemo", "battery staple");
  await later.push("s", [line("c")], { project: "garden" });
  expect(await idsOf(await sealed("rita", "battery staple"), "s")).toEqual(["a", "c"]);
});

it("a database that keeps its users apart has no roles", async () => {
  const { as, connect } = newDatabase();
  await PostgresStore.init(as("keeper"), { rowSecurity: true });
  const keeper = await connect("keeper");
  await expect(keeper.team.setUser({ name: "wren", role: "writer" })).rejects.toMatchObject({
    code: "store-refused",
    message: expect.stringContaining("keeps its users apart"),
  });
});
