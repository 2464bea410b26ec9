/**
 * Restores files to another state and back, beside writing the same bytes to the same files; in turns, in one process.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../generate/random.mjs";
import { sourceText } from "../../generate/work-tree.mjs";
import { median } from "../samples.mjs";

/** @param {{ folder: string, checkpoint: string, files: number, bytes: number, rounds: number }} input */
export async function run({ folder, checkpoint, files, bytes, rounds }) {
  const { BlobStore, applyFiles, planFiles } = await import(checkpoint);
  const root = join(folder, "root");
  const plain = join(folder, "plain");
  const store = new BlobStore(join(folder, "store"));
  const random = seededRandom(files);
  const paths = Array.from({ length: files }, (_, at) => join(`folder-${at % 10}`, `module-${at}.txt`));
  for (const base of [root, plain])
    for (let at = 0; at < 10; at++) mkdirSync(join(base, `folder-${at}`), { recursive: true });
  const sides = [0, 1].map(() => paths.map(() => Buffer.from(sourceText(random, bytes))));
  const states = [];
  for (const contents of sides) {
    const side = [];
    for (const content of contents) side.push({ hash: await store.put(content), mode: "644", size: content.length });
    states.push(side);
  }
  const write = (/** @type {string} */ base, /** @type {number} */ side) => {
    for (const [at, path] of paths.entries()) writeFileSync(join(base, path), sides[side]?.[at] ?? "");
  };
  write(root, 0);
  write(plain, 0);
  /** @type {{ write: number[], plan: number[], restore: number[] }} */
  const times = { write: [], plan: [], restore: [] };
  for (let round = 1; round <= rounds; round++) {
    const side = round % 2;
    const targets = paths.map((path, at) => ({
      path,
      expected: states[1 - side]?.[at],
      wanted: states[side]?.[at],
      byPerson: false,
    }));
    times.write.push(await timed(() => write(plain, side)));
    let plan;
    times.plan.push(await timed(async () => (plan = await planFiles(targets, { root, store }))));
    times.restore.push(await timed(() => applyFiles(plan, { store })));
    if (!paths.every((path, at) => readFileSync(join(root, path)).equals(sides[side]?.[at] ?? Buffer.alloc(0)))) {
      return { ms: 0, check: "the files differ" };
    }
  }
  const extra = { write: median(times.write), plan: median(times.plan), restore: median(times.restore) };
  return { ms: extra.restore, check: "restored", extra };
}

/** @param {() => unknown} work */
async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
