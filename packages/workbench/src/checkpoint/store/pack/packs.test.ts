/**
 * Small contents share files. Whatever happens to such a file, stored contents are found and nothing else is returned.
 */
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { ownerMark } from "@bough/session/log/index.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sampledStep } from "../../../../../../test/support/sampled.js";
import { ageContent, damageContent } from "../../../../../../test/support/stored-contents.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { BlobStore, hashOf } from "../blob-store.js";
import { collectGarbage } from "../collect-garbage.js";
import { Packs } from "./packs.js";

const LONG_AGO = new Date("2020-01-01T00:00:00Z");
/** The mark of a process that has ended. */
const GONE = ownerMark().replace(/-[0-9a-f]{8}-/, "-00000000-");

/** The store as another process sees it: with nothing that only this process knows. */
function another(folder: string): BlobStore {
  views += 1;
  return new BlobStore(`${folder}${"/.".repeat((views % 300) + 1)}`);
}
let views = 0;

/** Writes everything to the files, and makes it look as if the process that did so has ended. */
function leave(folder: string): void {
  Packs.of(folder).writer.leave();
  const packs = join(folder, "packs");
  for (const name of readdirSync(packs)) {
    if (name.endsWith(".own")) renameSync(join(packs, name), join(packs, `${name.split(".")[0]}.${GONE}.own`));
  }
}

function fileIn(folder: string, end: string): string {
  const [name] = readdirSync(join(folder, "packs")).filter((one) => one.endsWith(end));
  return join(folder, "packs", name ?? "missing");
}

/** A store with these contents in one pack. */
async function packOf(contents: readonly Uint8Array[], folder = join(tempFolder(), "store")) {
  const store = new BlobStore(folder);
  const hashes = [];
  for (const content of contents) hashes.push(await store.put(content));
  Packs.of(folder).writer.rest();
  const ends = hashes.map((hash) => {
    const { pack, n } = Packs.of(folder).find(hash) ?? {};
    const { offset = 0, length = 0 } = pack?.table.row(n ?? 0) ?? {};
    return offset + length;
  });
  return { folder, store, hashes, ends };
}

/** A copy with other bytes as its pack, and optionally an index. */
function copyWith(folder: string, bytes: Uint8Array, index?: Uint8Array): string {
  const copy = join(tempFolder(), "store");
  mkdirSync(join(copy, "packs"), { recursive: true });
  const id = fileIn(folder, ".pack").slice(0, -".pack".length).slice(-16);
  writeFileSync(join(copy, "packs", `${id}.pack`), bytes);
  writeFileSync(join(copy, "packs", `${id}.${GONE}.own`), "");
  if (index !== undefined) writeFileSync(join(copy, "packs", `${id}.idx`), index);
  return copy;
}

/** Incompressible bytes, the same on every run. */
function noise(length: number): Buffer {
  return createHash("shake256", { outputLength: length }).update(String(length)).digest();
}

const SAMPLES = [
  "",
  "a",
  "the same again and again ".repeat(20),
  "bpk1 looks like the start of a record",
  noise(60).toString("latin1"),
  "last\n",
].map((text) => Buffer.from(text, "latin1"));

test("contents of any bytes can be read again, here and in a later process", async () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.integer({ min: 30_000, max: 60_000 }).map(noise),
    fc.string({ maxLength: 2000 }).map((text) => Buffer.from(text)),
    fc.string({ maxLength: 20 }).map((text) => Buffer.from(text.repeat(3000))),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(content, { maxLength: 12 }), async (contents) => {
      const { folder, store, hashes } = await packOf(contents);
      const later = another(folder);
      for (const [at, hash] of hashes.entries()) {
        const wanted = Buffer.from(contents[at] ?? []);
        const got = [await store.get(hash), await later.get(hash)];
        expect([...got.map((one) => one.equals(wanted)), later.has(hash)]).toEqual([true, true, true]);
      }
    }),
    { numRuns: 25 },
  );
});

