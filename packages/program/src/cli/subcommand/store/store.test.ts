import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { addressInTest } from "../../../../../../test/support/address-in-test.js";
import { storeMachines } from "./store-machines.test-support.js";

describe("bough store and bough sync", () => {
  it("one machine continues what the other started, and both see both branches without moving", async () => {
    const { store, machine } = storeMachines();
    const laptop = machine("laptop");
    const desktop = machine("desktop");
    laptop.prompt("first");
    expect(await laptop.bough("store", "add", "home", store)).toMatchObject({ code: 0 });
    expect((await laptop.bough("sync")).stdout).toMatch(/first {2}\d+ pushed\nSynced 1 session with home\./);
    await desktop.bough("store", "add", "home", store);
    expect((await desktop.bough("sync")).stdout).toMatch(/pulled/);
    const there = desktop.prompt("from the desktop");
    const here = laptop.prompt("from the laptop");
    const position = here.getLeafId();
    await desktop.bough("sync");
    const report = JSON.parse((await laptop.bough("sync", "--json")).stdout);
    expect(report).toMatchObject({ store: "home", project: "example.com/team/app", unchanged: 0, skipped: [] });
    await desktop.bough("sync");
    const texts = (file: string | undefined) =>
      SessionManager.open(file as string, undefined, { readOnly: true })
        .getEntries()
        .flatMap((entry) => (entry.type === "message" && entry.message.role === "user" ? [entry.message.content] : []))
        .sort();
    const all = ["first", "from the desktop", "from the laptop"];
    expect(texts(here.getSessionFile())).toEqual(all);
    expect(texts(there.getSessionFile())).toEqual(all);
    expect(SessionManager.open(here.getSessionFile() as string).getLeafId()).toBe(position);
    expect((await laptop.bough("sync")).stdout).toBe("Nothing to sync with home. 1 session unchanged.\n");
  });

  it("lists and searches what is in a store, and marks what is not here yet", async () => {
    const { store, machine } = storeMachines();
    const laptop = machine("laptop");
    const desktop = machine("desktop");
    const session = laptop.prompt("water the young birch");
    await laptop.bough("store", "add", "home", store);
    await laptop.bough("sync");
    await desktop.bough("store", "add", "home", store);
    const id = session.getSessionId();
    const heading = "id\tname\tlast\tproject\tfolder\tmachines\there\n";
    expect((await desktop.bough("ls", "--store")).stdout).toMatch(
      new RegExp(`^${heading}${id}\twater the young birch\t.*\texample.com/team/app\t${laptop.cwd}\t.*\tno\n$`),
    );
    expect((await laptop.bough("ls", "--store=home")).stdout).toMatch(/\tyes\n$/);
    expect(JSON.parse((await desktop.bough("ls", "--store", "--json")).stdout)).toMatchObject({
      store: "home",
      project: "example.com/team/app",
      sessions: [{ id: session.getSessionId(), title: "water the young birch", here: false }],
    });
    const found = await desktop.bough("search", "--store", "birch");
    expect(found).toMatchObject({ code: 0, stdout: expect.stringMatching(/not here yet[\s\S]*water the young birch/) });
    const [hit] = (await desktop.bough("search", "--store", "birch", "--json")).stdout.split("\n");
    expect(JSON.parse(hit as string)).toMatchObject({ type: "hit", store: "home", here: false, state: "active" });
    expect(await desktop.bough("search", "--store", "oak")).toMatchObject({ code: 1 });
    expect(await desktop.bough("ls", "--store", "--archived")).toMatchObject({ code: 2 });
    expect((await desktop.bough("ls", "--store=x")).stderr).toContain("No store is called x");
  });

  it("fetches a session that is only in the store when it is named, and says so on standard error", async () => {
    const { store, machine } = storeMachines();
    const laptop = machine("laptop");
    const desktop = machine("desktop");
    const session = laptop.prompt("water the young birch");
    const id = session.getSessionId();
    await laptop.bough("store", "add", "home", store);
    await laptop.bough("sync");
    await desktop.bough("store", "add", "home", store);
    for (const about of ["verify", "repair"])
      expect(await desktop.bough(about, id)).toMatchObject({ code: 1, stderr: expect.stringContaining("not found") });
    expect(await desktop.bough("tree", "--session-dir", desktop.home, id)).toMatchObject({ code: 1 });
    const shown = await desktop.bough("show", `${id.slice(0, 8)}#1`);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("water the young birch") });
    expect(shown.stderr).toBe("bough: Fetched from home, and kept on this machine.\n");
    const tree = await desktop.bough("tree", id);
    expect(tree).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("water the young birch") });
    expect(await desktop.bough("tree", "nobody")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("not found"),
    });
    renameSync(store, `${store}.away`);
    const away = await desktop.bough("tree", "nobody");
    expect(away.code).toBe(1);
    expect(away.stderr).toMatch(/Session not found: nobody\n.*the store could not be asked: /);
  });

  it("keeps a session with a secret here until it is allowed to leave", async () => {
    const { store, machine } = storeMachines();
    const laptop = machine("laptop");
    laptop.prompt(`my key is ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`);
    await laptop.bough("store", "add", "home", store);
    const refused = await laptop.bough("sync");
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining("--allow-secrets") });
    expect((await laptop.bough("store", "status")).stdout).toContain("0 sessions");
    expect((await laptop.bough("sync", "--allow-secrets")).stdout).toContain("pushed");
  });

  it("scans what is new for secrets before every push, and remembers that a session may be pushed", async () => {
    const { store, machine } = storeMachines();
    const laptop = machine("laptop");
    const desktop = machine("desktop");
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    const stored = () =>
      readdirSync(store, { recursive: true, withFileTypes: true })
        .filter((item) => item.isFile())
        .map((item) => readFileSync(join(item.parentPath, item.name), "utf8"))
        .join("");
    laptop.prompt("water the birch");
    await laptop.bough("store", "add", "home", store);
    expect(await laptop.bough("sync")).toMatchObject({ code: 0 });
    await desktop.bough("store", "add", "home", store);
    await desktop.bough("sync");
    desktop.prompt("and the oak");
    await desktop.bough("sync");
    laptop.prompt(`my key is ${token}`);
    const refused = await laptop.bough("sync");
    // Entries from the other machine are still pulled.
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/1 pulled[\s\S]*not pushed: it may contain/),
    });
    expect(stored()).not.toContain(token);
    expect(await laptop.bough("sync", "--allow-secrets")).toMatchObject({ code: 0 });
    expect(stored()).toContain(token);
    laptop.prompt(`and once more ${token}`);
    expect(await laptop.bough("sync")).toMatchObject({ code: 0, stdout: expect.stringContaining("1 pushed") });
  });

  it("does not bring back what was deleted here, unless named with --again", async () => {
    const { store, machine } = storeMachines();
    const laptop = machine("laptop");
    const session = laptop.prompt("gone soon");
    await laptop.bough("store", "add", "home", store);
    await laptop.bough("sync");
    rmSync(session.getSessionFile() as string);
    expect((await laptop.bough("sync")).stdout).toContain("deleted here and kept in the store");
    expect((await laptop.bough("sync", session.getSessionId(), "--again")).stdout).toContain("pulled");
  });

  it("keeps addresses private and shows them without passwords", async () => {
    const { machine } = storeMachines();
    const laptop = machine("laptop");
    const url = addressInTest("postgres://me:hush-hush§127.0.0.1:1/x");
    const failed = await laptop.bough("store", "add", "db", url);
    expect(failed.code).toBe(1);
    expect(failed.stdout + failed.stderr).not.toContain("hush");
    const { store } = storeMachines();
    await laptop.bough("store", "add", "home", store);
    expect(statSync(join(laptop.home, "stores.json")).mode & 0o077).toBe(0);
    expect(JSON.parse(readFileSync(join(laptop.home, "stores.json"), "utf8")).stores).toHaveLength(1);
  });

  it("gives this machine a name that others see", async () => {
    const { machine } = storeMachines();
    const laptop = machine("laptop");
    expect(await laptop.bough("store", "name", "office laptop")).toMatchObject({ code: 0 });
    expect((await laptop.bough("store", "name")).stdout).toBe("This machine is called office laptop.\n");
    expect(JSON.parse((await laptop.bough("store", "name", "--json")).stdout)).toMatchObject({
      replica: { name: "office laptop" },
    });
  });

  it("says what to do without a store, with an unknown one, and with an unknown action", async () => {
    const { machine } = storeMachines();
    const laptop = machine("laptop");
    expect((await laptop.bough("sync")).stderr).toMatch(/No store is set up\n.*bough store add/);
    expect((await laptop.bough("sync", "--store", "x")).stderr).toContain("No store is called x");
    expect(await laptop.bough("store", "ad")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean add?"),
    });
  });
});
