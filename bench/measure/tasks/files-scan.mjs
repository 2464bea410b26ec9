/** Scans a folder after one file changed, with `git status` or with one of our scanners. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const ROUNDS = 3;

/**
 * `kept`: a folder for contents that stays. Without git the first look stores every file, which is not what is timed.
 *
 * @param {{ root: string, by: "git status" | "git" | "folder", checkpoint: string, files: number, kept: string }} input
 */
export async function run({ root, by, checkpoint, files, kept }) {
  const changed = join(root, "part-0", "folder-0", "module-3.txt");
  const before = readFileSync(changed);
  const store = mkdtempSync(join(tmpdir(), "bough-bench-"));
  const { scan, memory, close } = await looker({ root, by, checkpoint, store: by === "folder" ? kept : store });
  let longest = 0;
  let beat = performance.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - beat);
    beat = performance.now();
  }, 1);
  let ms = Number.POSITIVE_INFINITY;
  let found = 0;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      writeFileSync(changed, `${before}// ${round}\n`);
      // File times have a limited resolution: files changed within one tick are checked again.
      await setTimeout(60);
      longest = 0;
      beat = performance.now();
      const began = performance.now();
      found += await scan();
      ms = Math.min(ms, performance.now() - began);
    }
    return { ms, check: found, extra: { block: longest, bytesPerFile: (await memory()) / files } };
  } finally {
    clearInterval(watch);
    writeFileSync(changed, before);
    close();
    rmSync(store, { recursive: true, force: true });
  }
}

/** @param {{ root: string, by: string, checkpoint: string, store: string }} input */
async function looker({ root, by, checkpoint, store }) {
  if (by === "git status") {
    const scan = async () =>
      execFileSync("git", ["status", "--porcelain"], { cwd: root }).toString().trim().split("\n").length;
    await scan();
    return { scan, memory: async () => 0, close: () => undefined };
  }
  const { BlobStore, FolderScanner, GitScanner } = await import(checkpoint);
  // As the agent does, and as git status above.
  process.chdir(root);
  const options = { root, store: new BlobStore(store), largest: 10 * 2 ** 20 };
  await collected();
  const start = held();
  const scanner =
    by === "git" ? new GitScanner({ ...options, index: join(store, "index") }) : new FolderScanner(options);
  await scanner.scan();
  await scanner.scan();
  return {
    scan: async () => (await scanner.scan()).changes.length,
    memory: async () => {
      await collected();
      return held() - start;
    },
    close: () => scanner.close?.(),
  };
}

function held() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function collected() {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.();
    await setTimeout(20);
  }
}