test("a pack that ends anywhere has what was whole by then, and is continued", async () => {
  // A file of the store itself, as a project may contain: records inside a content do not count.
  const { folder: inner } = await packOf(SAMPLES.slice(0, 3));
  const contents = [...SAMPLES, readFileSync(fileIn(inner, ".pack")), Buffer.from("behind")];
  const { folder, hashes, ends } = await packOf(contents);
  const bytes = readFileSync(fileIn(folder, ".pack"));
  const index = readFileSync(fileIn(folder, ".idx"));
  for (let length = 0; length <= bytes.length; length += sampledStep(5)) {
    // Also with an index that covers more than the file has, or an incomplete index.
    const known = [undefined, index, index.subarray(0, length % index.length)][length % 3];
    const copy = copyWith(folder, bytes.subarray(0, length), known);
    const store = new BlobStore(copy);
    const more = Buffer.from(`more ${length}`);
    await store.put(more);
    expect(readdirSync(join(copy, "packs")).filter((name) => name.endsWith(".pack"))).toHaveLength(1);
    const later = another(copy);
    for (const [at, hash] of hashes.entries()) {
      const isWhole = (ends[at] ?? 0) <= length;
      if (store.has(hash) !== isWhole || later.has(hash) !== isWhole) throw new Error(`${at} at ${length}`);
      if (isWhole) expect(await later.get(hash)).toEqual(contents[at]);
      else await expect(later.get(hash)).rejects.toMatchObject({ code: "blob-missing" });
    }
    expect(await later.get(hashOf(more))).toEqual(more);
  }
});

test("a byte of a pack that changed never gives out another content, and leaves the others alone", async () => {
  const { folder, hashes, ends } = await packOf(SAMPLES);
  const bytes = readFileSync(fileIn(folder, ".pack"));
  const index = readFileSync(fileIn(folder, ".idx"));
  for (let at = 0; at < bytes.length; at += sampledStep(3)) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ (1 << (at % 8));
    const store = new BlobStore(copyWith(folder, changed, at % 2 === 0 ? index : undefined));
    const hit = ends.findIndex((end) => at < end);
    for (const [n, hash] of hashes.entries()) {
      const got = await store.get(hash).catch((error: { code?: string }) => error.code);
      if (n !== hit) expect(got).toEqual(SAMPLES[n]);
      // Some bits of a header have no meaning.
      else if (Buffer.isBuffer(got)) expect(got).toEqual(SAMPLES[n]);
      else expect(got).toMatch(/^blob-(damaged|missing)$/);
    }
  }
});

test("an index that is missing, cut off or changed anywhere hides nothing", async () => {
  const { folder, hashes } = await packOf(SAMPLES);
  const bytes = readFileSync(fileIn(folder, ".pack"));
  const index = readFileSync(fileIn(folder, ".idx"));
  for (let at = 0; at < index.length; at += sampledStep(3)) {
    const changed = Buffer.from(index);
    changed[at] = (changed[at] as number) ^ 0xff;
    for (const other of [index.subarray(0, at), changed]) {
      const store = new BlobStore(copyWith(folder, bytes, other));
      for (const [n, hash] of hashes.entries()) expect(await store.get(hash)).toEqual(SAMPLES[n]);
    }
  }
});

test("an index that was lost is written again by the next process that stores something", async () => {
  const { folder, hashes } = await packOf(SAMPLES);
  const index = readFileSync(fileIn(folder, ".idx"));
  const copy = copyWith(folder, readFileSync(fileIn(folder, ".pack")));
  await new BlobStore(copy).put(Buffer.from("more"));
  Packs.of(copy).writer.rest();
  expect(statSync(fileIn(copy, ".idx")).size).toBeGreaterThan(index.length);
  // With the contents overwritten, only the index can tell what is there.
  const pack = fileIn(copy, ".pack");
  writeFileSync(pack, Buffer.alloc(statSync(pack).size));
  const later = another(copy);
  expect(hashes.every((hash) => later.has(hash))).toBe(true);
});

test("packs are private, and the next process continues the one of the last", async () => {
  const { folder } = await packOf(SAMPLES);
  leave(folder);
  const later = another(folder);
  const hash = await later.put(Buffer.from("of the next process"));
  const names = readdirSync(join(folder, "packs"));
  expect(names.filter((name) => name.endsWith(".pack"))).toHaveLength(1);
  for (const name of names) expect(statSync(join(folder, "packs", name)).mode & 0o777).toBe(0o600);
  expect((await another(folder).get(hash)).toString()).toBe("of the next process");
});

