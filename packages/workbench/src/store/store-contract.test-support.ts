/** The contract that every driver fulfills. */
import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sampledStep } from "../../../../test/support/sampled.js";
import { hashOf } from "../checkpoint/index.js";
import type { PulledLines, Replica, Store, StoredSession } from "./store.js";

export interface StoreUnderTest {
  /** A store that all connections of one test share; each replica opens its own connection to it. */
  newStore(): Promise<(replica: Replica) => Promise<Store>>;
  /** Overwrites the store's only content with other bytes. */
  damage(hash: string): Promise<void>;
  /** How many writers push at once, and how often. Default 8 and 10; drivers that start processes take fewer. */
  readonly writers?: number;
  readonly pushes?: number;
  /** Test only a sample of IDs and cursors, also for slow drivers. All of them with BOUGH_RUNS=all. */
  readonly isSampled?: boolean;
}

export const replicaNamed = (name: string): Replica => ({ id: hashOf(Buffer.from(name)).slice(0, 16), name });

const entry = (id: string, parentId: string | null, text: string) =>
  Buffer.from(
    JSON.stringify({
      type: "message",
      id,
      parentId,
      timestamp: "2026-01-01T00:00:00.000Z",
      message: { role: "user", content: text, timestamp: 1 },
    }),
  );

export const header = (id: string) =>
  Buffer.from(`{"type":"session","version":3,"id":"${id}","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}`);

const all = async (pieces: AsyncIterable<PulledLines>) => {
  const lines: { text: string; from: string }[] = [];
  let cursor: string | undefined;
  for await (const piece of pieces) {
    for (const { bytes, replica } of piece.lines)
      lines.push({ text: Buffer.from(bytes).toString(), from: replica.name });
    cursor = piece.cursor;
  }
  return { lines, cursor };
};
const texts = async (store: Store, id: string, cursor?: string) =>
  (await all(store.pull(id, cursor))).lines.map(({ text }) => text);

/** Overwrites every file below a folder of compressed contents. */
export function damageContents(folder: string): void {
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (item.isFile()) writeFileSync(join(item.parentPath, item.name), deflateRawSync(Buffer.from("other bytes")));
}

const ODD_IDS = ["../../outside", "a/b", "..", "con.", "%2e%2e", "ünïcode 漢"];

