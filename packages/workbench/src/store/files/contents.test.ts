import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FILES_TYPE, type FileState } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type BlobSource, type BlobStore, hashOf, planFiles } from "../../checkpoint/index.js";
import { setBlobSource } from "../../checkpoint/internal.js";
import { contentsOfStores } from "../contents-of-stores.js";
import { FolderStore } from "../folder/folder-store.js";
import { addStore } from "../named-stores.js";
import { SealedStore } from "../sealed-store.js";
import type { Store } from "../store.js";
import { damageContents, replicaNamed } from "../store-contract.test-support.js";
import { syncSession } from "../sync/sync-session.js";
import { SyncStates } from "../sync/sync-state.js";
import { contentsAt } from "./named-contents.js";

const ID = "5e551011-0000-4000-8000-0000000000ff";
const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

/** Two machines with a folder each, and a store that both use. */
function place() {
  const folder = tempFolder();
  FolderStore.init(folder);
  const machine = async (name: string) => {
    const [home, cwd] = [tempFolder(), tempFolder()];
    const open = () => FolderStore.open({ folder, replica: replicaNamed(name), search: async () => [] });
    const blobsFrom = async (contents?: BlobSource) => (await contentsAt({ cwd, home, contents })) as BlobStore;
    const blobs = await blobsFrom();
    const file = join(home, "session.jsonl");
    const states = new SyncStates(home, "store");
    const sync = (options: Partial<Parameters<typeof syncSession>[0]> = {}) =>
      syncSession({ store: open(), states, sessionId: ID, file, cwd, ...options });
    return { home, cwd, blobs, blobsFrom, file, open, sync };
  };
  return { folder, machine };
}

const file = (text: string): FileState => ({ hash: hashOf(Buffer.from(text)), mode: "644", size: text.length });

/** A session in which a step wrote these files. */
async function record(
  { cwd, file: path, blobs }: { cwd: string; file: string; blobs: BlobStore },
  files: Readonly<Record<string, string>>,
  { long = false }: { readonly long?: boolean } = {},
) {
  const session = SessionManager.create(cwd, tempFolder(), { newSessionId: () => ID });
  session.setSessionFile(path);
  session.appendMessage({ role: "user", content: "write", timestamp: 1 });
  for (const text of Object.values(files)) await blobs.put(Buffer.from(text));
  const changes = Object.entries(files).map(([name, text]) => ({ path: name, before: null, after: file(text) }));
  const list = long ? { changes: [], changesIn: await blobs.put(Buffer.from(JSON.stringify(changes))) } : { changes };
  session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", tool: "write", ...list });
  session.close();
}

