import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { PostgresStore } from "@bough/workbench/store/postgres/postgres-store.js";
import { replicaNamed } from "@bough/workbench/store/store-contract.test-support.js";
import { StoreError } from "@bough/workbench/store/store-error.js";
import { afterAll, expect, it } from "vitest";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";

const ALL = process.env.BOUGH_RUNS === "all";
const KILLS = ALL ? 30 : 2;
const EACH = ALL ? 1_000 : 30;
const WRITERS = [..."abcdefgh"];
const TOTAL = WRITERS.length * EACH;

let server: PostgresServer;
beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server?.stop());

const idOf = (bytes: Uint8Array): string => JSON.parse(Buffer.from(bytes).toString()).id;

const children: ChildProcess[] = [];
afterAll(() => {
  for (const one of children) one.kill("SIGKILL");
});

/** Asks again until the server is there. */
async function persist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "store-unreachable") throw error;
      await pause(20);
    }
  }
}

/** Appends in a process of its own, and tells of every acknowledged entry. */
async function append(url: string, name: string, onAcknowledged: (id: string) => void): Promise<void> {
  const program = join(import.meta.dirname, "../support/store-appender.mjs");
  const child = spawn(process.execPath, [program, url, name, String(EACH)], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const ended = once(child, "close");
  let failure: unknown;
  createInterface({ input: child.stdout }).on("line", (id) => {
    try {
      onAcknowledged(id);
    } catch (error) {
      failure = error;
      for (const one of children) one.kill("SIGKILL");
    }
  });
  const outcome = await ended;
  if (failure !== undefined) throw failure;
  expect(outcome).toEqual([0, null]);
}

it("keeps what eight processes append while the server is killed, and a follower sees each entry once", async () => {
  const url = server.create("killed");
  await PostgresStore.init(url);
  const reader = await PostgresStore.open({ url, replica: replicaNamed("reader"), pollMs: 50 });
  const stop = new AbortController();
  const seen: string[] = [];
  let cursor: string | undefined;
  const pullNew = async (): Promise<void> => {
    for await (const piece of reader.pull("shared", cursor)) {
      seen.push(...piece.lines.map(({ bytes }) => idOf(bytes)));
      cursor = piece.cursor;
    }
  };
  // The server may be away whenever it is asked, at the first and at the last time too.
  const following = persist(async () => {
    for await (const _ of reader.follow("shared", stop.signal)) {
      await persist(pullNew);
      if (seen.length >= TOTAL) stop.abort();
    }
  });

  const acknowledged: string[] = [];
  // At random, and before the last tenth, so that someone is always in the middle of something.
  const moments = Array.from({ length: KILLS }, () => Math.floor(Math.random() * TOTAL * 0.9)).sort((a, b) => a - b);
  let kills = 0;
  const onAcknowledged = (id: string) => {
    acknowledged.push(id);
    if (acknowledged.length <= (moments[kills] ?? Number.POSITIVE_INFINITY)) return;
    kills++;
    server.kill();
    // Recovers from its log, as after a crash.
    server.resume();
  };
  await Promise.all(WRITERS.map((name) => append(url, name, onAcknowledged)));
  await following;

  const stored = await persist(async () => {
    const ids: string[] = [];
    for await (const { lines } of reader.pull("shared")) ids.push(...lines.map(({ bytes }) => idOf(bytes)));
    return ids;
  });
  await reader.close();
  const expected = WRITERS.flatMap((name) => Array.from({ length: EACH }, (_, n) => `${name}${n}`)).sort();
  expect(kills).toBe(KILLS);
  expect(acknowledged.sort()).toEqual(expected);
  expect([...stored].sort()).toEqual(expected);
  expect(seen).toEqual(stored);
}, 600_000);
