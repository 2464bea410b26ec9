/** Paths and places in PostgreSQL are worked out from runs of lines: they must be right whatever came in which order. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager, searchSessions } from "@bough/session/session/index.js";
import { MIGRATIONS } from "@bough/workbench/store/postgres/migrations.js";
import { PostgresStore } from "@bough/workbench/store/postgres/postgres-store.js";
import { header, replicaNamed } from "@bough/workbench/store/store-contract.test-support.js";
import fc from "fast-check";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { piSession, piSteps } from "../support/pi-session.js";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";
import { sampledRuns } from "../support/sampled.js";
import { tempFolder } from "../support/temp-folder.js";

let server: PostgresServer;
let url: string;
const stores: PostgresStore[] = [];
let sessions = 0;
beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
  url = server.create("runs");
  await PostgresStore.init(url);
  for (const name of ["a", "b", "c"]) stores.push(await PostgresStore.open({ url, replica: replicaNamed(name) }));
});
afterAll(async () => {
  for (const store of stores) await store.close();
  server?.stop();
});

const WORD = "marmalade";
const line = (id: string, parentId: string | null) =>
  Buffer.from(
    JSON.stringify({
      type: "message",
      id,
      parentId,
      timestamp: "t",
      message: { role: "user", content: `${WORD} ${id}` },
    }),
  );

async function idsOn(store: PostgresStore, session: string, entry?: string): Promise<string[]> {
  const found: string[] = [];
  for await (const lines of store.path(session, entry))
    for (const { bytes } of lines) found.push(JSON.parse(Buffer.from(bytes).toString()).id);
  return found;
}

/** Every number with its run noted, from the rows alone. */
const WRONG_RUNS = `
  select count(*) from bough.entry e left join bough.run r on r.session = e.session and r.seq = e.seq
  left join bough.entry p on p.session = e.session and p.seq = e.seq - 1 and p.id = e.parent
    and p.replica = e.replica and p.kind <> 'session'
  where (r.seq is null) <> (p.seq is not null)`;

