/** The first scan of a folder without git, which stores every file, or `cp -r` of that folder. Into an empty folder. */
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** @param {{ root: string, by: "cp" | "look", checkpoint: string, folder: string }} input */
export async function run({ root, by, checkpoint, folder }) {
  mkdirSync(folder, { recursive: true });
  const target = join(folder, "target");
  if (by === "cp") {
    const began = performance.now();
    execFileSync("cp", ["-r", root, target]);
    return { ms: performance.now() - began, check: "stored", extra: { disk: sizesIn(target).disk } };
  }
  const { BlobStore, FolderScanner } = await import(checkpoint);
  // As the agent does.
  process.chdir(root);
  const began = performance.now();
  const scanner = new FolderScanner({ root, store: new BlobStore(target), largest: 10 * 2 ** 20 });
  await scanner.scan();
  const ms = performance.now() - began;
  const { changes, skipped } = await scanner.scan();
  const extra = { disk: sizesIn(target).disk, bytes: sizesIn(root).bytes };
  return { ms, check: changes.length + skipped.length === 0 ? "stored" : "different", extra };
}

/** @param {string} folder */
function sizesIn(folder) {
  const sum = { bytes: 0, disk: 0 };
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const stats = lstatSync(join(item.parentPath, item.name));
    sum.disk += stats.blocks * 512;
    if (stats.isFile()) sum.bytes += stats.size;
  }
  return sum;
}
