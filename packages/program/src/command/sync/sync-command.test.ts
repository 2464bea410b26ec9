import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { addStore, initStore, openStore, SyncStates, syncSession } from "@bough/workbench/store/index.js";
import { SessionSync, type SessionSyncOptions } from "@bough/workbench/store/internal.js";
import { describe, expect, it } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { testContext } from "../command-context.test-support.js";
import { createCommandContext } from "../create-context.js";
import { runCommandLine } from "../run-command-line.js";

async function world(options: Partial<SessionSyncOptions> = {}) {
  const address = join(tempFolder(), "store");
  await initStore(address);
  const made = testContext({ drawing: "A-b-C-d*" });
  const { home } = made.context;
  addStore(home, { name: "home", address });
  const told: string[] = [];
  const { session } = made.context.agent;
  const sync = new SessionSync({
    ...{ session, home, refresh: true },
    tell: (_level, { message, hint }) => void told.push([message, hint].join(" ")),
    ...options,
  });
  afterTest(() => sync.close());
  const context = createCommandContext({ ...made.context, sync, extra: () => [] });
  /** The same session on another machine. */
  const other = async () => {
    const there = tempFolder();
    const store = await openStore(address, { home: there, replica: { id: "0".repeat(16), name: "office laptop" } });
    const file = join(there, "copy.jsonl");
    const states = new SyncStates(there, address);
    const exchange = () => syncSession({ store, states, sessionId: session.getSessionId(), file });
    return { file, exchange };
  };
  return { address, context, session, sync, told, other };
}

function say(session: SessionManager, content: string): string {
  return session.appendMessage({ role: "user", content, timestamp: 1 });
}

