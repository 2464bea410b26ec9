/** A session of a database opens with its path; the rest comes while it is open, and moves no one. */

import { readFileSync } from "node:fs";
import { SessionManager, verifySession } from "@bough/session/session/index.js";
import { addStore, SyncStates } from "@bough/workbench/store/index.js";
import { fetchStored, SessionSync } from "@bough/workbench/store/internal.js";
import { PostgresStore } from "@bough/workbench/store/postgres/postgres-store.js";
import { header, replicaNamed } from "@bough/workbench/store/store-contract.test-support.js";
import { afterAll, expect, it, vi } from "vitest";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";
import { tempFolder } from "../support/temp-folder.js";

let server: PostgresServer;
beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server?.stop());

const line = (id: string, parent: string | null = null) =>
  Buffer.from(
    `{"type":"message","id":"${id}","parentId":${JSON.stringify(parent)},"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"${id}","timestamp":1}}`,
  );

it("is fetched while the session is open, also by the next start, and nothing is pushed by that", async () => {
  const address = server.create("rest");
  await PostgresStore.init(address);
  const store = await PostgresStore.open({ url: address, replica: replicaNamed("a") });
  const id = "5e551011-0000-4000-8000-0000000000aa";
  await store.push(id, [header(id), line("a"), line("b", "a"), line("left", "b"), line("c", "b"), line("d", "c")]);
  const home = tempFolder();
  vi.stubEnv("BOUGH_HOME", home);
  addStore(home, { name: "home", address });
  const states = new SyncStates(home, address);

  const fetched = await fetchStored({ home, cwd: home, reference: id, rest: "later" });
  if (fetched.kind !== "fetched") throw new Error(`not fetched: ${fetched.kind}`);
  const session = SessionManager.open(fetched.file);
  expect(session.getEntries().map((entry) => entry.id)).toEqual(["a", "b", "c", "d"]);
  expect(states.get(id)?.partial).toBe(true);
  const mine = session.appendMessage({ role: "user", content: "mine", timestamp: 1 });
  const cursor = (await store.head(id))?.cursor;

  // What a program does that was killed before the rest had come.
  const sync = new SessionSync({ session, home, mode: "manual", refresh: true, tell: () => {} });
  await sync.start();
  await expect.poll(() => session.getEntry("left")?.type, { timeout: 60_000 }).toBe("message");
  await expect.poll(() => states.get(id)?.partial, { timeout: 60_000 }).toBeUndefined();
  expect(session.getLeafId()).toBe(mine);
  expect((await store.head(id))?.cursor).toBe(cursor);
  session.close();
  await sync.close();
  await store.close();

  const ids = readFileSync(fetched.file, "utf8")
    .trimEnd()
    .split("\n")
    .map((one) => JSON.parse(one).id);
  expect(ids.filter((one, at) => ids.indexOf(one) !== at)).toEqual([]);
  const again = SessionManager.open(fetched.file, undefined, { readOnly: true });
  expect([again.getLeafId(), again.getChildren("b").length]).toEqual([mine, 2]);
  again.close();
  expect((await verifySession(fetched.file)).findings).toEqual([]);
});
