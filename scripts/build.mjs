// Compiles src/ into dist/ and bundles the page, from nothing, so that a removed source leaves no stale module behind. The
// new build takes the place of the old one when it is complete: a program that runs meanwhile finds one or the other,
// never half of one.
import { spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const dist = join(root, "dist");
const fresh = join(root, `.tmp/dist-${process.pid}`);
const old = join(root, `.tmp/dist-${process.pid}-old`);

try {
  // With a type error there still is output, which is what a half-finished change is tried with; the exit code tells.
  const { status } = spawnSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", fresh], {
    stdio: "inherit",
  });
  const page = spawnSync(process.execPath, [join(root, "scripts/build-page.mjs"), fresh], { stdio: "inherit" });
  const worker = spawnSync(process.execPath, [join(root, "scripts/bundle-worker.mjs"), fresh], { stdio: "inherit" });
  if (status !== 0 || page.status !== 0 || worker.status !== 0) process.exitCode = 1;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}
