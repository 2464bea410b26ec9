/** Rules I2 and I5 with real processes: killed at any moment, and eight at once. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { POSITION_TYPE, type SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, it } from "vitest";
import { killRun } from "../support/engine-kill-run.mjs";
import { support } from "../support/run-child.js";
import { sampledRuns } from "../support/sampled.js";
import { tempFolder } from "../support/temp-folder.js";
import { tree } from "../support/tree-notation.js";

it.each(Array.from({ length: sampledRuns({ all: 10, some: 2 }) }, (_, run) => run))(
  "loses nothing acknowledged when killed in a burst of appends, small, mixed and large (%d)",
  async (run) => {
    const folder = tempFolder();
    for (const largeEvery of [0, 5, 1]) {
      const file = join(folder, `${largeEvery}.jsonl`);
      const { acknowledged, faults } = await killRun({ file, afterMs: Math.random() * 60, largeEvery });
      expect({ run, largeEvery, faults }).toEqual({ run, largeEvery, faults: [] });
      expect(acknowledged).toBeGreaterThan(0);
    }
  },
);

interface Appended {
  readonly name: string;
  readonly ids: readonly string[];
  readonly leaf: string;
}

/** Starts a writer; `run` lets it write and returns what it did. */
async function appender(file: string, name: string, count: number) {
  const child = spawn(process.execPath, [support("engine-appender.mjs"), file, name, String(count)]);
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout });
  const answers = lines[Symbol.asyncIterator]();
  expect((await answers.next()).value).toBe("ready");
  return {
    async run(): Promise<Appended> {
      const closed = once(child, "close");
      child.stdin.write("go\n");
      const { value } = await answers.next();
      expect(await closed).toEqual([0, null]);
      return JSON.parse(value ?? "null") as Appended;
    },
  };
}

function isPosition(entry: SessionEntry | undefined): boolean {
  return entry?.type === "custom" && entry.customType === POSITION_TYPE;
}

it("takes 1,000 entries from each of eight processes at once: every line is whole and every branch intact", async () => {
  const first = tree("a-b", { dir: tempFolder() });
  first.close();
  const file = first.getSessionFile() as string;
  const writers = await Promise.all(Array.from({ length: 8 }, (_, i) => appender(file, `writer ${i}`, 1000)));
  const results = await Promise.all(writers.map((writer) => writer.run()));

  const lines = readFileSync(file, "utf8").split("\n");
  expect(lines.pop()).toBe("");
  for (const line of lines) JSON.parse(line);
  // Header, a and b, and what the writers wrote; one that closed after others had written recorded its position too.
  const positions = lines.filter((line) => line.includes('"bough.position"'));
  expect([lines.length - positions.length, positions.length <= 8]).toEqual([3 + 8000, true]);

  const session = SessionManager.open(file);
  const entries = session.getEntries().filter((entry) => !isPosition(entry));
  expect([entries.length, session.getProblems(), session.getCounts().branches]).toEqual([8002, [], 8]);
  for (const { name, ids, leaf } of results) {
    expect(leaf).toBe(ids.at(-1));
    const branch = session.getBranch(leaf);
    expect(branch.map(({ id }) => id)).toEqual(["a", "b", ...ids]);
    const texts = branch
      .slice(2)
      .map((entry) => (entry.type === "message" ? (entry.message as { content: string }).content : ""));
    expect(texts).toEqual(ids.map((_, i) => `${name} ${i}`));
  }
  session.close();
});

it("tells a running session what eight processes wrote, each entry once, and keeps its leaf", async () => {
  const session = tree("a-b", { dir: tempFolder() });
  const file = session.getSessionFile() as string;
  const writers = await Promise.all(Array.from({ length: 8 }, (_, i) => appender(file, `writer ${i}`, 50)));
  const own: string[] = [];
  const news: string[] = [];
  const done = Promise.all(writers.map((writer) => writer.run()));
  let running = true;
  const results = done.finally(() => {
    running = false;
  });
  while (running) {
    own.push(session.appendCustomMessageEntry("own", `${own.length}`, true));
    news.push(...session.refresh());
    await new Promise((resolve) => setImmediate(resolve));
  }
  news.push(...session.refresh());
  const written = (await results).flatMap(({ ids }) => ids);
  const said = news.filter((id) => !isPosition(session.getEntry(id)));
  expect(said.toSorted()).toEqual(written.toSorted());
  expect(new Set(news).size).toBe(news.length);
  expect([session.getLeafId(), session.getBranch().map(({ id }) => id)]).toEqual([own.at(-1), ["a", "b", ...own]]);
  const inMemory = session.getEntries();
  session.close();
  const again = SessionManager.open(file, undefined, { readOnly: true });
  // A line of another process that came between our look at the file and our write is known after ours.
  const kept = again.getEntries().filter((entry) => inMemory.some(({ id }) => id === entry.id) || !isPosition(entry));
  expect(kept.toSorted(byId)).toEqual(inMemory.toSorted(byId));
  expect(again.getProblems()).toEqual([]);
  again.close();
});

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