describe("contents of files", () => {
  it("go with the entries that name them, and come when one is needed", async () => {
    const { folder, machine } = place();
    const [laptop, desktop] = [await machine("laptop"), await machine("desktop")];
    await record(laptop, { "a.txt": "one", "b.txt": "two" });
    expect(await laptop.sync()).toMatchObject({ contents: { pushed: 2, fetched: 0, kept: [] } });
    await desktop.sync();
    const hash = hashOf(Buffer.from("one"));
    expect(desktop.blobs.has(hash)).toBe(false);
    await expect(desktop.blobs.get(hash)).rejects.toMatchObject({ code: "blob-missing" });
    addStore(desktop.home, { name: "home", address: folder });
    const store = await desktop.blobsFrom(contentsOfStores(desktop.home));
    const plan = await planFiles([{ path: "a.txt", expected: null, wanted: file("one"), byPerson: false }], {
      root: desktop.cwd,
      store,
    });
    expect(plan).toMatchObject({ files: [{ path: "a.txt" }], missing: [] });
    expect(String(await store.get(hash))).toBe("one");
    // The fetched content is kept here; the other one was not fetched with it.
    expect(String(await desktop.blobs.get(hash))).toBe("one");
    expect(desktop.blobs.has(hashOf(Buffer.from("two")))).toBe(false);
  });

  it("come all at once if that is asked for, also those of a long list", async () => {
    const { machine } = place();
    const [laptop, desktop] = [await machine("laptop"), await machine("desktop")];
    await record(laptop, { "a.txt": "one", "b.txt": "two" }, { long: true });
    await laptop.sync();
    expect(await desktop.sync({ everyFile: true })).toMatchObject({ contents: { pushed: 0, fetched: 3 } });
    for (const text of ["one", "two"]) expect(desktop.blobs.has(hashOf(Buffer.from(text)))).toBe(true);
    expect(await desktop.sync({ everyFile: true })).not.toHaveProperty("contents");
  });

  it("are in the store before the lines that name them: a push that breaks leaves no line without its files", async () => {
    const { machine } = place();
    const laptop = await machine("laptop");
    await record(laptop, { "a.txt": "one" });
    const store = laptop.open();
    vi.spyOn(store, "push").mockRejectedValueOnce(new Error("connection lost"));
    await expect(laptop.sync({ store })).rejects.toMatchObject({ code: "store-unreachable" });
    expect((await store.blobs.has([hashOf(Buffer.from("one"))])).size).toBe(1);
    expect(await store.head(ID)).toBeUndefined();
    expect((await laptop.sync({ store })).pushed).toBeGreaterThan(0);
    vi.spyOn(store.blobs, "put").mockRejectedValueOnce(new Error("connection lost"));
    await record({ ...laptop, file: join(laptop.home, "other.jsonl") }, { "a.txt": "other" });
    const before = (await store.head(ID))?.cursor;
    await expect(laptop.sync({ store, file: join(laptop.home, "other.jsonl") })).rejects.toMatchObject({
      code: "store-unreachable",
    });
    expect((await store.head(ID))?.cursor).toBe(before);
  });

  it("stay here if they may contain secrets, until they are allowed to leave; their session goes", async () => {
    const { machine } = place();
    const laptop = await machine("laptop");
    await record(laptop, { ".env": `TOKEN=${TOKEN}`, "a.txt": "one" });
    const { pushed, contents } = await laptop.sync();
    const hash = hashOf(Buffer.from(`TOKEN=${TOKEN}`));
    expect({ pushed, contents }).toEqual({
      pushed: 3,
      contents: { pushed: 1, fetched: 0, kept: [{ path: ".env", hash }] },
    });
    expect((await laptop.open().blobs.has([hash])).size).toBe(0);
    expect(await laptop.sync({ everyFile: true, files: "all" })).toMatchObject({ contents: { pushed: 1, kept: [] } });
    expect((await laptop.open().blobs.has([hash])).size).toBe(1);
  });

  it("do not travel if that is asked for", async () => {
    const { machine } = place();
    const laptop = await machine("laptop");
    await record(laptop, { "a.txt": "one" });
    expect(await laptop.sync({ files: "none", everyFile: true })).not.toHaveProperty("contents");
    expect((await laptop.open().blobs.has([hashOf(Buffer.from("one"))])).size).toBe(0);
  });

  it("with other bytes than their hash says are refused and named, and not kept", async () => {
    const { folder, machine } = place();
    const [laptop, desktop] = [await machine("laptop"), await machine("desktop")];
    await record(laptop, { "a.txt": "one" });
    await laptop.sync();
    damageContents(join(folder, "blobs"));
    await desktop.sync();
    const hash = hashOf(Buffer.from("one"));
    addStore(desktop.home, { name: "home", address: folder });
    const blobs = await desktop.blobsFrom(contentsOfStores(desktop.home));
    await expect(blobs.get(hash)).rejects.toMatchObject({ hint: expect.stringContaining(hash.slice(0, 12)) });
    await expect(desktop.sync({ everyFile: true })).rejects.toMatchObject({ code: "store-damaged" });
    // A source that does not check contents is not trusted either.
    const strange = await desktop.blobsFrom({ get: async () => Buffer.from("other bytes") });
    await expect(strange.get(hash)).rejects.toMatchObject({ code: "blob-damaged", data: { hash } });
    expect(desktop.blobs.has(hash)).toBe(false);
  });

  it("come from the source of the one that asks; one without a source asks that of the process, if there is one", async () => {
    const { machine } = place();
    const { blobsFrom } = await machine("laptop");
    const hash = hashOf(Buffer.from("one"));
    const asked: string[] = [];
    const source = (name: string, text?: string): BlobSource => ({
      get: async () => {
        asked.push(name);
        return text === undefined ? undefined : Buffer.from(text);
      },
    });
    try {
      setBlobSource(source("process"));
      for (const blobs of [await blobsFrom(source("own")), await blobsFrom()]) {
        await expect(blobs.get(hash)).rejects.toMatchObject({ code: "blob-missing" });
      }
      expect(asked).toEqual(["own", "process"]);
    } finally {
      setBlobSource(undefined);
    }
    await expect((await blobsFrom()).get(hash)).rejects.toMatchObject({ code: "blob-missing" });
    expect(String(await (await blobsFrom(source("own", "one"))).get(hash))).toBe("one");
    expect(asked).toEqual(["own", "process", "own"]);
  });

  it("of an unreachable store are missing, and the hint says why", async () => {
    const { folder, machine } = place();
    const desktop = await machine("desktop");
    addStore(desktop.home, { name: "home", address: folder });
    const blobs = await desktop.blobsFrom(contentsOfStores(desktop.home));
    rmSync(folder, { recursive: true });
    const hash = hashOf(Buffer.from("one"));
    await expect(blobs.get(hash)).rejects.toMatchObject({
      code: "blob-missing",
      hint: expect.stringContaining("could not be fetched"),
    });
    expect(await blobs.condition(hash)).toBe("missing");
  });

  it("of an encrypted store cannot be read there, nor can their hashes", async () => {
    const { folder, machine } = place();
    const [laptop, desktop] = [await machine("laptop"), await machine("desktop")];
    const text = "very private words ".repeat(20);
    await record(laptop, { "a.txt": text });
    const sealed = (inner: Store) => new SealedStore(inner, { passphrase: "correct horse", search: async () => [] });
    await laptop.sync({ store: sealed(laptop.open()) });
    const names = readdirSync(join(folder, "blobs"), { recursive: true, encoding: "utf8" });
    expect(names.join()).not.toContain(hashOf(Buffer.from(text)).slice(2));
    for (const item of readdirSync(join(folder, "blobs"), { recursive: true, withFileTypes: true }))
      if (item.isFile()) expect(readFileSync(join(item.parentPath, item.name)).includes("private")).toBe(false);
    expect(await desktop.sync({ store: sealed(desktop.open()), everyFile: true })).toMatchObject({
      contents: { fetched: 1 },
    });
  });
});
