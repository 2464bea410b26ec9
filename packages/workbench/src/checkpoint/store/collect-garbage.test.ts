import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ageContent } from "../../../../../test/support/stored-contents.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { BlobStore } from "./blob-store.js";
import { collectGarbage, collectGarbageRarely } from "./collect-garbage.js";
import { registerSession } from "./store-sessions.js";

const NOW = new Date("2026-03-01T00:00:00Z");
const LONG_AGO = new Date("2026-01-01T00:00:00Z");

async function place() {
  const store = tempFolder();
  const sessions = tempFolder();
  const blobs = new BlobStore(store);
  const put = async (text: string, at = LONG_AGO) => {
    const hash = await blobs.put(Buffer.from(text));
    ageContent(blobs, hash, at);
    return hash;
  };
  const write = (file: string, data: object) => {
    const entry = { type: "custom", id: "1", parentId: null, timestamp: "", customType: "bough.files", data };
    writeFileSync(file, `{"type":"session"}\n${JSON.stringify(entry)}\n`);
    return file;
  };
  const record = (hash: string) => ({
    v: 1,
    by: "tool",
    changes: [{ path: "a", before: null, after: { hash, mode: "644", size: 1 } }],
  });
  return { store, sessions, blobs, put, write, record };
}

test("contents that a session names are kept, and so are recent ones; others are removed", async () => {
  const { store, sessions, blobs, put, write, record } = await place();
  const [named, unnamed, young] = [await put("named"), await put("unnamed"), await put("young", NOW)];
  const file = write(join(sessions, "a.jsonl"), record(named));
  const dry = await collectGarbage({ store, sessions: [file], now: NOW, dryRun: true });
  expect([dry, blobs.has(unnamed)]).toEqual([expect.objectContaining({ kind: "done", removed: 1, kept: 2 }), true]);
  await collectGarbage({ store, sessions: [file], now: NOW });
  expect([named, unnamed, young].map((hash) => blobs.has(hash))).toEqual([true, false, true]);
});

test("a session elsewhere counts once it is registered, and a long list names what is in it", async () => {
  const { store, sessions, blobs, put, write, record } = await place();
  const inList = await put("in a list");
  const list = await put(JSON.stringify(record(inList).changes));
  const file = write(join(sessions, "far.jsonl"), { v: 1, by: "tool", changes: [], changesIn: list });
  registerSession(store, file);
  registerSession(store, file);
  expect(await collectGarbage({ store, sessions: [], now: NOW })).toMatchObject({ kind: "done", removed: 0 });
  rmSync(file);
  expect(await collectGarbage({ store, sessions: [], now: NOW })).toMatchObject({ kind: "done", removed: 2 });
  expect(blobs.has(inList)).toBe(false);
});

test("nothing goes while a session cannot be read or may be elsewhere", async () => {
  const { store, sessions, blobs, put, write } = await place();
  const hash = await put("unnamed");
  const away = join(sessions, "mounted");
  mkdirSync(away);
  registerSession(store, join(away, "a.jsonl"));
  rmSync(away, { recursive: true });
  expect(await collectGarbage({ store, sessions: [], now: NOW })).toMatchObject({ kind: "failed" });
  mkdirSync(away);
  const odd = write(join(away, "a.jsonl"), { v: 2, changes: "?" });
  expect(await collectGarbage({ store, sessions: [], now: NOW })).toMatchObject({ kind: "failed" });
  expect([blobs.has(hash), existsSync(odd)]).toEqual([true, true]);
});

test("runs automatically once a week, starting after a week", async () => {
  const { store, blobs, put } = await place();
  const hash = await put("unnamed");
  const run = (day: number) =>
    collectGarbageRarely({ store, sessions: () => [], now: new Date(NOW.getTime() + day * 24 * 60 * 60_000) });
  expect([await run(0), await run(6), blobs.has(hash)]).toEqual([undefined, undefined, true]);
  expect([await run(8), await run(9)]).toEqual([expect.objectContaining({ kind: "done", removed: 1 }), undefined]);
  expect(await run(16)).toMatchObject({ kind: "done", removed: 0 });
  writeFileSync(join(store, "collected.json"), JSON.stringify({ at: "2999-01-01T00:00:00Z" }));
  expect(await run(17)).toMatchObject({ kind: "done" });
});

test("an old content that is put again is not collected before it is named", async () => {
  const { store, blobs, put } = await place();
  const hash = await put("old");
  await blobs.put(Buffer.from("old"));
  await collectGarbage({ store, sessions: [], now: new Date() });
  expect(blobs.has(hash)).toBe(true);
});

test("other work runs while long sessions are read, and lines longer than what is read at once count", async () => {
  const { store, sessions, blobs, put, write, record } = await place();
  const hashes = [await put("first"), await put("long"), await put("last")];
  const files = hashes.map((hash, n) => {
    const file = write(join(sessions, `${n}.jsonl`), { ...record(hash), note: "x".repeat(3_000_000) });
    const other = `${JSON.stringify({ type: "message", text: "y".repeat(5000) })}\n`.repeat(400);
    const entry = { type: "custom", id: "2", parentId: "1", customType: "bough.files", data: record(hash) };
    appendFileSync(file, `${other}${JSON.stringify(entry)}`);
    return file;
  });
  let turns = 0;
  const next = () => {
    turns += 1;
    counting = setImmediate(next);
  };
  let counting = setImmediate(next);
  expect(await collectGarbage({ store, sessions: files, now: NOW })).toMatchObject({
    kind: "done",
    removed: 0,
    kept: 3,
  });
  clearImmediate(counting);
  expect([hashes.every((hash) => blobs.has(hash)), turns >= files.length * 4]).toEqual([true, true]);
});
