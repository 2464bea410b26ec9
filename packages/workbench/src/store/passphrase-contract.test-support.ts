/** What a change of the passphrase keeps, with every driver. */
import { expect, it } from "vitest";
import { hashOf } from "../checkpoint/index.js";
import { SEAL_MARK } from "./seal-mark.js";
import { SealedStore } from "./sealed-store.js";
import type { Replica, Store } from "./store.js";
import { replicaNamed } from "./store-contract.test-support.js";
import { StoreError } from "./store-error.js";
import { WrappedStore } from "./wrapped-store.js";

const OLD = "correct horse";
const NEW = "battery staple";

const entry = (id: string) => Buffer.from(`{"type":"custom","id":"${id}","parentId":null,"customType":"x"}`);
const content = (text: string) => ({ hash: hashOf(Buffer.from(text)), content: Buffer.from(text) });

async function idsOf(store: Store, session = "s", cursor?: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { lines } of store.pull(session, cursor))
    for (const { bytes } of lines) ids.push(bytes.length === 0 ? "unreadable" : JSON.parse(bytes.toString()).id);
  return ids.sort();
}

/** Loses its connection at a push to the mark, before or after the store has it. */
class Breaking extends WrappedStore {
  readonly #when: "before" | "after";

  constructor(inner: Store, when: "before" | "after") {
    super(inner);
    this.#when = when;
  }

  override async push(...push: Parameters<Store["push"]>): ReturnType<Store["push"]> {
    if (push[0] !== SEAL_MARK) return super.push(...push);
    if (this.#when === "after") await super.push(...push);
    throw new StoreError("store-unreachable", "connection lost");
  }
}

/** `newStore` makes a store that all connections of one test share. */
export function testPassphrases(name: string, newStore: () => Promise<(replica: Replica) => Promise<Store>>): void {
  const search = async () => [];
  const now = new Date(1);
  async function encrypted() {
    const open = await newStore();
    const inner = (machine: string) => open(replicaNamed(machine));
    const as = async (machine: string, passphrase: string) =>
      new SealedStore(await inner(machine), { passphrase, search });
    const laptop = await as("laptop", OLD);
    await laptop.push("s", [entry("a")], { title: "private" });
    await laptop.blobs.put([content("old content")]);
    return { inner, as, laptop };
  }

  it(`opens everything with the new passphrase only: ${name}`, async () => {
    const { as, laptop, inner } = await encrypted();
    expect(await laptop.changePassphrase(NEW, now)).toBe("changed");
    const changed = await as("laptop", NEW);
    await changed.push("s", [entry("b")], { title: "more private" });
    await changed.blobs.put([content("new content")]);
    const desktop = await as("desktop", NEW);
    expect(await idsOf(desktop)).toEqual(["a", "b"]);
    expect((await desktop.list()).map(({ title }) => title)).toEqual(["more private"]);
    for (const text of ["old content", "new content"])
      expect((await desktop.blobs.get(content(text).hash))?.toString()).toBe(text);
    expect((await desktop.blobs.has(["old content", "new content"].map((text) => content(text).hash))).size).toBe(2);
    const behind = await as("desktop", OLD);
    const refused = {
      code: "wrong-passphrase",
      message: expect.stringContaining("was changed"),
      hint: expect.stringContaining("bough store passphrase"),
    };
    await expect(idsOf(behind)).rejects.toMatchObject(refused);
    await expect(behind.list()).rejects.toMatchObject(refused);
    await expect(behind.push("s", [entry("c")])).rejects.toMatchObject(refused);
    await expect((await as("desktop", "wrong")).push("s", [entry("c")])).rejects.toMatchObject({
      code: "wrong-passphrase",
      message: expect.stringContaining("Wrong passphrase"),
    });
    // Nothing in the store can be read without it.
    const lines: string[] = [];
    for await (const piece of (await inner("desktop")).pull("s"))
      lines.push(...piece.lines.map(({ bytes }) => bytes.toString()));
    expect(lines.join("")).not.toContain("customType");
  });

  it(`is taken over by other machines, also by those that have the store open: ${name}`, async () => {
    const { as, laptop } = await encrypted();
    const desktop = await as("desktop", OLD);
    expect(await idsOf(desktop)).toEqual(["a"]);
    await laptop.changePassphrase(NEW, now);
    await (await as("laptop", NEW)).push("s", [entry("b")]);
    await expect(idsOf(desktop)).rejects.toMatchObject({ code: "wrong-passphrase" });
    await expect(desktop.changePassphrase("something else", now)).rejects.toMatchObject({ code: "wrong-passphrase" });
    expect(await desktop.changePassphrase(NEW, now)).toBe("adopted");
    expect(await (await as("desktop", NEW)).changePassphrase(NEW, now)).toBe("same");
    expect(await (await as("desktop", NEW)).changePassphrase(OLD, now)).toBe("changed");
    expect(await idsOf(await as("laptop", OLD))).toEqual(["a", "b"]);
    await expect((await as("laptop", NEW)).push("s", [entry("c")])).rejects.toMatchObject({ code: "wrong-passphrase" });
  });

  it(`leaves a readable store if it is interrupted, and can be repeated: ${name}`, async () => {
    const { as, inner } = await encrypted();
    const broken = async (when: "before" | "after") =>
      new SealedStore(new Breaking(await inner("laptop"), when), { passphrase: OLD, search });
    await expect((await broken("before")).changePassphrase(NEW, now)).rejects.toMatchObject({
      code: "store-unreachable",
    });
    expect(await idsOf(await as("desktop", OLD))).toEqual(["a"]);
    await expect((await broken("after")).changePassphrase(NEW, now)).rejects.toMatchObject({
      code: "store-unreachable",
    });
    // It is in the store, and this machine does not know yet.
    await expect((await as("laptop", OLD)).push("s", [entry("b")])).rejects.toMatchObject({ code: "wrong-passphrase" });
    expect(await (await as("laptop", OLD)).changePassphrase(NEW, now)).toBe("adopted");
    expect(await idsOf(await as("laptop", NEW))).toEqual(["a"]);
  });

  it(`counts one of two changes at the same time, and loses nothing by the other: ${name}`, async () => {
    const { as } = await encrypted();
    // Both have read the store before either has changed it.
    const stores = [await as("laptop", OLD), await as("desktop", OLD)] as const;
    const outcomes = await Promise.allSettled([
      stores[0].changePassphrase("of the laptop", new Date(1)),
      stores[1].changePassphrase("of the desktop", new Date(2)),
    ]);
    const opens = async (machine: string, passphrase: string) =>
      (await as(machine, passphrase)).push("s", [entry(machine)]).then(
        () => true,
        () => false,
      );
    const works = [await opens("laptop", "of the laptop"), await opens("desktop", "of the desktop")];
    expect(works.filter(Boolean)).toHaveLength(1);
    const winner = works[0] ? "of the laptop" : "of the desktop";
    expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
    const loser = await as(works[0] ? "desktop" : "laptop", works[0] ? "of the desktop" : "of the laptop");
    expect(await loser.changePassphrase(winner, new Date(3))).toBe("adopted");
    expect(await idsOf(await as("another", winner))).toEqual(["a", works[0] ? "laptop" : "desktop"].sort());
  });
}
