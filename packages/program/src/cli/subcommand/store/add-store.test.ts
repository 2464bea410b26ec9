import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { addressInTest } from "../../../../../../test/support/address-in-test.js";
import { afterTest } from "../../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { runCommand } from "../import/run-command.test-support.js";

function machine() {
  const base = tempFolder();
  const [cwd, home] = [join(base, "project"), join(base, "home")];
  mkdirSync(cwd);
  afterTest(() => vi.unstubAllEnvs());
  vi.stubEnv("BOUGH_HOME", home);
  vi.stubEnv("BOUGH_STORE_PASSPHRASE", undefined);
  const store = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand({ cwd }, ["store", ...args]);
    expect(stdout + stderr).not.toContain("hush");
    return { code, stdout, stderr };
  };
  const added = (): { name: string; address: string }[] => {
    const file = join(home, "stores.json");
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).stores : [];
  };
  return { base, cwd, home, store, added };
}

const URLS = [
  addressInTest("postgres://bob:hush§h/db"),
  addressInTest("postgres://bob:p§hush#word§h/db"),
  addressInTest("https://me:hush§host:99999/x.git"),
  addressInTest("mysql://me:hush§host/db"),
];

describe("bough store add", () => {
  it("keeps a relative folder as an absolute one", async () => {
    const { cwd, store, added } = machine();
    expect(await store("add", "home", "Sync/bough")).toMatchObject({ code: 0 });
    expect(added()).toEqual([{ name: "home", address: join(cwd, "Sync/bough") }]);
    expect(existsSync(join(cwd, "Sync/bough/bough-store.json"))).toBe(true);
  });

  it("checks the name before it creates anything", async () => {
    const { base, cwd, store, added } = machine();
    await store("add", "home", join(base, "one"));
    const taken = await store("add", "home", "two");
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining("already set up") });
    expect((await store("add", "", "two")).stderr).toContain('Invalid store name: ""');
    expect((await store("add", "a b", "two")).stderr).toContain('Invalid store name: "a b"');
    expect(readdirSync(cwd)).toEqual([]);
    expect(added()).toHaveLength(1);
  });

  it("asks for what is missing, and says where the usage is", async () => {
    const { store, cwd } = machine();
    const usage = "For usage, run: bough store --help";
    expect((await store("add")).stderr).toMatch(/Which name and address\? For example: bough store add home/);
    const noAddress = await store("add", "work");
    expect(noAddress).toMatchObject({ code: 2, stderr: expect.stringContaining(usage) });
    expect(noAddress.stderr).toContain("Which address? For example: bough store add work ~/Sync/bough");
    for (const url of URLS) expect((await store("add", url)).stderr).toContain("Which name?");
    for (const args of [
      ["add", "a", "b", "hush"],
      ["list", "hush"],
      ["init", "a", "hush"],
      ["status", "a", "hush"],
    ])
      expect(await store(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining("Too many arguments") });
    expect((await store("remove")).stderr).toContain(usage);
    expect((await store("nonsense")).stderr).toContain(usage);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("never repeats an address that was given for a name", async () => {
    const { store, cwd, added } = machine();
    await store("add", "home", join(cwd, "..", "one"));
    for (const url of URLS) {
      expect((await store("add", url, "home")).stderr).toContain("The name comes first");
      expect((await store("remove", url)).stderr).toContain("name the store with --store");
      for (const action of ["status", "forget"])
        expect((await store(action, url)).stderr).toMatch(
          /This is an address; use the name of a store\n.*Stores: home/,
        );
      expect(await store(url)).toMatchObject({ code: 2 });
      for (const command of [
        ["sync", "--store", url],
        ["ls", `--store=${url}`],
      ]) {
        const { code, stdout, stderr } = await runCommand({ cwd }, command);
        expect({ code, said: (stdout + stderr).includes("hush") }).toEqual({ code: 1, said: false });
      }
    }
    expect((await store("status", join(added()[0]?.address as string))).stderr).toContain("It was added as home.");
    expect((await store("status", "nobody")).stderr).toContain("No store is called nobody");
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("says that a store was not added, and not that the next sync tries again", async () => {
    const { base, store, added } = machine();
    const file = join(base, "notes.txt");
    writeFileSync(file, "");
    for (const address of [
      ...URLS,
      addressInTest("postgres://me:hush§127.0.0.1:1/x"),
      addressInTest("https://me:hush§127.0.0.1:1/x"),
      file,
    ]) {
      const failed = await store("add", "home", address);
      expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("The store was not added.") });
      expect(failed.stderr).not.toContain("next sync");
    }
    expect((await store("add", "home", file)).stderr).toContain(`Not a folder: ${file}`);
    expect((await store("init", addressInTest("postgres://me:hush§127.0.0.1:1/x"))).stderr).not.toContain("next sync");
    expect(added()).toEqual([]);
  });

  it("names the second store in what to do next", async () => {
    const { base, store } = machine();
    expect((await store("add", "home", join(base, "one"))).stdout).toMatch(/: bough sync\n/);
    expect((await store("add", "pg", join(base, "two"))).stdout).toMatch(/: bough sync --store pg\n/);
  });

  it("lists a store whose address is not one", async () => {
    const { home, store } = machine();
    mkdirSync(home);
    const stores = URLS.map((address, n) => ({ name: `s${n}`, address }));
    writeFileSync(join(home, "stores.json"), JSON.stringify({ stores }));
    expect(await store("list")).toMatchObject({ code: 0, stdout: expect.stringContaining("postgres://bob@h/db") });
    expect((await store("list", "--json")).stdout).toContain('"kind":"unknown"');
    expect(await store("status", "s3")).toMatchObject({ code: 1 });
  });
});

