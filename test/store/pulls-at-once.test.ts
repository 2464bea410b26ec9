import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { FolderStore } from "@bough/workbench/store/folder/folder-store.js";
import { replicaNamed } from "@bough/workbench/store/store-contract.test-support.js";
import { syncSession } from "@bough/workbench/store/sync/sync-session.js";
import { SyncStates } from "@bough/workbench/store/sync/sync-state.js";
import { expect, it } from "vitest";
import { afterTest } from "../support/after-test.js";
import { sampledRuns } from "../support/sampled.js";
import { tempFolder } from "../support/temp-folder.js";

const ROUNDS = sampledRuns({ all: 400, some: 30 });
const SESSION = "5e551011-0000-4000-8000-000000000001";

function folderStore(name: string): { readonly folder: string; readonly store: FolderStore } {
  const folder = join(tempFolder(), "store");
  FolderStore.init(folder);
  return { folder, store: FolderStore.open({ folder, replica: replicaNamed(name), search: async () => [] }) };
}

const line = (id: string) =>
  Buffer.from(JSON.stringify({ type: "custom", id, parentId: null, timestamp: "t", customType: "test" }));

const idsIn = (file: string): string[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text).id);

class Puller {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #said: AsyncIterator<string>;

  constructor(words: readonly string[]) {
    const program = join(import.meta.dirname, "../support/store-puller.mjs");
    this.#child = spawn(process.execPath, [program, ...words], { stdio: ["pipe", "pipe", "inherit"] });
    this.#said = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    afterTest(() => this.#child.kill("SIGKILL"));
  }

  async next(): Promise<string> {
    return (await this.#said.next()).value;
  }

  pull(): Promise<string> {
    this.#child.stdin.write("\n");
    return this.next();
  }

  async end(): Promise<void> {
    const ended = once(this.#child, "close");
    this.#child.stdin.end();
    expect(await ended).toEqual([0, null]);
  }
}

it("writes every line once if several programs of one home pull a session at the same moment", async () => {
  const { folder, store } = folderStore("other");
  const home = tempFolder();
  const file = join(home, "session.jsonl");
  const pullers = ["1", "2", "3"].map(() => new Puller([folder, home, SESSION, file]));
  for (const one of pullers) expect(await one.next()).toBe("ready");
  const pushed: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    pushed.push(`e${round}`);
    await store.push(SESSION, [line(`e${round}`)]);
    for (const said of await Promise.all(pullers.map((one) => one.pull()))) expect(said).toBe("done");
  }
  for (const one of pullers) await one.end();
  expect(idsIn(file).slice(1)).toEqual(pushed);
});

it("stores every line once if several programs of one home push a session at the same moment", async () => {
  const { folder, store } = folderStore("other");
  const home = tempFolder();
  const file = join(home, "session.jsonl");
  await store.push(SESSION, [line("first")]);
  const pullers = ["1", "2", "3"].map(() => new Puller([folder, home, SESSION, file]));
  for (const one of pullers) expect(await one.next()).toBe("ready");
  const written = ["first"];
  for (let round = 0; round < ROUNDS / 3; round++) {
    await Promise.all(pullers.map((one) => one.pull()));
    const ids = Array.from({ length: 50 }, (_, n) => `r${round}-${n}`);
    written.push(...ids);
    appendFileSync(file, ids.map((id) => `${line(id)}\n`).join(""));
    await Promise.all(pullers.map((one) => one.pull()));
  }
  for (const one of pullers) await one.end();
  const stored: string[] = [];
  for await (const piece of store.pull(SESSION))
    stored.push(...piece.lines.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString())).map(({ id }) => id));
  expect(stored.filter((id) => id !== SESSION).toSorted()).toEqual(written.toSorted());
});

it("does not wait forever for a program in a container that is gone", async () => {
  const { store } = folderStore("other");
  await store.push(SESSION, [line("e")]);
  const home = tempFolder();
  const file = join(home, "session.jsonl");
  const pull = () => syncSession({ store, states: new SyncStates(home, "store"), sessionId: SESSION, file });
  await pull();
  const locks = join(home, "stores", "locks");
  const held = readdirSync(locks).map((name) => join(locks, name.replace(/\d+$/, "9")));
  for (const one of held) {
    writeFileSync(one, "1-00000000-00000000");
    utimesSync(one, 0, 0);
  }
  await store.push(SESSION, [line("f")]);
  expect(await pull()).toMatchObject({ pulled: 1 });
  expect(held).toHaveLength(1);
  expect(existsSync(held[0] as string)).toBe(false);
});
