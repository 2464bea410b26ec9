/** Several processes store and clean up at once, and are killed: what one of them said it had stored is there. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { BlobStore, collectGarbage, hashOf } from "@bough/workbench/checkpoint/index.js";
import { expect, test } from "vitest";
import { afterTest } from "./support/after-test.js";
import { sampledRuns, sampledStep } from "./support/sampled.js";
import { ageContent } from "./support/stored-contents.js";
import { tempFolder } from "./support/temp-folder.js";

const CHILD = fileURLToPath(new URL("support/pack-child.mjs", import.meta.url));
const LONG_AGO = new Date("2020-01-01T00:00:00Z");

interface Task {
  readonly store: string;
  readonly from?: number;
  readonly to?: number;
  readonly step?: number;
  readonly collect?: boolean;
  readonly killAt?: number;
}

/** A process that does tasks one after the other, until it is killed. */
class Helper {
  readonly #process: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  readonly #ended: Promise<unknown>;
  /** What it said it had stored: numbers by hash. */
  readonly stored = new Map<string, number>();

  constructor() {
    this.#process = spawn(process.execPath, [CHILD], { stdio: ["pipe", "pipe", "inherit"] });
    const { stdin, stdout } = this.#process;
    if (stdin === null || stdout === null) throw new Error("bug: no pipes");
    stdin.on("error", () => undefined);
    this.#answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
    this.#ended = once(this.#process, "exit");
    afterTest(() => this.kill());
  }

  /** How many calls it took, or that it was killed. */
  async run(task: Task): Promise<number | "killed"> {
    this.#process.stdin?.write(`${JSON.stringify(task)}\n`);
    for (;;) {
      const { done, value } = await this.#answers.next();
      if (done === true) return "killed";
      const said = JSON.parse(value);
      if (said.done !== undefined) return said.calls;
      this.stored.set(said.stored, said.n);
    }
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }
}

const contentOf = (n: number) => Buffer.from(`content ${n} `.repeat((n % 40) + 1));

/** Everything that helpers said they had stored. */
async function expectThere(folder: string, helpers: readonly Helper[]): Promise<void> {
  const store = new BlobStore(folder);
  for (const { stored } of helpers) {
    for (const [hash, n] of stored) expect([n, String(await store.get(hash))]).toEqual([n, String(contentOf(n))]);
  }
}

test("four processes that store the same and other contents at once, two of them killed, lose nothing", async () => {
  const folder = join(tempFolder(), "store");
  const helpers = Array.from({ length: 4 }, () => new Helper());
  const runs = helpers.map((helper, at) => helper.run({ store: folder, from: at * 100, to: at * 100 + 1500 }));
  for (const helper of helpers.slice(0, 2)) {
    while (helper.stored.size < 200) await new Promise((next) => setImmediate(next));
    await helper.kill();
  }
  await Promise.all(runs);
  expect(helpers.slice(2).map(({ stored }) => stored.size)).toEqual([1500, 1500]);
  await expectThere(folder, helpers);
  // The next one continues a pack of those that have ended.
  for (const helper of helpers) await helper.kill();
  const packs = () => readdirSync(join(folder, "packs")).filter((name) => name.endsWith(".pack")).length;
  const before = packs();
  const next = new Helper();
  await next.run({ store: folder, from: 5000, to: 5010 });
  expect(packs()).toBe(before);
  await expectThere(folder, [...helpers, next]);
});

test("a process killed at any call while storing keeps everything it confirmed, and the next one continues", async () => {
  const whole = new Helper();
  const calls = await whole.run({ store: join(tempFolder(), "store"), from: 0, to: 12 });
  if (calls === "killed") throw new Error("bug: it was not to be killed");
  let kills = 0;
  for (let killAt = 1; killAt <= calls; killAt += sampledStep(5)) {
    const folder = join(tempFolder(), "store");
    const helper = new Helper();
    // On a busy machine others are looked for more often, or less: the last calls may not come.
    if ((await helper.run({ store: folder, from: 0, to: 12, killAt })) === "killed") kills += 1;
    await helper.kill();
    await whole.run({ store: folder, from: 8, to: 20 });
    await expectThere(folder, [helper]);
    const store = new BlobStore(folder);
    for (let n = 8; n < 20; n++) expect(await store.get(hashOf(contentOf(n)))).toEqual(contentOf(n));
  }
  expect(kills).toBeGreaterThan(0);
});

test("a clean-up that is killed at any call loses nothing that is needed, and the next one finishes it", async () => {
  const prepared = async () => {
    const folder = join(tempFolder(), "store");
    const store = new BlobStore(folder);
    for (let n = 0; n < 20; n++) {
      const hash = await store.put(contentOf(n));
      if (n % 2 === 0) ageContent(store, hash, LONG_AGO);
    }
    return folder;
  };
  const whole = new Helper();
  const calls = await whole.run({ store: await prepared(), collect: true });
  if (calls === "killed") throw new Error("bug: it was not to be killed");
  let kills = 0;
  for (let killAt = 1; killAt <= calls; killAt += sampledStep(7)) {
    const folder = await prepared();
    const helper = new Helper();
    if ((await helper.run({ store: folder, collect: true, killAt })) === "killed") kills += 1;
    await helper.kill();
    const has = async () => {
      const store = new BlobStore(folder);
      const found: number[] = [];
      for (let n = 0; n < 20; n++) if ((await store.condition(hashOf(contentOf(n)))) === "whole") found.push(n);
      return found;
    };
    const odd = Array.from({ length: 10 }, (_, at) => 2 * at + 1);
    expect(await has()).toEqual(expect.arrayContaining(odd));
    await whole.run({ store: folder, collect: true });
    expect(await has()).toEqual(odd);
    expect(readdirSync(join(folder, "packs")).filter((name) => name.endsWith(".old"))).toEqual([]);
  }
  expect(kills).toBeGreaterThan(0);
});

test("contents that processes ask for while others clean up stay, however old they were", async () => {
  const helpers = [new Helper(), new Helper()];
  const cleaner = new Helper();
  for (let round = 0; round < sampledRuns({ all: 60, some: 5 }); round++) {
    const folder = join(tempFolder(), "store");
    const store = new BlobStore(folder);
    for (let n = 0; n < 400; n++) ageContent(store, await store.put(contentOf(n)), LONG_AGO);
    for (const { stored } of helpers) stored.clear();
    const runs = helpers.map((helper, at) => helper.run({ store: folder, from: at, to: 400, step: 2 + at }));
    // Several times, from here and from another process: each finds packs of the other.
    const cleaned = [cleaner.run({ store: folder, collect: true })];
    for (let again = 0; again < 3; again++) await collectGarbage({ store: folder, sessions: [], now: new Date() });
    await Promise.all([...runs, ...cleaned]);
    expect(helpers.map(({ stored }) => stored.size)).toEqual([200, 133]);
    await expectThere(folder, helpers);
  }
});