const tree = fc
  .array(fc.record({ parent: fc.nat(), isStraight: fc.boolean(), order: fc.nat(), who: fc.nat(2) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((drawn) =>
    drawn.map(({ parent, isStraight, ...rest }, n) => ({
      ...rest,
      id: `e${n}`,
      parent: n === 0 ? null : `e${isStraight ? n - 1 : parent % n}`,
    })),
  );

interface Drawn {
  readonly id: string;
  readonly parent: string | null;
}

function pathTo(entries: readonly Drawn[], id: string): string[] {
  const parents = new Map(entries.map((entry) => [entry.id, entry.parent]));
  const path: string[] = [];
  for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) path.unshift(at);
  return path;
}

/** The same hits in the file and in the database, and each in the same state. */
async function expectSameStates(file: string, size: number): Promise<void> {
  const expected: string[] = [];
  for await (const { entryId, state } of searchSessions(WORD, { files: [file] })) expected.push(`${entryId} ${state}`);
  const lines = readFileSync(file)
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((text) => Buffer.from(text));
  const [store] = stores as [PostgresStore];
  const id = `file-${sessions++}`;
  for (let from = 0; from < lines.length; from += size)
    await store.push(id, lines.slice(from, from + size), { project: id });
  const hits = await store.search({ words: WORD, project: id, limit: 1000 });
  expect(hits.map(({ entryId, state }) => `${entryId} ${state}`).sort()).toEqual(expected.sort());
  expect(await store.search({ words: WORD, project: id, limit: 1 })).toHaveLength(Math.min(1, expected.length));
}

describe("runs of lines in PostgreSQL", () => {
  it("gives every path, whatever order lines came in and from how many at once", async () => {
    const property = fc.asyncProperty(
      tree,
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      async (entries, mixed, size) => {
        const session = `mixed-${sessions++}`;
        const arriving = mixed ? entries.toSorted((a, b) => a.order - b.order) : entries;
        const pushes = stores.map(async (store, who) => {
          const own = arriving.filter((entry) => entry.who === who || entry.order % 3 === 0);
          for (let from = 0; from < own.length; from += size)
            await store.push(
              session,
              own.slice(from, from + size).map(({ id, parent }) => line(id, parent)),
            );
        });
        await Promise.all(pushes);
        const [store] = stores as [PostgresStore];
        for (const { id } of entries) expect(await idsOn(store, session, id)).toEqual(pathTo(entries, id));
      },
    );
    await fc.assert(property, { numRuns: sampledRuns({ all: 2_000, some: 15 }) });
    expect(server.sql(WRONG_RUNS, "runs")).toBe("0");
  });

  it("gives a long path in pieces", async () => {
    const [store] = stores as [PostgresStore];
    const ids = Array.from({ length: 9_000 }, (_, n) => `n${n}`);
    const lines = ids.map((id, n) => line(id, ids[n - 1] ?? null));
    await store.push("long", lines.slice(0, 5_000));
    await store.push("long", [line("left", "n10")]);
    await store.push("long", lines.slice(5_000));
    expect(await idsOn(store, "long")).toEqual(ids);
    expect(await idsOn(store, "long", "left")).toEqual([...ids.slice(0, 11), "left"]);
  });

  it("says where hits are as a search in the file does", async () => {
    const step = fc.record({
      kind: fc.constantFrom("say", "say", "say", "compact", "clear", "move", "summary", "label", "name", "note"),
      pick: fc.nat(1000),
    });
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 30 }),
      fc.nat(6),
      async (steps, size) => {
        const session = SessionManager.create("/project", tempFolder());
        const some = (pick: number) => session.getEntries()[pick % session.getEntries().length]?.id as string;
        const above = (pick: number) => session.getBranch()[pick % session.getBranch().length]?.id as string;
        session.appendMessage({ role: "user", content: WORD, timestamp: 1 });
        for (const { kind, pick } of steps) {
          if (kind === "say") session.appendMessage({ role: "user", content: `${WORD} ${pick}`, timestamp: 1 });
          else if (kind === "compact") session.appendCompaction(WORD, above(pick), 10);
          else if (kind === "clear") session.saveEntry({ type: "reset_boundary" });
          else if (kind === "summary") session.branchWithSummary(some(pick), WORD);
          else if (kind === "label") session.appendLabelChange(some(pick), WORD);
          else if (kind === "name") session.appendSessionInfo(WORD);
          else if (kind === "note") session.appendCustomEntry("note", {});
          else {
            session.branch(some(pick));
            session.recordPosition({ cause: "tree" });
          }
        }
        session.close();
        await expectSameStates(session.getSessionFile() as string, size + 1);
      },
    );
    await fc.assert(property, { numRuns: sampledRuns({ all: 2_000, some: 25 }) });
  });

  it("says where hits are in sessions that pi or oh-my-pi wrote, with records of Bough's in them or not", async () => {
    const own = JSON.stringify({ type: "custom", id: "aaaaaaaaaaaa", parentId: null, customType: "bough.notes" });
    const property = fc.asyncProperty(piSteps, fc.nat(6), fc.option(fc.nat(40)), async (steps, size, at) => {
      const lines = [...piSession(steps, { alphabet: "oh-my-pi" }).lines];
      if (at !== null) lines.splice(1 + at, 0, own);
      const file = join(tempFolder(), "s.jsonl");
      writeFileSync(file, lines.map((text) => `${text}\n`).join(""));
      await expectSameStates(file, size + 1);
    });
    await fc.assert(property, { numRuns: sampledRuns({ all: 1_000, some: 25 }) });
  });

  it("notes the runs of older tables, and gives the same users the same rights on them", async () => {
    const old = server.create("older");
    const client = new pg.Client(old);
    await client.connect();
    await client.query("create schema bough; create table bough.migration (version int primary key)");
    await client.query(`${MIGRATIONS[0]}; ${MIGRATIONS[1]}; insert into bough.migration values (1), (2)`);
    await client.query("alter table bough.migration add column at timestamptz not null default now()");
    await client.query("insert into bough.session (id, head, replicas) values ('s', 5, '{x}')");
    const rows = [header("s"), line("a", null), line("b", "a"), line("left", "a"), line("c", "b")];
    for (const [n, bytes] of rows.entries()) {
      const { type, id, parentId = null } = JSON.parse(bytes.toString());
      await client.query(
        "insert into bough.entry (session, seq, hash, id, parent, kind, replica, line) values ('s', $1, sha256($2), $3, $4, $5, 'x', $2)",
        [n + 1, bytes, id, parentId, type],
      );
    }
    await client.query("create role reader login");
    await client.query("grant usage on schema bough to reader; grant select on all tables in schema bough to reader");
    await client.end();

    expect(await PostgresStore.init(old)).toMatchObject({ migrated: [3, 4, 5, 6, 7] });
    expect(server.sql("select string_agg(seq::text, ' ' order by seq) from bough.run", "older")).toBe("1 2 4 5");
    const store = await PostgresStore.open({ url: old.replace("bough@", "reader@"), replica: replicaNamed("r") });
    try {
      expect(await idsOn(store, "s")).toEqual(["s", "a", "b", "c"]);
    } finally {
      await store.close();
    }
  });

  it("keeps users apart where that is wanted, from the first push on", async () => {
    const shared = server.create("shared");
    await PostgresStore.init(shared, { rowSecurity: true });
    server.sql("create role ann login; create role bob login", "shared");
    server.sql(
      "grant usage on schema bough to ann, bob; grant all on all tables in schema bough to ann, bob",
      "shared",
    );
    const as = (user: string) =>
      PostgresStore.open({ url: shared.replace("bough@", `${user}@`), replica: replicaNamed(user) });
    const [ann, bob] = [await as("ann"), await as("bob")];
    try {
      await ann.push("s", [header("s"), line("a", null), line("b", "a")]);
      expect(await idsOn(ann, "s")).toEqual(["s", "a", "b"]);
      expect(await ann.search({ words: WORD })).toHaveLength(2);
      expect(await idsOn(bob, "s")).toEqual([]);
      expect(await bob.search({ words: WORD })).toEqual([]);
      expect(server.sql("set role bob; select count(*) from bough.run", "shared").split("\n").at(-1)).toBe("0");
    } finally {
      await ann.close();
      await bob.close();
    }
  });
});