test("a pack that is full is left for another one", async () => {
  const { folder, hashes } = await packOf(SAMPLES);
  leave(folder);
  truncateSync(fileIn(folder, ".pack"), 64 * 1024 * 1024);
  const later = another(folder);
  const hash = await later.put(Buffer.from("more"));
  expect(readdirSync(join(folder, "packs")).filter((name) => name.endsWith(".pack"))).toHaveLength(2);
  for (const one of [...hashes, hash]) expect(another(folder).has(one)).toBe(true);
});

test("all who use a store in one process see what any of them stores", async () => {
  const { folder, store } = await packOf([]);
  const other = new BlobStore(folder);
  const hash = await store.put(Buffer.from("mine"));
  expect([other.has(hash), (await other.get(hash)).toString()]).toEqual([true, "mine"]);
});

test("a store that is deleted while it is used begins again", async () => {
  const { folder, store, hashes } = await packOf(SAMPLES);
  rmSync(folder, { recursive: true });
  expect(store.has(hashes[2] as string)).toBe(false);
  for (const content of SAMPLES) await store.put(content);
  for (const hash of hashes) expect(await another(folder).condition(hash)).toBe("whole");
});

test("contents in separate files, as older versions wrote them, count like any other", async () => {
  const folder = join(tempFolder(), "store");
  const old = Buffer.from("stored by an older version");
  const path = join(folder, hashOf(old).slice(0, 2), hashOf(old).slice(2));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, deflateRawSync(old));
  const { store, hashes } = await packOf(SAMPLES, folder);
  expect([store.has(hashOf(old)), (await store.get(hashOf(old))).toString()]).toEqual([true, old.toString()]);
  const before = statSync(fileIn(folder, ".pack")).size;
  await store.put(old);
  expect(statSync(fileIn(folder, ".pack")).size).toBe(before);
  writeFileSync(path, "damaged");
  await another(folder).put(old, { checked: true });
  expect((await another(folder).get(hashOf(old))).toString()).toBe(old.toString());
  for (const [n, hash] of hashes.entries()) expect(await another(folder).get(hash)).toEqual(SAMPLES[n]);
});

test("a damaged content is stored again by a process that has it", async () => {
  const { folder, store, hashes } = await packOf(SAMPLES);
  const hash = hashes[2] as string;
  damageContent(store, hash);
  const later = another(folder);
  expect(await later.condition(hash)).toBe("damaged");
  await later.put(SAMPLES[2] as Buffer, { checked: true });
  expect([await later.get(hash), await another(folder).get(hash)]).toEqual([SAMPLES[2], SAMPLES[2]]);
});

test("a pack that may not be read hides its contents and nothing else; they are stored again", async () => {
  const { folder, hashes } = await packOf(SAMPLES);
  leave(folder);
  const path = fileIn(folder, ".pack");
  chmodSync(path, 0);
  // Root can read every file.
  const canRead = process.getuid?.() === 0;
  const later = another(folder);
  expect(later.has(hashes[1] as string)).toBe(canRead);
  const hash = await later.put(SAMPLES[1] as Buffer);
  expect(await later.get(hash)).toEqual(SAMPLES[1]);
  chmodSync(path, 0o600);
});

