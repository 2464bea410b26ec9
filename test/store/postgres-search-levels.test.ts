/** `bough store init --search`: what a database can search, and that changing it loses nothing. */
import { openStore } from "@bough/workbench/store/index.js";
import { PostgresStore } from "@bough/workbench/store/postgres/postgres-store.js";
import { replicaNamed } from "@bough/workbench/store/store-contract.test-support.js";
import { afterAll, expect, it } from "vitest";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";
import { tempFolder } from "../support/temp-folder.js";

let server: PostgresServer;
beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server?.stop());

const line = (id: string, parentId: string | null, text: string) =>
  Buffer.from(
    JSON.stringify({
      type: "message",
      id,
      parentId,
      timestamp: "2026-01-01T00:00:00.000Z",
      message: { role: "user", content: text, timestamp: 1 },
    }),
  );

it("finds parts of words, words, or searches on this machine, and can be changed with sessions in it", async () => {
  const url = server.create("levels");
  expect(await PostgresStore.init(url)).toMatchObject({ search: "parts" });
  const opened = () => openStore(url, { home: tempFolder(), replica: replicaNamed("a") });
  const pushed = async (session: string) => {
    const store = await opened();
    await store.push(session, [line("a", null, "start"), line("b", "a", "the quick marmalade"), line("c", "a", "on")]);
    await store.close();
  };
  const found = async (words: string) => {
    const store = await opened();
    const hits = await store.search({ words });
    await store.close();
    return hits.map(({ sessionId, entryId, state }) => `${sessionId} ${entryId} ${state}`).sort();
  };
  const lines = "select md5(string_agg(line::text, '' order by session, seq)) from bough.entry";
  const texts = () => server.sql("select count(*) from bough.entry where text is not null", "levels");
  const indexes = () =>
    server.sql(
      "select string_agg(relname, ' ' order by relname) from pg_class where relname in ('entry_words', 'entry_trigrams')",
      "levels",
    );
  await pushed("s1");
  expect([await found("marmalade"), await found("rmala"), indexes()]).toEqual([
    ["s1 b abandoned"],
    ["s1 b abandoned"],
    "entry_trigrams entry_words",
  ]);

  expect(await PostgresStore.init(url, { search: "none" })).toMatchObject({ search: "none" });
  await pushed("s2");
  expect([texts(), indexes()]).toEqual(["0", ""]);
  const before = server.sql(lines, "levels");
  const everywhere = ["s1 b abandoned", "s2 b abandoned"];
  expect([await found("marmalade"), await found("rmala"), await found("nowhere")]).toEqual([
    everywhere,
    everywhere,
    [],
  ]);
  // An update keeps the level.
  expect(await PostgresStore.init(url)).toMatchObject({ search: "none", trigrams: false });

  expect(await PostgresStore.init(url, { search: "words" })).toMatchObject({ search: "words", trigrams: false });
  expect([await found("marmalade"), texts(), indexes()]).toEqual([everywhere, "6", "entry_words"]);
  expect(await PostgresStore.init(url, { search: "parts" })).toMatchObject({ search: "parts", trigrams: true });
  expect(await found("rmala")).toEqual(everywhere);
  expect(server.sql(lines, "levels")).toBe(before);
});

it("searches on this machine what a user with a role may see", async () => {
  for (const sql of ["create role keeper login", "create role rita login", "create database seen owner keeper"])
    server.sql(sql);
  const as = (user: string) => server.url("seen").replace("bough@", `${user}@`);
  await PostgresStore.init(as("keeper"), { search: "none" });
  const opened = (user: string) => openStore(as(user), { home: tempFolder(), replica: replicaNamed(user) });
  const keeper = await opened("keeper");
  await keeper.team?.setUser({ name: "rita", role: "reader", projects: ["shop"] });
  await keeper.close();
  const owner = await opened("keeper");
  await owner.push("s1", [line("a", null, "birch in the shop")], { project: "shop" });
  await owner.push("s2", [line("a", null, "birch in the bank")], { project: "bank" });
  await owner.close();
  const rita = await opened("rita");
  expect((await rita.search({ words: "birch" })).map(({ sessionId }) => sessionId)).toEqual(["s1"]);
  await rita.close();
});
