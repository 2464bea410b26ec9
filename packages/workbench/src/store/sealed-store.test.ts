import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { FolderStore } from "./folder/folder-store.js";
import { GitStore } from "./git/git-store.js";
import { testPassphrases } from "./passphrase-contract.test-support.js";
import { PlainStore } from "./plain-store.js";
import { SealedStore } from "./sealed-store.js";
import { searchMirror } from "./search-mirror.js";
import type { Store } from "./store.js";
import { damageContents, describeStore, replicaNamed } from "./store-contract.test-support.js";

const made: string[] = [];
afterAll(() => {
  for (const one of made) rmSync(one, { recursive: true, force: true });
});
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "bough-sealed-"));
  made.push(folder);
  return folder;
}
function sealed(folder: string, name: string, passphrase = "correct horse"): SealedStore {
  const home = temporary();
  const search = async () => [];
  const inner = FolderStore.open({ folder, replica: replicaNamed(name), search, pollMs: 5 });
  return new SealedStore(inner, { passphrase, search: (store, query) => searchMirror(store, query, home) });
}

let current = "";
describeStore("encrypted", {
  writers: 3,
  pushes: 3,
  newStore: async () => {
    const folder = temporary();
    current = folder;
    FolderStore.init(folder);
    return async (replica) => sealed(folder, replica.name);
  },
  damage: async () => damageContents(join(current, "blobs")),
});

testPassphrases("folder", async () => {
  const folder = temporary();
  FolderStore.init(folder);
  return async (replica) => FolderStore.open({ folder, replica, search: async () => [], pollMs: 5 });
});
testPassphrases("git", async () => {
  const remote = join(temporary(), "store.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  const homes = new Map<string, string>();
  return async (replica) => {
    const home = homes.get(replica.id) ?? temporary();
    homes.set(replica.id, home);
    return GitStore.open({ remote, replica, home, search: async () => [] });
  };
});

it("leaves nothing readable in the store, and opens with the passphrase alone", async () => {
  const folder = temporary();
  FolderStore.init(folder);
  const line = Buffer.from(
    '{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"very private"}}',
  );
  const store = sealed(folder, "a");
  await store.push("s", [line], { title: "private title", cwd: "/private/folder" });
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.jsonl?$/.test(name));
  for (const name of files) expect(readFileSync(join(folder, name), "utf8")).not.toContain("private");
  expect(await store.head("s")).toMatchObject({ title: "private title", cwd: "/private/folder" });
  const wrong = sealed(folder, "b", "wrong horse");
  await expect(wrong.list()).rejects.toMatchObject({ code: "wrong-passphrase" });
  await expect(wrong.pull("s").next()).rejects.toMatchObject({ code: "wrong-passphrase" });
});

const entry = (id: string) => Buffer.from(`{"type":"custom","id":"${id}","parentId":null,"customType":"x"}`);
const pulled = async (store: Store, id: string) => {
  const lines: string[] = [];
  for await (const piece of store.pull(id))
    lines.push(...piece.lines.map(({ bytes }) => Buffer.from(bytes).toString()));
  return lines;
};

it("takes nothing with another passphrase or none, and gives nothing", async () => {
  const folder = temporary();
  FolderStore.init(folder);
  const store = sealed(folder, "a");
  await store.push("s", [entry("1")], { title: "private" });
  const wrong = sealed(folder, "b", "wrong horse");
  for (const id of ["s", "new"])
    await expect(wrong.push(id, [entry("2")], { title: "x" })).rejects.toMatchObject({ code: "wrong-passphrase" });
  await expect(wrong.blobs.put([])).rejects.toMatchObject({ code: "wrong-passphrase" });
  const plain = () => new PlainStore(FolderStore.open({ folder, replica: replicaNamed("c"), search: async () => [] }));
  await expect(plain().push("new", [entry("2")])).rejects.toMatchObject({ code: "passphrase-missing" });
  await expect(plain().list()).rejects.toMatchObject({ code: "passphrase-missing" });
  await expect(pulled(plain(), "s")).rejects.toMatchObject({ code: "passphrase-missing" });
  expect((await store.list()).map(({ id, title }) => ({ id, title }))).toEqual([{ id: "s", title: "private" }]);
});

it("is not for a store that has sessions already that are not encrypted", async () => {
  const folder = temporary();
  FolderStore.init(folder);
  const plain = new PlainStore(FolderStore.open({ folder, replica: replicaNamed("a"), search: async () => [] }));
  await plain.push("s", [entry("1")]);
  await expect(sealed(folder, "b").push("s", [entry("2")])).rejects.toMatchObject({ code: "store-damaged" });
  expect(await pulled(plain, "s")).toEqual([entry("1").toString()]);
});

it("skips torn lines and those written without the passphrase", async () => {
  const folder = temporary();
  FolderStore.init(folder);
  const store = sealed(folder, "a");
  await store.push("s", [entry("1")]);
  const [file = ""] = readdirSync(join(folder, "sessions", "s")).filter((name) => name.endsWith(".jsonl"));
  appendFileSync(join(folder, "sessions", "s", file), `${entry("forged")}\n{"type":"sealed","id":"x","par`);
  await store.push("s", [entry("2")], { title: "t" });
  const lines = (await pulled(store, "s")).filter(Boolean);
  expect(lines).toEqual([entry("1").toString(), entry("2").toString()]);
});
