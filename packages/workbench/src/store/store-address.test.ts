import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addressInTest } from "../../../../test/support/address-in-test.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { initStore, openStore } from "./open-store.js";
import { withoutPassword } from "./postgres/address.js";
import { absoluteAddress, shownAddress, storeKind } from "./store-address.js";

describe("storeKind", () => {
  it.each([
    ["postgres://h/db", "postgres"],
    ["PostgreSQL://h/db", "postgres"],
    ["https://github.com/me/sessions", "git"],
    ["HTTP://host/x", "git"],
    ["ssh://git@host/x", "git"],
    ["git://host/x", "git"],
    ["git+https://host/x", "git"],
    ["git+file:///srv/x", "git"],
    ["git@host:team/x", "git"],
    ["/srv/x.git", "git"],
    ["file:///srv/x.git", "git"],
    ["file:///srv/x", "folder"],
    ["FILE:///srv/x", "folder"],
    ["file:/srv/x", "folder"],
    ["/srv/x", "folder"],
    ["C:/x", "folder"],
    ["a@b/x", "folder"],
  ])("takes %s for %s", (address, kind) => {
    expect(storeKind(address)).toBe(kind);
  });

  it.each(["ext::sh -c id", "fd::17", "Transport::x/y.git"])(
    "refuses %s, which git would run a program for",
    (address) => {
      expect(() => storeKind(address)).toThrow(expect.objectContaining({ code: "store-unknown" }));
    },
  );

  it.each(["postgre", "mysql", "postgresql+ssl", "s3", "MySQL"])(
    "refuses %s:// by name, and creates nothing",
    async (scheme) => {
      const base = tempFolder();
      const home = join(base, "home");
      mkdirSync(home);
      const address = `${scheme}://me:hush@host/db`;
      for (const use of [() => initStore(address), () => openStore(address, { home })]) {
        const error = await use().catch((reason: unknown) => reason);
        expect(error).toMatchObject({
          code: "store-unknown",
          message: expect.stringContaining(`${scheme.toLowerCase()}://…`),
        });
        expect(JSON.stringify(error) + String(error)).not.toMatch(/hush|host/);
      }
      expect(shownAddress(address)).not.toMatch(/hush/);
    },
  );

  it("refuses an address without its slashes instead of making a folder of it", () => {
    expect(() => storeKind("postgres:me:hush@host/db")).toThrow(
      expect.objectContaining({ code: "store-unknown", message: expect.not.stringContaining("hush") }),
    );
  });
});

describe("shownAddress", () => {
  it.each([
    [addressInTest("https://me:hush§host:99999/x.git"), "https://host:99999/x.git"],
    [addressInTest("https://me:pa/hush§host/x.git"), "https://host/x.git"],
    [addressInTest("https://me:hush#1§host/x.git"), "https://host/x.git"],
    [addressInTest("https://me:12/hush§host/x.git"), "https://host/x.git"],
    [addressInTest("ssh://me:hush§host:22x/a.git"), "ssh://host:22x/a.git"],
    [addressInTest("postgres://me:12/hush§host/db"), "postgres://host/db"],
    [addressInTest("postgres://bob:p§hush#word§h/db"), "postgres://h/db"],
    [addressInTest("postgres://bob:p§hush§h:5432/db"), "postgres://bob@h:5432/db"],
    [addressInTest("postgres://bob:a?hush§h/db"), "postgres://h/db"],
    [addressInTest("postgres://bob:a?b=hush§h/db"), "postgres://…"],
    ["postgres://bob:hush", "postgres://bob…"],
    [
      "postgres://bob@h/db?sslmode=require&password=hush@x&sslpassword=hush#hush",
      "postgres://bob@h/db?sslmode=require&password=…&sslpassword=…",
    ],
    [addressInTest("postgres://bob:pw§h/db?password=a§hush"), "postgres://bob@h/db?password=…"],
    ["https://host/x.git?token=hush", "https://host/x.git?token=…"],
    ["https://hush@host:8443/x.git", "https://host:8443/x.git"],
    ["https://host:443/team/x.git", "https://host:443/team/x.git"],
    [addressInTest("git+https://me:hush§host/x"), "https://host/x"],
    [addressInTest("ssh://git:hush§host:2222/a.git"), "ssh://git@host:2222/a.git"],
    ["git@host:team/x.git", "git@host:team/x.git"],
    ["me:hush@host:x.git", "me@host:x.git"],
    ["file:///srv/x", "/srv/x"],
    ["/srv/a@b:c", "/srv/a@b:c"],
  ])("shows %s as %s", (address, shown) => {
    expect(shownAddress(address)).toBe(shown);
  });
});

describe("an address that is not valid", () => {
  it.each([
    addressInTest("https://me:hush§host:99999/x.git"),
    addressInTest("https://me:pa/hush§host/x.git"),
    addressInTest("https://me:hush#1§host/x.git"),
    addressInTest("https://me:12/hush§host.example.com/x.git"),
    addressInTest("ssh://me:hush§host:22x/a.git"),
    addressInTest("postgres://me:12/hush§host/db"),
    addressInTest("postgres://bob:p§hush#word§h/db"),
    addressInTest("postgres://bob:12?hush§h/db"),
  ])("is refused with what to do about a password: %s", async (address) => {
    const error = await openStore(address, { home: tempFolder() }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "store-unknown", hint: expect.stringContaining("percent-encoded") });
    expect(JSON.stringify(error) + String(error)).not.toContain("hush");
  });

  it.each([
    addressInTest("postgres://bob:p%40ss§h/db"),
    "postgres:///db?host=/tmp&user=me@corp",
    addressInTest("postgres://u:p§h/db?options=a§b"),
  ])("is not %s", (address) => {
    expect(withoutPassword(address)).toMatch(/^postgres:\/\//);
  });

  it("is a file's: nothing is created", async () => {
    const base = tempFolder();
    const file = join(base, "notes.txt");
    writeFileSync(file, "notes");
    await expect(initStore(file)).rejects.toMatchObject({ message: `Not a folder: ${file}` });
    await expect(openStore(file, { home: join(base, "home") })).rejects.toMatchObject({ code: "store-unknown" });
    await expect(initStore(addressInTest("file://me:hush§host/x"))).rejects.toMatchObject({
      code: "store-unknown",
      message: expect.not.stringContaining("hush"),
    });
    expect(readdirSync(base).filter((name) => name !== "home")).toEqual(["notes.txt"]);
  });
});

describe("absoluteAddress", () => {
  it.each([
    ["Sync/bough", "/projects/Sync/bough"],
    ["../x.git", "/x.git"],
    ["git+x", "git+/projects/x"],
    ["~/Sync", join(homedir(), "Sync")],
    [" /srv/x ", "/srv/x"],
    ["git@host:x.git", "git@host:x.git"],
    ["postgres://h/db", "postgres://h/db"],
    ["file:///srv/x", "file:///srv/x"],
  ])("makes %s of %s", (typed, address) => {
    expect(absoluteAddress(typed, "/projects")).toBe(address);
  });
});
