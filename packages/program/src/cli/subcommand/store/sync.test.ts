import { getEventListeners } from "node:events";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { addStore, initStore } from "@bough/workbench/store/index.js";
import { describe, expect, it, vi } from "vitest";
import { afterTest } from "../../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { runCommand } from "../import/run-command.test-support.js";

const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

/** A machine with two stores, of which `home` is the default; its project has no git remote. */
async function machine(name = "desk") {
  const base = tempFolder();
  const home = join(base, name);
  const stores = { home: join(base, "store"), pg: join(base, "other") };
  afterTest(() => vi.unstubAllEnvs());
  for (const [store, address] of Object.entries(stores)) {
    await initStore(address);
    addStore(home, { name: store, address });
  }
  const bough = (...args: string[]) => {
    vi.stubEnv("BOUGH_HOME", home);
    return runCommand({ cwd: base }, args);
  };
  const watch = (...args: string[]) => {
    const stop = new AbortController();
    const heard: string[] = [];
    vi.stubEnv("BOUGH_HOME", home);
    const write = vi.spyOn(process.stdout, "write");
    const ended = runCommand({ cwd: base }, ["sync", "--all", "--watch", ...args], { signal: stop.signal });
    // `runCommand` has installed its own.
    const taken = process.stdout.write.bind(process.stdout);
    process.stdout.write = ((text: string) => {
      heard.push(String(text));
      return taken(text);
    }) as typeof process.stdout.write;
    afterTest(() => write.mockRestore());
    const listeners = () => getEventListeners(stop.signal, "abort").length;
    return { heard: () => heard.join(""), listeners, stop: () => stop.abort(), ended };
  };
  const prompt = (text: string) => {
    vi.stubEnv("BOUGH_HOME", home);
    const session = SessionManager.create(base);
    session.appendMessage({ role: "user", content: text, timestamp: 1 });
    session.close();
    return session;
  };
  return { home, stores, bough, watch, prompt };
}

describe("bough sync", () => {
  it("names every session that was not found, and syncs nothing then", async () => {
    const { bough, prompt } = await machine();
    const id = prompt("water the birch").getSessionId();
    expect(await bough("sync", "nope")).toMatchObject({
      ...{ code: 1, stdout: "" },
      stderr: expect.stringMatching(/^bough: Session not found: nope\n/),
    });
    expect((await bough("sync", id, "nope", "nada")).stderr).toMatch(/^bough: Sessions not found: nope, nada\n/);
    expect((await bough("sync", id.slice(0, 8))).stdout).toContain("2 pushed");
    expect(await bough("sync", "--again")).toMatchObject({ code: 2 });
    expect(await bough("sync", "--watch", "--dry-run")).toMatchObject({ code: 2 });
  });

  it("says how to get a session back that was deleted here, by its title too", async () => {
    const { bough, prompt } = await machine();
    const session = prompt("water the birch");
    const id = session.getSessionId();
    await bough("sync", id);
    rmSync(session.getSessionFile() as string);
    const short = id.slice(0, 8);
    expect((await bough("sync", "water the birch")).stdout).toBe(
      `${short}  water the birch  deleted here and kept in the store. To get it back: bough sync ${short} --again\nNothing to sync with home.\n`,
    );
    expect((await bough("sync", short, "--again")).stdout).toContain("1 pulled");
  });

  it("names what may be a secret by rule and entry, masked, and never says that there is nothing to sync", async () => {
    const { bough, prompt } = await machine();
    const session = prompt(`my key is ${TOKEN}`);
    const id = session.getSessionId();
    const short = id.slice(0, 8);
    const entry = session.getLeafId();
    const held = await bough("sync", "--all");
    expect(held.code).toBe(1);
    expect(held.stdout).toMatch(
      new RegExp(
        `^${short}  my key is ••••.*  not pushed: it may contain secrets\\. To push it anyway: bough sync ${short} --allow-secrets\n` +
          `  GitHub token: .*, entry ${entry}\n1 session not pushed\\.\n$`,
      ),
    );
    const other = await bough("sync", "--all", "--store", "pg");
    expect(other.stdout).toContain(`bough sync ${short} --store pg --allow-secrets`);
    const { skipped } = JSON.parse((await bough("sync", "--all", "--json")).stdout);
    expect(skipped).toEqual([
      {
        ...{ sessionId: id, why: "secrets", title: expect.stringMatching(/^my key is ••••/) },
        findings: [
          {
            ...{ rule: expect.any(String), title: "GitHub token", entryId: entry, count: 1 },
            excerpt: expect.stringMatching(/^my key is ghp_/),
          },
        ],
      },
    ]);
    expect(JSON.stringify([held, other, skipped])).not.toContain(TOKEN);
  });

  it("names the store in hints if it is not the default", async () => {
    const { bough } = await machine();
    expect((await bough("sync", "nope", "--store", "pg")).stderr).toContain("bough ls --all --store=pg");
    expect((await bough("sync", "--store", "pg")).stdout).toContain("bough sync --project <name> --store pg\n");
    vi.spyOn(process, "stdout", "get").mockReturnValue(Object.assign(Object.create(process.stdout), { isTTY: true }));
    afterTest(() => vi.restoreAllMocks());
    expect((await bough("ls", "--store=pg")).stdout).toContain("To sync: bough sync --store pg\n");
    expect((await bough("ls", "--store=home")).stdout).toContain("To sync: bough sync\n");
  });

  it("shows in a dry run how much would be pushed, and whether there is something to pull", async () => {
    const [desk, laptop] = [await machine("desk"), await machine("laptop")];
    addStore(laptop.home, { name: "shared", address: desk.stores.home });
    const session = desk.prompt("water the birch");
    const dry = (await desk.bough("sync", "--all", "--dry-run")).stdout;
    expect(dry).toMatch(/water the birch {2}2 to push\nWould sync 1 session with home\.\n$/);
    expect((await desk.bough("sync", "--all")).stdout).toContain("2 pushed");
    const there = await laptop.bough("sync", "--all", "--dry-run", "--store", "shared");
    expect(there.stdout).toMatch(/water the birch {2}something to pull\n/);
    await laptop.bough("sync", "--all", "--store", "shared");
    const copy = SessionManager.continueRecent("/", join(laptop.home, "sessions"));
    copy.close();
    const again = SessionManager.open(session.getSessionFile() as string);
    again.appendMessage({ role: "user", content: "and the oak", timestamp: 2 });
    again.close();
    expect(JSON.parse((await desk.bough("sync", "--all", "--dry-run", "--json")).stdout)).toMatchObject({
      synced: [{ sessionId: session.getSessionId(), toPush: 1, toPull: false }],
    });
  });

  it("watches without leaving listeners behind, and reports when the store becomes unreachable and comes back", async () => {
    const { watch, stores, prompt } = await machine();
    const { heard, listeners, stop, ended } = watch();
    await expect.poll(heard).toContain("Watching. Ctrl+C stops.");
    renameSync(stores.home, `${stores.home}.away`);
    await expect.poll(heard).toContain(`The store is gone: ${stores.home}. Your work is saved here.\n`);
    renameSync(`${stores.home}.away`, stores.home);
    await expect.poll(heard).toContain("home is back. Everything is synced.\n");
    prompt("water the birch");
    await expect.poll(heard).toContain("2 pushed");
    prompt(`my key is ${TOKEN}`);
    await expect.poll(heard).toContain("1 session not pushed.");
    expect(listeners()).toBeLessThan(4);
    stop();
    expect(await ended).toMatchObject({ code: 0 });
    expect(heard().match(/not pushed: it may/g)).toHaveLength(1);
  });
});
