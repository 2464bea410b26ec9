/**
 * A made-up day of work: hundreds of steps that change, add, rename and delete files of a repository, a build that is
 * ignored, and now and then a change of many files at once. Kept in our store, and in a shadow git repository that
 * commits the whole folder after every step.
 */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { seededRandom } from "../../generate/random.mjs";
import { commitAll, sourceText } from "../../generate/work-tree.mjs";

/** @param {{ folder: string, checkpoint: string, files: number, steps: number }} input */
export async function run({ folder, checkpoint, files, steps }) {
  const { BlobStore, GitScanner } = await import(checkpoint);
  const root = join(folder, "root");
  const random = seededRandom(7);
  const paths = makeTree(root, files, random);
  const store = new BlobStore(join(folder, "store"));
  const scanner = new GitScanner({ root, store, largest: 10 * 2 ** 20, index: join(folder, "index") });
  const shadow = { GIT_DIR: join(folder, "shadow"), GIT_WORK_TREE: root };
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync("git", ["-c", "user.name=Bench", "-c", "user.email=bench@example.com", ...args], {
      cwd: root,
      env: { ...process.env, ...shadow },
      stdio: "ignore",
    });
  git("init", "--quiet");
  const snapshot = () => {
    git("add", "-A");
    git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", "step");
  };
  snapshot();
  await scanner.scan();
  /** @type {Map<string, number>} */
  const unique = new Map();
  let changes = 0;
  const began = performance.now();
  for (let step = 0; step < steps; step++) {
    doStep({ root, paths, random, step });
    const found = await scanner.scan();
    changes += found.changes.length;
    for (const { before, after } of found.changes) {
      for (const state of [before, after]) {
        if (state?.hash && !unique.has(state.hash))
          unique.set(state.hash, deflateRawSync(await store.get(state.hash)).length);
      }
    }
    snapshot();
  }
  const ms = performance.now() - began;
  const ours = sizes(store.folder);
  const loose = sizes(shadow.GIT_DIR);
  git("gc", "--quiet");
  const packed = sizes(shadow.GIT_DIR);
  const compressed = [...unique.values()].reduce((sum, one) => sum + one, 0);
  scanner.close?.();
  const extra = {
    compressed,
    bytes: ours.bytes,
    disk: ours.disk,
    loose: loose.bytes,
    looseDisk: loose.disk,
    packed: packed.bytes,
  };
  return { ms, check: changes > steps ? "kept" : `only ${changes} changes`, extra };
}

/**
 * @param {string} root
 * @param {number} files
 * @param {import("../../generate/random.mjs").Random} random
 */
function makeTree(root, files, random) {
  const paths = [];
  for (let at = 0; at < files; at++) {
    const folder = `src/folder-${at % 100}`;
    mkdirSync(join(root, folder), { recursive: true });
    const path = `${folder}/module-${at}.txt`;
    writeFileSync(join(root, path), sourceText(random, random.between(500, 16_000)));
    paths.push(path);
  }
  commitAll(root);
  return paths;
}

/** @param {{ root: string, paths: string[], random: import("../../generate/random.mjs").Random, step: number }} work */
function doStep({ root, paths, random, step }) {
  const at = (/** @type {string} */ path) => join(root, path);
  const some = () => random.below(paths.length);
  for (let edits = random.between(1, 4); edits > 0; edits--) {
    const path = at(paths[some()] ?? "");
    const lines = readFileSync(path, "utf8").split("\n");
    lines.splice(random.below(lines.length), random.below(4), ...sourceText(random, 120).split("\n"));
    writeFileSync(path, lines.join("\n"));
  }
  if (step % 5 === 0) {
    const path = `src/folder-${random.below(100)}/new-${step}.txt`;
    writeFileSync(at(path), sourceText(random, random.between(300, 6000)));
    paths.push(path);
  }
  if (step % 15 === 7) rmSync(at(paths.splice(some(), 1)[0] ?? ""));
  if (step % 20 === 9) {
    const index = some();
    const to = `src/folder-${random.below(100)}/moved-${step}.txt`;
    renameSync(at(paths[index] ?? ""), at(to));
    paths[index] = to;
  }
  // A shell command replaces a word everywhere.
  if (step % 60 === 30) for (const path of paths.slice(0, 150)) appendFileSync(at(path), `// ${step}\n`);
  mkdirSync(at("build"), { recursive: true });
  writeFileSync(at("build/bundle.js"), sourceText(random, 200_000));
}

/** @param {string} folder */
function sizes(folder) {
  const sum = { bytes: 0, disk: 0 };
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const stats = lstatSync(join(folder, name));
    if (!stats.isFile()) continue;
    sum.bytes += stats.size;
    sum.disk += stats.blocks * 512;
  }
  return sum;
}
