import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hasSmallDisks, smallDisk } from "../../../../../test/support/small-disk.js";
import { hashOf } from "../../checkpoint/index.js";
import { searchMirror } from "../search-mirror.js";
import type { Replica } from "../store.js";
import { damageContents, describeStore, header, replicaNamed } from "../store-contract.test-support.js";
import { folderError } from "./folder-error.js";
import { FolderStore } from "./folder-store.js";

const made: string[] = [];
afterAll(() => {
  for (const one of made) rmSync(one, { recursive: true, force: true });
});
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "bough-folder-store-"));
  made.push(folder);
  return folder;
}
function opener() {
  const folder = temporary();
  FolderStore.init(folder);
  const open = (replica: Replica) => {
    const home = temporary();
    return FolderStore.open({ folder, replica, search: (store, query) => searchMirror(store, query, home), pollMs: 5 });
  };
  return { folder, open };
}

describeStore("folder", {
  newStore: async () => async (replica) => opened(replica),
  damage: async () => damageContents(join(current.folder, "blobs")),
});
let current = opener();
function opened(replica: Replica) {
  if (replica.name === "laptop") current = opener();
  return current.open(replica);
}

it("does not take a folder that cannot be read for an empty one", async () => {
  const { folder, open } = opener();
  const store = open(replicaNamed("laptop"));
  expect(await store.list()).toEqual([]);
  const sessions = join(folder, "sessions");
  rmSync(sessions, { recursive: true, force: true });
  symlinkSync(sessions, sessions);
  await expect(store.list()).rejects.toMatchObject({ code: "store-unreachable" });
});

const line = (id: string) =>
  Buffer.from(`{"type":"custom","id":"${id}","parentId":null,"timestamp":"t","customType":"x"}`);
const idsIn = async (store: FolderStore, session: string) => {
  const ids: string[] = [];
  for await (const { lines } of store.pull(session))
    for (const { bytes } of lines) ids.push(JSON.parse(Buffer.from(bytes).toString()).id);
  return ids;
};
const longLine = (id: string) =>
  Buffer.from(JSON.stringify({ type: "custom", id, parentId: null, timestamp: "t", text: "x".repeat(80 << 10) }));
async function linesIn(store: FolderStore): Promise<string[]> {
  const lines: string[] = [];
  for await (const piece of store.pull("s")) lines.push(...piece.lines.map(({ bytes }) => bytes.toString()));
  return lines;
}

describe("a folder that something else syncs", () => {
  it("has private files, each written by one replica", async () => {
    const { folder, open } = opener();
    await open(replicaNamed("a")).push("s", [header("s")]);
    await open(replicaNamed("b")).push("s", [line("1")]);
    const files = readdirSync(join(folder, "sessions", "s"));
    expect(files.filter((name) => name.endsWith(".jsonl"))).toHaveLength(2);
    for (const name of files) expect(statSync(join(folder, "sessions", "s", name)).mode & 0o077).toBe(0);
  });

  it("reads conflict copies, and waits for the rest of a half file", async () => {
    const { folder, open } = opener();
    const a = open(replicaNamed("a"));
    await a.push("s", [line("1"), line("2")]);
    const file = join(folder, "sessions", "s", `${a.replica.id}.jsonl`);
    copyFileSync(file, file.replace(".jsonl", ".sync-conflict-20260101-AAAA.jsonl"));
    appendFileSync(
      file.replace(".jsonl", ".sync-conflict-20260101-AAAA.jsonl"),
      `${line("3")}\n${line("4").subarray(0, 20)}`,
    );
    const b = open(replicaNamed("b"));
    expect([...new Set(await idsIn(b, "s"))].sort()).toEqual(["1", "2", "3"]);
  });

  it("starts a fresh line after one that a killed writer left torn", async () => {
    const { folder, open } = opener();
    const a = open(replicaNamed("a"));
    await a.push("s", [line("1")]);
    appendFileSync(join(folder, "sessions", "s", `${a.replica.id}.jsonl`), '{"type":"cus');
    await open(replicaNamed("a")).push("s", [line("2")]);
    expect(readFileSync(join(folder, "sessions", "s", `${a.replica.id}.jsonl`), "utf8").split("\n")).toHaveLength(4);
  });

  it.skipIf(!hasSmallDisks)(
    "says that a folder is full, or may not be written to, and takes the line later",
    async () => {
      const folder = join(smallDisk("256k"), "store");
      FolderStore.init(folder);
      const a = FolderStore.open({ folder, replica: replicaNamed("a"), search: async () => [] });
      const filler = join(folder, "filler");
      writeFileSync(filler, Buffer.alloc(180 << 10));
      await expect(a.push("s", [longLine("1")])).rejects.toMatchObject({ code: "store-full" });
      rmSync(filler);
      expect(await a.push("s", [longLine("1")])).toMatchObject({ added: 1 });
      const whole = longLine("1").toString();
      expect((await linesIn(a)).filter((one) => one === whole)).toHaveLength(1);
      for (const code of ["EROFS", "EACCES", "EPERM"])
        expect(folderError(Object.assign(new Error(code), { code }), folder)).toMatchObject({
          code: "store-read-only",
        });
    },
  );

  it("says what is wrong with a folder that is gone, newer or not a store", async () => {
    const { folder, open } = opener();
    const store = open(replicaNamed("a"));
    expect(() => FolderStore.open({ folder: temporary(), replica: replicaNamed("a"), search: async () => [] })).toThrow(
      expect.objectContaining({ code: "store-not-set-up" }),
    );
    writeFileSync(join(folder, "bough-store.json"), '{"bough":"store","v":99}');
    expect(() => open(replicaNamed("b"))).toThrow(expect.objectContaining({ code: "store-newer" }));
    rmSync(folder, { recursive: true });
    await expect(store.list()).rejects.toMatchObject({ code: "store-unreachable" });
    chmodSync(made[0] as string, 0o700);
  });

  it("neither reads nor writes through links, and is not stopped by a folder with the name of a file", async () => {
    const { folder, open } = opener();
    const a = open(replicaNamed("a"));
    await a.push("s", [line("1")]);
    const there = join(folder, "sessions", "s");
    mkdirSync(join(there, "odd.jsonl"));
    const outside = join(temporary(), "outside.jsonl");
    writeFileSync(outside, `${line("outside")}\n`);
    symlinkSync(outside, join(there, "link.jsonl"));
    const b = open(replicaNamed("b"));
    symlinkSync(outside, join(there, `${b.replica.id}.jsonl`));
    expect(await linesIn(a)).toEqual([line("1").toString()]);
    await expect(b.push("s", [line("2")])).rejects.toMatchObject({ name: "StoreError" });
    expect(readFileSync(outside, "utf8")).toBe(`${line("outside")}\n`);
  });

  it("takes a content again of which only an empty file is there", async () => {
    const { folder, open } = opener();
    const [a, b] = [open(replicaNamed("a")), open(replicaNamed("b"))];
    const content = Buffer.from("text");
    const hash = hashOf(content);
    await a.blobs.put([{ hash, content }]);
    const path = join(folder, "blobs", a.replica.id, hash.slice(0, 2), hash.slice(2));
    writeFileSync(path, "");
    expect(await b.blobs.has([hash])).toEqual(new Set());
    await a.blobs.put([{ hash, content }]);
    expect(await b.blobs.get(hash)).toEqual(content);
  });
});