const SECRET = `my key is ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

describe("/sync", () => {
  it("says what went, what came, from which machine and on which branches", async () => {
    const { context, session, other } = await world();
    const first = await runCommandLine(context, "/sync");
    expect(first).toMatchObject({
      kind: "done",
      message: expect.stringMatching(/^Synced with home: \d+ entries pushed\.$/),
    });
    const { file, exchange } = await other();
    await exchange();
    const copy = SessionManager.open(file);
    copy.branch("b");
    const added = say(copy, "try a lexer");
    copy.close();
    await exchange();
    const position = session.getLeafId();
    const second = await runCommandLine(context, "/sync");
    expect(second).toMatchObject({
      message: "Synced with home: 1 entry pulled.\n  1 turn from office laptop on #2 try a lexer",
    });
    expect([session.getLeafId(), session.getEntry(added)?.type]).toEqual([position, "message"]);
    expect(await runCommandLine(context, "/sync")).toMatchObject({ message: "Already in sync with home." });
  });

  it("keeps what may contain secrets here, unless the user or --allow-secrets permits it", async () => {
    const asked: string[] = [];
    let answer = false;
    const { context, session, told } = await world({
      confirm: async (title, message) => {
        asked.push(`${title} ${message}`);
        return answer;
      },
    });
    say(session, SECRET);
    expect(await runCommandLine(context, "/sync")).toMatchObject({ kind: "unchanged", code: "secrets-found" });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(
      /^This session contains 1 possible secret\. Sync it anyway\? GitHub token: my key is ghp_\S+, entry \w+\n/,
    );
    expect([...asked, ...told].join()).not.toContain("a1B2c3D4e5");
    answer = true;
    expect(await runCommandLine(context, "/sync")).toMatchObject({ message: expect.stringContaining("pushed") });
    say(session, `${SECRET}2`);
    expect(await runCommandLine(context, "/sync --allow-secrets")).toMatchObject({ kind: "done" });
    expect(asked).toHaveLength(2);
  });

  it("says what failed, and what to do as a hint", async () => {
    const { context, address } = await world();
    expect(await runCommandLine(context, "/settings sync liv")).toMatchObject({
      message: 'Invalid value for sync: "liv"',
      hint: expect.stringMatching(/^Expected /),
    });
    renameSync(address, `${address}.away`);
    expect(await runCommandLine(context, "/sync")).toMatchObject({
      message: expect.stringMatching(/\/store$/),
      hint: expect.stringMatching(/\S/),
    });
  });

  it("refuses where syncing is off, and names the stores there are", async () => {
    const off = await world({ mode: "off" });
    expect(await runCommandLine(off.context, "/sync")).toMatchObject({
      code: "unavailable",
      message: "Syncing is off",
      hint: "Turn it on with /settings sync manual.",
    });
    const { context } = await world();
    for (const wrong of ["--nonsense", "now", "--store"])
      expect(await runCommandLine(context, `/sync ${wrong}`)).toMatchObject({ code: "wrong-arguments" });
    expect(await runCommandLine(context, "/sync --store work")).toMatchObject({
      code: "store-unknown",
      message: "No store is called work",
      hint: "Stores: home",
    });
  });
});

describe("/resume of what another machine continued", () => {
  it("starts at the end of it, says so, and writes nothing", async () => {
    const { context, session, other } = await world();
    await runCommandLine(context, "/sync");
    const { file, exchange } = await other();
    await exchange();
    const copy = SessionManager.open(file);
    const end = say(copy, "from the laptop");
    copy.close();
    await exchange();
    const position = session.getLeafId();
    await runCommandLine(context, "/sync");
    const own = session.getSessionFile() as string;
    await runCommandLine(context, "/new");
    const bytes = readFileSync(own);
    expect(await runCommandLine(context, `/resume "${own}"`)).toMatchObject({
      message: expect.stringMatching(/ office laptop continued from here with 1 turn\. You are at the end of it\.$/),
      hint: "/tree shows where you were.",
    });
    expect(session.getLeafId()).toBe(end);
    await runCommandLine(context, "/new");
    expect(readFileSync(own).equals(bytes)).toBe(true);
    const reading = SessionManager.open(own, undefined, { readOnly: true });
    expect(reading.getLeafId()).toBe(position);
    reading.close();
    // Who goes back there wants to be there.
    await runCommandLine(context, `/resume "${own}"`);
    await runCommandLine(context, `/switch ${position}`);
    await runCommandLine(context, "/new");
    const again = (await runCommandLine(context, `/resume "${own}"`)) as { readonly message: string };
    expect([session.getLeafId(), again.message]).toEqual([position, expect.not.stringContaining("went on")]);
  });
});

describe("a session that syncs automatically", () => {
  it("has its status, and quitting leaves nothing unpushed", async () => {
    const { session, sync, other } = await world({ mode: "turn" });
    expect(sync.status).toBeUndefined();
    await sync.start();
    say(session, "one more");
    session.close();
    await sync.close();
    const { exchange } = await other();
    expect(await exchange()).toMatchObject({ pulled: 5 });
  });

  it("takes changed settings at once: another mode, another store, off", async () => {
    const { context, session, sync, told, other } = await world();
    await sync.start();
    expect(sync.status).toBeUndefined();
    await runCommandLine(context, "/settings sync turn");
    await expect.poll(() => sync.status).toEqual({ state: "idle", pending: 0 });
    const { exchange } = await other();
    expect(await exchange()).toMatchObject({ pulled: 4 });
    say(session, "one more");
    await session.flush();
    await expect.poll(() => sync.status).toEqual({ state: "idle", pending: 0 });
    expect(await exchange()).toMatchObject({ pulled: 1 });
    const second = join(tempFolder(), "second");
    await initStore(second);
    addStore(context.home, { name: "second", address: second });
    await runCommandLine(context, "/settings store second");
    await expect.poll(() => [sync.name, sync.status]).toEqual(["second", { state: "idle", pending: 0 }]);
    await runCommandLine(context, "/settings sync off");
    expect([sync.mode, sync.status]).toEqual(["off", undefined]);
    expect(await runCommandLine(context, "/sync")).toMatchObject({ code: "unavailable" });
    expect(told).toEqual([]);
    await runCommandLine(context, "/settings store nowhere");
    await runCommandLine(context, "/settings sync live");
    await expect.poll(() => told).toEqual([expect.stringMatching(/^Not syncing: No store is called nowhere/)]);
  });

  it("says what is missing if no store is set up", async () => {
    const { sync, told } = await world({ mode: "live", home: tempFolder() });
    await sync.start();
    expect(told).toEqual([expect.stringMatching(/^Not syncing: No store is set up Add one with: bough store add/)]);
  });
});
