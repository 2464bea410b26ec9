/** A client of RPC and a store: what is there, fetching, syncing, and what it hears. */
import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { addStore, initStore, openStore, SyncStates, syncSession } from "@bough/workbench/store/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { RpcClient } from "./cli-rpc-client.js";
import { makePlace } from "./cli-support.js";

/** A machine with a checkout, and a store in which another machine has put two sessions of the project. */
async function world(sync: "manual" | "turn") {
  const place = makePlace({ settings: { model: "offline/rules", sync } });
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: place.cwd });
  execFileSync("git", ["remote", "add", "origin", "https://example.com/team/app.git"], { cwd: place.cwd });
  const there = tempFolder();
  const address = join(there, "store");
  await initStore(address);
  addStore(place.home, { name: "home", address });
  const store = await openStore(address, { home: there, replica: { id: "0".repeat(16), name: "office laptop" } });
  const states = new SyncStates(there, address);
  const sessions = [];
  for (const prompt of ["fix the lexer", "write the docs"]) {
    const session = SessionManager.create("/home/anna/app", join(there, "sessions"));
    session.appendMessage({ role: "user", content: prompt, timestamp: 1 });
    session.close();
    const [sessionId, file] = [session.getSessionId(), session.getSessionFile() as string];
    const about = { project: "example.com/team/app", title: prompt };
    const exchange = () => syncSession({ store, states, sessionId, file, about });
    await exchange();
    sessions.push({ id: sessionId, file, exchange });
  }
  const [lexer, docs] = sessions as [(typeof sessions)[0], (typeof sessions)[0]];
  return { place, address, store, lexer, docs };
}

const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

describe("stores for a client of RPC", () => {
  test("lists, fetches and syncs sessions, and holds secrets back", async () => {
    const { place, store, lexer, docs } = await world("manual");
    const client = new RpcClient(place, [], { isHere: true });
    const listed = await client.request("listStoredSessions");
    expect(listed).toMatchObject({ store: "home", project: "example.com/team/app", total: 2 });
    expect(listed.sessions).toContainEqual(
      expect.objectContaining({ id: lexer.id, title: "fix the lexer", here: false }),
    );
    expect(await client.request("getStoreStatus")).toEqual({ mode: "manual", status: null });
    expect(await client.request("syncSession")).toEqual({ store: "home", synced: null });

    const fetched = await client.request("fetchSession", { session: "fix the lexer" });
    expect(fetched).toMatchObject({ kind: "fetched", id: lexer.id, store: "home", opened: true });
    expect(await client.request("getState")).toMatchObject({ sessionId: lexer.id });
    await client.request("prompt", { text: "read notes.txt" });
    expect(await client.request("syncSession")).toMatchObject({
      store: "home",
      synced: { sessionId: lexer.id, pulled: 0 },
    });
    expect(await lexer.exchange()).toMatchObject({ arrivals: [{ turns: 1 }] });

    // By ID, without going there; and one that is opened by its ID.
    expect(await client.request("syncSession", { session: docs.id })).toMatchObject({
      synced: { pulled: 1, pushed: 0 },
    });
    expect(await client.request("listStoredSessions", { scope: "all" })).toMatchObject({
      sessions: [{ here: true }, { here: true }],
    });
    expect(await client.request("syncSession", { session: docs.id })).toMatchObject({
      synced: { pulled: 0, pushed: 0 },
    });
    await client.request("openSession", { session: docs.id });
    await client.request("appendEntry", { customType: "note", data: `my key is ${TOKEN}` });
    await client.request("openSession", { session: lexer.id });
    const held = await client.request("syncSession", { session: docs.id });
    expect(held).toMatchObject({ synced: { held: true, pushed: 0 } });
    const cursor = (await store.head(docs.id))?.cursor;
    const allowed = await client.request("syncSession", { session: docs.id, allowSecrets: true });
    expect(allowed).toMatchObject({ synced: { pushed: expect.any(Number) } });
    expect((await store.head(docs.id))?.cursor).not.toBe(cursor);

    expect(await client.fault("fetchSession", { session: "nobody" })).toMatchObject({ code: "session-not-found" });
    expect(await client.fault("syncSession", { session: "nobody" })).toMatchObject({ code: "session-not-found" });
    expect(await client.fault("listStoredSessions", { store: "work" })).toMatchObject({ code: "store-unknown" });
    expect(await client.close()).toMatchObject({ code: 0, stderr: "" });
    expect(client.wrong).toEqual([]);
  });

  test("after each turn the session is in the store, and the client hears it, and that the store is unreachable", async () => {
    const { place, address, lexer } = await world("turn");
    const client = new RpcClient(place, ["-r", lexer.id], { isHere: true });
    await client.request("prompt", { text: "read notes.txt" });
    await expect
      .poll(() => client.events.find(({ type }) => type === "store_synced"), { timeout: 60_000 })
      .toMatchObject({ store: "home", synced: { sessionId: lexer.id } });
    const status = () => client.request("getStoreStatus");
    await expect.poll(status, { timeout: 60_000 }).toEqual({
      mode: "turn",
      status: { store: "home", state: "idle", pending: 0 },
    });
    renameSync(address, `${address}.away`);
    await client.request("prompt", { text: "read app.js" });
    await expect
      .poll(() => client.events.filter(({ type }) => type === "store_status").at(-1), { timeout: 60_000 })
      .toMatchObject({ store: "home", state: "away", error: { code: expect.stringMatching(/^store-/) } });
    renameSync(`${address}.away`, address);
    expect(await client.request("syncSession")).toMatchObject({ store: "home" });
    expect(await client.close()).toMatchObject({ code: 0 });
    expect(client.wrong).toEqual([]);
    expect(await lexer.exchange()).toMatchObject({ arrivals: [{ turns: 2 }] });
  });
});