test("cleaning up gives the room back, and leaves what was asked for meanwhile", async () => {
  const contents = Array.from({ length: 300 }, () => randomBytes(1000));
  const { folder, store, hashes } = await packOf(contents);
  for (const hash of hashes) ageContent(store, hash, LONG_AGO);
  const kept = hashes.slice(0, 3);
  // One is used by this process, the other by another one.
  await store.put(contents[0] as Buffer);
  await another(folder).put(contents[1] as Buffer);
  const session = join(tempFolder(), "a.jsonl");
  const change = { path: "a", before: null, after: { hash: kept[2], mode: "644", size: 1 } };
  const data = { v: 1, by: "tool", changes: [change] };
  writeFileSync(session, `${JSON.stringify({ type: "custom", id: "1", customType: "bough.files", data })}\n`);
  const collect = (dryRun: boolean) => collectGarbage({ store: folder, sessions: [session], now: new Date(), dryRun });
  const size = () =>
    readdirSync(join(folder, "packs"))
      .filter((name) => /\.(pack|idx|old)$/.test(name))
      .reduce((sum, name) => sum + statSync(join(folder, "packs", name)).size, 0);
  const [before, dry] = [size(), await collect(true)];
  expect([dry, size()]).toEqual([{ kind: "done", removed: 297, kept: 3, bytes: 297 * 1048 }, before]);
  expect([await collect(false), await collect(false)]).toEqual([dry, { kind: "done", removed: 0, kept: 3, bytes: 0 }]);
  expect(size()).toBeLessThan(5000);
  const found = (one: BlobStore) => hashes.filter((hash) => one.has(hash));
  expect([found(store), found(another(folder))]).toEqual([kept, kept]);
  for (const [at, hash] of kept.entries()) expect(await store.get(hash)).toEqual(contents[at]);
});

test("a process that stores on while its pack is replaced loses nothing", async () => {
  const { folder, store, hashes } = await packOf(SAMPLES);
  for (const hash of hashes) ageContent(store, hash, LONG_AGO);
  const writing = another(folder);
  const mine = await writing.put(Buffer.from("mine"));
  await collectGarbage({ store: folder, sessions: [], now: new Date() });
  const more = await writing.put(Buffer.from("more"));
  const again = await writing.put(SAMPLES[1] as Buffer);
  for (const one of [store, writing, another(folder)]) {
    expect([mine, more, again].map((hash) => one.has(hash))).toEqual([true, true, true]);
    expect(one.has(hashes[2] as string)).toBe(false);
  }
});

test("a clean-up that was killed half-way has lost nothing, and the next one finishes it", async () => {
  const { folder, hashes } = await packOf(SAMPLES);
  leave(folder);
  const path = fileIn(folder, ".pack");
  // It was killed after renaming the pack and copying some contents.
  renameSync(path, path.replace(/pack$/, "old"));
  const half = another(folder);
  await half.put(SAMPLES[2] as Buffer);
  await half.put(SAMPLES[3] as Buffer);
  for (const [n, hash] of hashes.entries()) expect(await another(folder).get(hash)).toEqual(SAMPLES[n]);
  const outcome = await collectGarbage({ store: folder, sessions: [], now: new Date() });
  expect(outcome).toMatchObject({ kind: "done", removed: 0, kept: SAMPLES.length });
  expect(readdirSync(join(folder, "packs")).filter((name) => name.endsWith(".old"))).toEqual([]);
  for (const [n, hash] of hashes.entries()) expect(await another(folder).get(hash)).toEqual(SAMPLES[n]);
});

test("many small packs are put together, and a content that is in several is kept once", async () => {
  const { folder, hashes } = await packOf(SAMPLES);
  leave(folder);
  const packs = join(folder, "packs");
  const bytes = readFileSync(fileIn(folder, ".pack"));
  for (let n = 0; n < 12; n++) writeFileSync(join(packs, `${randomBytes(8).toString("hex")}.pack`), bytes);
  const outcome = await collectGarbage({ store: folder, sessions: [], now: new Date() });
  expect(outcome).toMatchObject({ kind: "done", removed: 0, kept: SAMPLES.length });
  expect(readdirSync(packs).filter((name) => name.endsWith(".pack"))).toHaveLength(1);
  expect(statSync(fileIn(folder, ".pack")).size).toBe(bytes.length);
  for (const [n, hash] of hashes.entries()) expect(await another(folder).get(hash)).toEqual(SAMPLES[n]);
});

test("what was left beside packs that are gone is removed", async () => {
  const { folder } = await packOf(SAMPLES);
  const id = "0123456789abcdef";
  for (const name of [`${id}.idx`, `${id}.${GONE}.own`]) writeFileSync(join(folder, "packs", name), "");
  copyFileSync(fileIn(folder, ".pack"), join(folder, "packs", "not a pack"));
  await collectGarbage({ store: folder, sessions: [], now: new Date() });
  const names = readdirSync(join(folder, "packs"));
  expect([names.filter((name) => name.startsWith(id)), names.includes("not a pack")]).toEqual([[], true]);
});