export function describeStore(
  name: string,
  { newStore, damage, writers = 8, pushes = 10, isSampled = false }: StoreUnderTest,
): void {
  const some = (all: number) => Math.ceil(all / (isSampled ? sampledStep(2) : 1));

  describe(`a store: ${name}`, () => {
    async function two() {
      const open = await newStore();
      const laptop = await open(replicaNamed("laptop"));
      const desktop = await open(replicaNamed("desktop"));
      return { open, laptop, desktop, id: randomUUID() };
    }

    it("gives back the bytes it was given, also odd ones", async () => {
      const { laptop, desktop, id } = await two();
      const lines = [
        header(id),
        entry("a", null, "plain"),
        Buffer.from(`{ "type":"custom", "id":"b","parentId":"a", "n":1e3, "t":"\\u00e9 é 漢 \\u0000 \\ud800" }`),
        entry("c", "b", "x".repeat(300_000)),
      ];
      expect(await laptop.push(id, lines)).toMatchObject({ added: 4 });
      expect(await texts(desktop, id)).toEqual(lines.map((line) => line.toString()));
    });

    it("stores a line once, however often and by whomever it is pushed", async () => {
      const { laptop, desktop, id } = await two();
      const lines = [header(id), entry("a", null, "1"), entry("b", "a", "2")];
      await laptop.push(id, lines);
      expect(await laptop.push(id, lines)).toMatchObject({ added: 0 });
      expect(await desktop.push(id, [...lines].reverse())).toMatchObject({ added: 0 });
      expect(await desktop.push(id, [entry("b", "a", "2"), entry("c", "b", "3")])).toMatchObject({ added: 1 });
      const { lines: stored } = await all(laptop.pull(id));
      expect(stored.map(({ from }) => from)).toEqual(expect.arrayContaining(["laptop", "laptop", "laptop", "desktop"]));
      expect(stored).toHaveLength(4);
    });

    it("keeps two entries with one ID apart", async () => {
      const { laptop, desktop, id } = await two();
      await laptop.push(id, [entry("a", null, "mine")]);
      expect(await desktop.push(id, [entry("a", null, "yours")])).toMatchObject({ added: 1 });
      expect(await texts(laptop, id)).toHaveLength(2);
    });

    it("takes another project for a session without new lines, and nothing else changes", async () => {
      const { laptop, desktop, id } = await two();
      await laptop.push(id, [entry("a", null, "1")], { title: "water the birch", cwd: "/w" });
      const before = await desktop.head(id);
      expect(before?.project).toBeUndefined();
      expect(await laptop.push(id, [], { project: "shop", title: "water the birch", cwd: "/w" })).toMatchObject({
        added: 0,
      });
      const { cursor, title, replicas } = before ?? {};
      expect(await desktop.head(id)).toMatchObject({ project: "shop", cursor, title, replicas });
      expect((await desktop.list({ project: "shop" })).map((one) => one.id)).toContain(id);
      expect(await texts(desktop, id)).toHaveLength(1);
    });

    it("keeps the title and the folder it knows where a push says nothing of them", async () => {
      const { laptop, id } = await two();
      await laptop.push(id, [entry("a", null, "1")], { project: "shop", title: "water the birch", cwd: "/w" });
      await laptop.push(id, [entry("b", "a", "2")], { title: undefined, cwd: undefined });
      await laptop.push(id, [entry("c", "b", "3")], { title: undefined, cwd: "/w" });
      expect(await laptop.head(id)).toMatchObject({ project: "shop", title: "water the birch", cwd: "/w" });
    });

    it("pulls what came after a cursor, from any of them", async () => {
      const { laptop, desktop, id } = await two();
      const ids = ["a", "b", "c", "d", "e"].slice(0, some(5));
      const cursors: (string | undefined)[] = [undefined];
      for (const [i, one] of ids.entries()) {
        await (i % 2 === 0 ? laptop : desktop).push(id, [entry(one, ids[i - 1] ?? null, one)]);
        cursors.push((await laptop.head(id))?.cursor);
      }
      const left = await Promise.all(cursors.map(async (cursor) => (await texts(desktop, id, cursor)).length));
      expect(left).toEqual([5, 4, 3, 2, 1, 0].slice(-ids.length - 1));
    });

    it("tells a pusher where to continue, if nothing else arrived", async () => {
      const { laptop, desktop, id } = await two();
      const { cursor } = await laptop.push(id, [entry("a", null, "1")]);
      expect(cursor).toBeDefined();
      expect(await texts(laptop, id, cursor)).toEqual([]);
      const alone = await laptop.push(id, [entry("d", "a", "4")], { since: cursor as string });
      expect(alone).toMatchObject({ added: 1, isAlone: true });
      await desktop.push(id, [entry("b", "a", "2")]);
      const second = await laptop.push(id, [entry("c", "a", "3")], { since: cursor as string });
      expect(second.isAlone).toBeUndefined();
      expect(await texts(laptop, id, second.cursor ?? alone.cursor)).toContain(entry("b", "a", "2").toString());
    });

    it("lists sessions with project, title and replicas, and changes a cursor only with lines", async () => {
      const { laptop, desktop, id } = await two();
      const other = randomUUID();
      await laptop.push(id, [entry("a", null, "1")], { project: "example.com/app", title: "Fix it", cwd: "/p" });
      await desktop.push(id, [entry("b", "a", "2")]);
      await desktop.push(other, [entry("z", null, "9")], { project: "example.com/else" });
      const [listed] = await laptop.list({ project: "example.com/app" });
      expect(listed).toMatchObject({ id, project: "example.com/app", title: "Fix it", cwd: "/p" });
      expect(listed?.replicas.map((one) => one.name).sort()).toEqual(["desktop", "laptop"]);
      await desktop.push(id, [entry("b", "a", "2")]);
      expect((await laptop.head(id))?.cursor).toBe(listed?.cursor);
      expect((await laptop.list()).map((one) => one.id).sort()).toEqual([id, other].sort());
      expect(await laptop.head(randomUUID())).toBeUndefined();
    });

    it("loses nothing when many push at once", async () => {
      const { open, id } = await two();
      const letters = [..."abcdefgh"].slice(0, writers);
      const stores = await Promise.all(letters.map((letter) => open(replicaNamed(letter))));
      await Promise.all(
        stores.map(async (store, w) => {
          for (let i = 0; i < pushes; i++)
            await store.push(id, [entry(`${w}-${i}`, null, "x"), entry("same", null, "x")]);
        }),
      );
      const stored = new Set(await texts(stores[0] as Store, id));
      expect(stored.size).toBe(writers * pushes + 1);
    });

    it("names sessions in which lines arrive, each once", async () => {
      const { laptop, desktop, id } = await two();
      await laptop.push(id, [entry("a", null, "1")]);
      const stop = new AbortController();
      const heard: StoredSession[] = [];
      const news = desktop.follow(undefined, stop.signal)[Symbol.asyncIterator]();
      const first = news.next();
      // Pushes until the follower listens and has reported a push.
      let n = 0;
      let over = false;
      void first.then(() => {
        over = true;
      });
      while (!over) {
        await laptop.push(id, [entry(`f${n++}`, "a", "x")]);
        await setImmediate();
      }
      const { value } = await first;
      heard.push(value as StoredSession);
      stop.abort();
      await news.return?.(undefined);
      expect(heard.map((one) => one.id)).toEqual([id]);
    });

    it("finds words, and says where the hit is in its session", async () => {
      const { laptop, desktop, id } = await two();
      await laptop.push(
        id,
        [
          header(id),
          entry("a", null, "start"),
          entry("b", "a", "the quick marmalade"),
          entry("c", "a", "another marmalade"),
          entry("d", "c", "and on"),
        ],
        { title: "Jam" },
      );
      const hits = await desktop.search({ words: "marmalade" });
      const found = hits.map(({ sessionId, entryId, state }) => ({ sessionId, entryId, state }));
      expect(found).toEqual(
        expect.arrayContaining([
          { sessionId: id, entryId: "b", state: "abandoned" },
          { sessionId: id, entryId: "c", state: "active" },
        ]),
      );
      expect(hits[0]?.excerpt).toContain("marmalade");
      expect(await desktop.search({ words: "nowhere-to-be-found" })).toEqual([]);
    });

    it("finds the newest, newest first, whatever session they are in", async () => {
      const { laptop, desktop } = await two();
      const at = (day: number) =>
        Buffer.from(entry(`d${day}`, null, "marmalade").toString().replace("2026-01-01", `2026-01-0${day}`));
      const [one, other] = [randomUUID(), randomUUID()];
      await laptop.push(one, [header(one), at(2), at(5), at(4)]);
      await laptop.push(other, [header(other), at(3), at(6), at(1)]);
      const hits = await desktop.search({ words: "marmalade", limit: 4 });
      expect(hits.map(({ entryId }) => entryId)).toEqual(["d6", "d5", "d4", "d3"]);
    });

    it("keeps contents of files by their hash", async () => {
      const { laptop, desktop } = await two();
      const contents = [randomBytes(100_000), Buffer.alloc(0), Buffer.from("a")].map((content) => ({
        hash: hashOf(content),
        content,
      }));
      const hashes = contents.map(({ hash }) => hash);
      const [first] = hashes as [string];
      expect(await desktop.blobs.get(first)).toBeUndefined();
      await laptop.blobs.put(contents);
      await laptop.blobs.put(contents);
      expect(await desktop.blobs.has([...hashes, "0".repeat(64)])).toEqual(new Set(hashes));
      for (const { hash, content } of contents)
        expect(Buffer.compare((await desktop.blobs.get(hash)) as Buffer, content)).toBe(0);
      const wrong = [...contents, { hash: "0".repeat(64), content: Buffer.from("other bytes") }];
      await expect(laptop.blobs.put(wrong)).rejects.toMatchObject({ code: "store-damaged" });
    });

    it("takes contents from several machines at once", async () => {
      const { laptop, desktop } = await two();
      const contents = ["a", "b", "c"].map((text) => ({ hash: hashOf(Buffer.from(text)), content: Buffer.from(text) }));
      await Promise.all([laptop.blobs.put(contents), desktop.blobs.put([...contents].reverse())]);
      expect((await laptop.blobs.has(contents.map(({ hash }) => hash))).size).toBe(3);
    });

    it("refuses and names a content that is not what its hash says", async () => {
      const { laptop, desktop } = await two();
      const content = Buffer.from("what was stored");
      const hash = hashOf(content);
      await laptop.blobs.put([{ hash, content }]);
      await damage(hash);
      await expect(desktop.blobs.get(hash)).rejects.toMatchObject({
        code: "store-damaged",
        message: expect.stringContaining(hash.slice(0, 12)),
      });
    });

    it("removes a session for good until it is let in again", async () => {
      const { laptop, desktop, id } = await two();
      await laptop.push(id, [entry("a", null, "1")]);
      await laptop.remove(id);
      expect(await texts(desktop, id)).toEqual([]);
      expect(await desktop.head(id)).toMatchObject({ removed: true });
      await expect(desktop.push(id, [entry("a", null, "1")])).rejects.toMatchObject({ code: "session-removed" });
      await desktop.readmit(id);
      expect(await desktop.push(id, [entry("a", null, "1")])).toMatchObject({ added: 1 });
    });

    it("takes lines again after a remove, also from a connection that had pushed them before", async () => {
      const { laptop, desktop, id } = await two();
      const lines = [entry("a", null, "1"), entry("b", "a", "2")];
      await desktop.push(id, lines);
      await laptop.remove(id);
      await laptop.readmit(id);
      await desktop.push(id, lines);
      expect(await texts(laptop, id)).toEqual(lines.map((line) => line.toString()));
    });

    it("takes an ID for a name and never for a path", async () => {
      const { laptop } = await two();
      const ids = ODD_IDS.slice(0, some(ODD_IDS.length));
      for (const id of ids) {
        await laptop.push(id, [entry("a", null, id)]);
        expect(await texts(laptop, id)).toHaveLength(1);
      }
      expect((await laptop.list()).map((one) => one.id)).toEqual(expect.arrayContaining(ids));
    });
  });
}