describe("an encrypted store", () => {
  it("is added only with its passphrase, and a plain one only without", async () => {
    const { base, cwd, store, added } = machine();
    const [sealed, plain] = [join(base, "sealed"), join(base, "plain")];
    expect((await store("add", "a", sealed, "--encrypt")).stderr).toContain("BOUGH_STORE_PASSPHRASE");
    vi.stubEnv("BOUGH_STORE_PASSPHRASE", "correct horse hush");
    expect(await store("add", "a", sealed, "--encrypt")).toMatchObject({ code: 0 });
    expect(await store("add", "b", plain)).toMatchObject({ code: 0 });
    const { SessionManager } = await import("@bough/session/session/index.js");
    const session = SessionManager.continueRecent(cwd);
    session.appendMessage({ role: "user", content: "first", timestamp: 1 });
    session.close();
    for (const name of ["a", "b"]) expect((await runCommand({ cwd }, ["sync", "--store", name])).code).toBe(0);
    expect((await store("add", "c", sealed)).stderr).toMatch(
      /sealed is encrypted\n {2}The store was not added\. Set BOUGH_STORE_PASSPHRASE and pass --encrypt\./,
    );
    expect((await store("add", "c", plain, "--encrypt")).stderr).toMatch(
      /plain is not encrypted\n {2}The store was not added\. Leave out --encrypt\./,
    );
    vi.stubEnv("BOUGH_STORE_PASSPHRASE", "battery staple hush");
    expect((await store("add", "c", sealed, "--encrypt")).stderr).toMatch(
      /Wrong passphrase for .*sealed\n {2}The store was not added\./,
    );
    expect(added().map(({ name }) => name)).toEqual(["a", "b"]);
  });
});

describe("bough store init and name", () => {
  it("means the store of that name, and makes no folder of it", async () => {
    const { base, cwd, store } = machine();
    await store("add", "home", join(base, "one"));
    expect((await store("init", "home")).stdout).toBe(`Ready: home, ${join(base, "one")}\n`);
    expect(readdirSync(cwd)).toEqual([]);
    expect((await store("init", "./home")).stdout).toBe(`Ready: ${join(cwd, "home")}\n`);
  });

  it("gives a machine a name of one line and at most 64 characters", async () => {
    const { store } = machine();
    const long = "ä".repeat(64);
    expect((await store("name", `  ${long} `)).stdout).toBe(`This machine is called ${long}.\n`);
    for (const bad of [`${long}x`, "a\nb", "a\u0007b", "a\u001b[1mb", "a\u202eb"])
      expect(await store("name", bad)).toMatchObject({ code: 2, stdout: "" });
    expect((await store("name")).stdout).toBe(`This machine is called ${long}.\n`);
  });
});
