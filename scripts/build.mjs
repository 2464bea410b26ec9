// Builds dist/ from src/, from nothing, so that a removed source leaves no stale module behind: the rooms and the workers
// bundled, the page, declarations, and the licences of what is inside. See docs/decisions/0015-bundled-doors.md. The new
// build takes the place of the old one when it is complete: a program that runs meanwhile finds one or the other.
import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeDeclarations } from "./build/declarations.mjs";
import { bundlePage } from "./build/page.mjs";
import { bundleRooms } from "./build/rooms.mjs";
import { bundleSearchWorker } from "./build/search-worker.mjs";
import { writeLicences } from "./build/third-party.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const fresh = join(root, `.tmp/dist-${process.pid}`);
const old = join(root, `.tmp/dist-${process.pid}-old`);

try {
  const declarations = writeDeclarations({ root, folder: fresh });
  const modules = (
    await Promise.all([
      bundleRooms({ root, folder: fresh }),
      bundleSearchWorker({ root, folder: fresh }),
      bundlePage({ root, folder: fresh }),
    ])
  ).flat();
  writeLicences({ root, folder: fresh, modules });
  // With a type error there still is output, which is what a half-finished change is tried with; the exit code tells.
  if ((await declarations) !== 0) process.exitCode = 1;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}
